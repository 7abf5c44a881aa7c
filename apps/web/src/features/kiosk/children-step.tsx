/** The family's children: those who came together last time are ticked, and the last period is chosen. */
import { ENTRY_PERIODS_MINUTES } from '@haris/contract/constants';
import type { EntryPeriod } from '@haris/contract/fields';
import type { KioskChild, KioskRequestKind } from '@haris/contract/http/kiosk';
import { Button } from '@mantine/core';
import { IconArrowLeft, IconCheck } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf } from '../../i18n/locale.ts';
import styles from '../../tablet/tablet.module.css';
import { InitialsAvatar } from '../../ui/initials-avatar.tsx';
import type { FamilyAtKiosk } from './kiosk-calls.ts';

export interface ChildrenStepProps {
  family: FamilyAtKiosk;
  isBusy: boolean;
  onAsk: (kind: KioskRequestKind, childIds: string[], durationInMinutes: EntryPeriod) => void;
  onBack: () => void;
}

export function ChildrenStep({ family, isBusy, onAsk, onBack }: ChildrenStepProps) {
  const { t } = useTranslation('kiosk');
  const outside = family.children.filter((child) => !child.isInside);
  const inside = family.children.filter((child) => child.isInside);
  const [minutes, setMinutes] = useState(family.durationInMinutes);
  const ask = (kind: KioskRequestKind) => (childIds: string[]) => onAsk(kind, childIds, minutes);
  return (
    <div className={styles.family}>
      <h1 className={styles.title}>{t('children.title')}</h1>
      {family.children.length === 0 ? <p className={styles.lead}>{t('children.none')}</p> : null}
      {outside.length === 0 ? null : (
        <Group kind="check_in" items={outside} isBusy={isBusy} onAsk={ask('check_in')}>
          <Periods minutes={minutes} onChange={setMinutes} />
        </Group>
      )}
      {inside.length === 0 ? null : (
        <Group kind="pick_up" items={inside} isBusy={isBusy} onAsk={ask('pick_up')} />
      )}
      <div className={styles.row}>
        <Button
          size="lg"
          variant="default"
          leftSection={<IconArrowLeft size={22} className={styles.mirror ?? ''} aria-hidden />}
          onClick={onBack}
          disabled={isBusy}
        >
          {t('startAgain')}
        </Button>
      </div>
    </div>
  );
}

interface GroupProps {
  kind: KioskRequestKind;
  items: readonly KioskChild[];
  isBusy: boolean;
  onAsk: (childIds: string[]) => void;
  children?: ReactNode;
}

/** Children who can be checked in, or picked up, together, with the button for it. */
function Group({ kind, items, isBusy, onAsk, children }: GroupProps) {
  const { t, i18n } = useTranslation('kiosk');
  const [ticked, setTicked] = useState<ReadonlySet<string>>(
    () => new Set(items.filter((child) => child.isTicked || items.length === 1).map(({ _id }) => _id)),
  );
  const chosen = items.filter(({ _id }) => ticked.has(_id));
  const names = new Intl.ListFormat(localeOf(i18n.language)).format(chosen.map(({ firstName }) => firstName));
  return (
    <section className={styles.group} aria-label={t(`children.${kind}.title`)}>
      <p className={styles.groupTitle}>{t(`children.${kind}.title`)}</p>
      <div className={styles.cards}>
        {items.map((child) => (
          <label key={child._id} className={styles.card}>
            <input
              type="checkbox"
              aria-label={child.name}
              checked={ticked.has(child._id)}
              onChange={() => {
                const next = new Set(ticked);
                if (!next.delete(child._id)) next.add(child._id);
                setTicked(next);
              }}
            />
            <InitialsAvatar name={child.name} size={56} />
            <span className={styles.cardName} aria-hidden="true">
              <bdi>{child.name}</bdi>
            </span>
            <span className={styles.tick} aria-hidden="true">
              <IconCheck size={30} stroke={3} />
            </span>
          </label>
        ))}
      </div>
      {children}
      <Button
        size="xl"
        fullWidth
        variant={kind === 'check_in' ? 'filled' : 'light'}
        className={styles.big ?? ''}
        disabled={chosen.length === 0}
        loading={isBusy}
        onClick={() => onAsk(chosen.map(({ _id }) => _id))}
      >
        {chosen.length === 0 ? t('children.nobody') : t(`children.${kind}.button`, { names })}
      </Button>
    </section>
  );
}

function Periods({ minutes, onChange }: { minutes: EntryPeriod; onChange: (minutes: EntryPeriod) => void }) {
  const { t } = useTranslation('kiosk');
  return (
    <fieldset className={styles.periods}>
      <legend>{t('children.period')}</legend>
      {ENTRY_PERIODS_MINUTES.map((period) => (
        <label key={period} className={styles.period}>
          <input type="radio" name="period" checked={period === minutes} onChange={() => onChange(period)} />
          <span>{t(`periods.${period}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}
