/** The last four digits of the phone, then the PIN. Both go to the server together. */
import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Digits, Keypad } from '../../tablet/keypad.tsx';
import styles from '../../tablet/tablet.module.css';
import { FailureText } from './failure-text.tsx';
import type { KioskFailure } from './kiosk-calls.ts';

const PHONE_DIGITS = 4;
const PIN_LEAST = 4;
const PIN_MOST = 6;

export interface PinStepProps {
  failure: KioskFailure | null;
  isBusy: boolean;
  onProof: (digits: string, pin: string) => void;
  onBack: () => void;
}

export function PinStep({ failure, isBusy, onProof, onBack }: PinStepProps) {
  const { t } = useTranslation('kiosk');
  const [digits, setDigits] = useState('');
  const [pin, setPin] = useState('');
  const [wasSent, setSent] = useState(false);
  const isPin = digits.length === PHONE_DIGITS;
  const isReady = isPin && pin.length >= PIN_LEAST;

  // Clear a wrong pair: the kiosk does not say which part was wrong. At once, or Enter could send the same pair again.
  useLayoutEffect(() => {
    if (!wasSent || isBusy || failure === null) return;
    setDigits('');
    setPin('');
    setSent(false);
  }, [wasSent, isBusy, failure]);

  function send(): void {
    if (!isReady || isBusy) return;
    setSent(true);
    onProof(digits, pin);
  }
  function back(): void {
    if (!isPin) onBack();
    setDigits('');
    setPin('');
  }

  return (
    <div className={styles.split}>
      <div className={styles.panel}>
        <h1 className={styles.title}>{t(isPin ? 'pin.titlePin' : 'pin.titleDigits')}</h1>
        {isPin ? (
          <Digits key="pin" value={pin} places={PIN_LEAST} label={t('pin.pin')} isSecret />
        ) : (
          <Digits key="digits" value={digits} places={PHONE_DIGITS} label={t('pin.digits')} />
        )}
        <FailureText failure={digits === '' ? failure : null} />
        <p className={styles.hint}>{t(isPin ? 'pin.hintPin' : 'pin.hintDigits')}</p>
        <div className={styles.row}>
          <Button
            size="xl"
            variant="default"
            leftSection={<IconArrowLeft size={24} className={styles.mirror ?? ''} aria-hidden />}
            onClick={back}
            disabled={isBusy}
          >
            {t('back')}
          </Button>
          <Button size="xl" flex="1 0 auto" onClick={send} disabled={!isReady} loading={isBusy}>
            {t('continue')}
          </Button>
        </div>
      </div>
      <Keypad
        value={isPin ? pin : digits}
        most={isPin ? PIN_MOST : PHONE_DIGITS}
        onChange={isPin ? setPin : setDigits}
        onEnter={send}
        isBusy={isBusy}
      />
    </div>
  );
}
