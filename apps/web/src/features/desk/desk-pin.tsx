/** Asks for the chosen person's PIN, which is sent with its last digit, or for a passkey. */
import { Button } from '@mantine/core';
import { IconArrowLeft, IconFingerprint, IconInfoCircle } from '@tabler/icons-react';
import { useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PasskeyNote } from '../../second-factor/passkey-note.tsx';
import { hasPasskeys } from '../../second-factor/passkeys.ts';
import { Digits, Keypad } from '../../tablet/keypad.tsx';
import tablet from '../../tablet/tablet.module.css';
import type { DeskCalls, DeskFailure, DeskStaff } from './desk-calls.ts';
import { DeskFace } from './desk-face.tsx';

const PIN_DIGITS = 6;

export interface DeskPinProps {
  who: DeskStaff;
  calls: Pick<DeskCalls, 'photo'>;
  failure: DeskFailure | null;
  isBusy: boolean;
  onPin: (pin: string) => void;
  onPasskey: () => void;
  onBack: () => void;
}

export function DeskPin({ who, calls, failure, isBusy, onPin, onPasskey, onBack }: DeskPinProps) {
  const { t } = useTranslation('desk');
  const [pin, setPin] = useState('');
  // Clear a wrong PIN, so that it is typed again, before the refusal is painted: until then no digit would be taken.
  useLayoutEffect(() => {
    if (failure !== null) setPin('');
  }, [failure]);
  const type = (next: string) => {
    setPin(next);
    if (next.length === PIN_DIGITS && !isBusy) onPin(next);
  };
  const minutes = Math.ceil((failure?.seconds ?? 60) / 60);
  return (
    <div className={tablet.split}>
      <div className={tablet.panel}>
        <DeskFace who={who} calls={calls} size={84} />
        <h1 className={tablet.title}>
          <bdi>{who.name}</bdi>
        </h1>
        {who.hasPin ? <Digits value={pin} places={PIN_DIGITS} label={t('pin.label')} isSecret /> : null}
        <div role="alert" className={tablet.alertPlace}>
          {failure === null || failure.why === 'offline' || failure.why === 'unpaired' ? null : (
            <p className={tablet.failure}>
              <IconInfoCircle size={26} aria-hidden />
              {failure.why === 'locked'
                ? t('failure.locked', { count: minutes })
                : t(`failure.${failure.why}`)}
            </p>
          )}
        </div>
        <div className={tablet.row}>
          <Button
            size="lg"
            variant="default"
            leftSection={<IconArrowLeft size={22} className={tablet.mirror ?? ''} aria-hidden />}
            onClick={onBack}
            disabled={isBusy}
          >
            {t('pin.back')}
          </Button>
          {who.hasPasskey && hasPasskeys() ? (
            <Button
              size="lg"
              flex="1 0 auto"
              variant={who.hasPin ? 'light' : 'filled'}
              leftSection={<IconFingerprint size={22} aria-hidden />}
              onClick={onPasskey}
              loading={isBusy}
            >
              {t('pin.passkey')}
            </Button>
          ) : null}
        </div>
        {who.hasPasskey ? <PasskeyNote /> : null}
      </div>
      {who.hasPin ? (
        <Keypad value={pin} most={PIN_DIGITS} onChange={type} onEnter={() => {}} isBusy={isBusy} />
      ) : null}
    </div>
  );
}
