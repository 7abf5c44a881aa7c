/** A child who is inside, on the screen of a desk tablet without a connection. */
import { isEmptyCard, signedAllergiesOf } from '@haris/contract/care-card';
import type { KeptChild } from '@haris/contract/desk-list';
import { Button } from '@mantine/core';
import { IconClipboardHeart, IconPhone, IconPrinter } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { CareSign } from '../../care/care-sign.tsx';
import { UnconfirmedMark } from '../../child/unconfirmed-mark.tsx';
import { Countdown } from '../../countdown/countdown.tsx';
import { OverTime } from '../../countdown/over-time.tsx';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import type { WrittenEntry, WrittenSlip } from '../../desk-entries/use-entries.ts';
import type { MergedChild } from '../../desk-entries/with-entries.ts';
import styles from './kept-inside.module.css';
import type { KeptSlipOf } from './kept-slip.tsx';

export interface InsideRowProps {
  child: MergedChild;
  /** Of a check-in by this person here. */
  slip: WrittenSlip | undefined;
  /** Opens the care card. */
  onCard: (child: KeptChild) => void;
  onSlip: (of: KeptSlipOf) => void;
}

export const InsideRow = memo(function InsideRow({ child, slip, onCard, onSlip }: InsideRowProps) {
  const { t } = useTranslation('desk');
  const { name, room, guardian, card, isCardUnreadable, isUnconfirmed, entryTime, duration, written } = child;
  const stay = { isInside: true, entryTime, duration };
  const hasCardHere = isCardUnreadable || (card !== null && !isEmptyCard(card));
  const hasCard = hasCardHere || child.hasCardElsewhere;
  return (
    <li className={styles.row}>
      <div className={styles.who}>
        <strong className={styles.name}>
          <bdi>{name}</bdi>
          <UnconfirmedMark of={isUnconfirmed ? { unconfirmed: true } : {}} isShort />
        </strong>
        <span className={styles.below}>{room === null ? t('list.noRoom') : <bdi>{room}</bdi>}</span>
        <span className={styles.below}>
          {guardian === null ? t('list.noGuardian') : <bdi>{guardian.name}</bdi>}
        </span>
      </div>
      <span className={styles.time}>
        <Countdown stay={stay} label={t('list.left', { name })} />
        <OverTime stay={stay} />
      </span>
      {hasCardHere ? (
        <CareSign
          child={child}
          sign={{ allergies: card === null ? null : signedAllergiesOf(card), isUnseen: false }}
          most={2}
          onOpen={() => onCard(child)}
        />
      ) : null}
      <Call guardian={guardian} />
      {written === null ? null : <Written entry={written} hasCard={hasCard} />}
      {slip === undefined || !isOf(slip, entryTime) ? null : (
        <Button
          variant="default"
          leftSection={<IconPrinter size={18} aria-hidden />}
          aria-label={t('checkIn.slipOf', { name })}
          onClick={() => onSlip({ child: { name, isUnconfirmed, hasCard }, slip })}
        >
          {t('checkIn.slip')}
        </Button>
      )}
    </li>
  );
});

/** Whether the slip is of this stay, and not of one before. */
function isOf({ entry }: WrittenSlip, entryTime: string): boolean {
  // Without parts of a millisecond, which the other one has not.
  return new Date(entry.at).getTime() === Date.parse(entryTime);
}

function Call({ guardian }: Pick<KeptChild, 'guardian'>) {
  const { t } = useTranslation('desk');
  if (guardian === null || guardian.phone === null) return null;
  return (
    <a
      className={styles.call}
      href={`tel:${guardian.phone}`}
      aria-label={t('list.call', { name: guardian.name, phone: guardian.phone })}
    >
      <IconPhone size={20} aria-hidden />
      <span dir="ltr">{guardian.phone}</span>
    </a>
  );
}

/** What this tablet wrote of the child, whether it has been told, and when the stay is due. */
function Written({ entry, hasCard }: { entry: WrittenEntry; hasCard: boolean | null }) {
  const { at, minutes, state, isUnsure } = entry;
  const { t } = useTranslation('desk');
  const format = useClockFormat();
  const time = format.timeOfDay(at);
  return (
    <div className={styles.written}>
      <span>{state === 'told' ? t('checkIn.sent', { time }) : t('checkIn.waiting', { time })}</span>
      <span>{t('checkIn.due', { time: format.endOfStay(at + minutes * 60_000, at) })}</span>
      {isUnsure ? <span>{t('checkIn.unsure')}</span> : null}
      {hasCard === false ? null : (
        <span className={styles.ask}>
          <IconClipboardHeart size={18} aria-hidden />
          {hasCard === null ? t('checkIn.cardUnknown') : t('checkIn.card')}
        </span>
      )}
    </div>
  );
}
