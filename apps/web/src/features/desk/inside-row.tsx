/** A child who is inside, on the screen of a desk tablet without a connection. */
import { signedAllergiesOf } from '@haris/contract/care-card';
import type { KeptChild } from '@haris/contract/desk-list';
import { IconPhone } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { CareSign } from '../../care/care-sign.tsx';
import { isEmptyCard } from '../../care/format.ts';
import { UnconfirmedMark } from '../../child/unconfirmed-mark.tsx';
import { Countdown } from '../../countdown/countdown.tsx';
import { OverTime } from '../../countdown/over-time.tsx';
import styles from './kept-inside.module.css';

export interface InsideRowProps {
  child: KeptChild;
  /** Opens the care card. */
  onCard: (child: KeptChild) => void;
}

export const InsideRow = memo(function InsideRow({ child, onCard }: InsideRowProps) {
  const { t } = useTranslation('desk');
  const { name, room, guardian, card, isCardUnreadable, isUnconfirmed, entryTime, duration } = child;
  const stay = { isInside: true, entryTime, duration };
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
      {isCardUnreadable || (card !== null && !isEmptyCard(card)) ? (
        <CareSign
          child={child}
          sign={{ allergies: card === null ? null : signedAllergiesOf(card), isUnseen: false }}
          most={2}
          onOpen={() => onCard(child)}
        />
      ) : null}
      {guardian === null || guardian.phone === null ? null : (
        <a
          className={styles.call}
          href={`tel:${guardian.phone}`}
          aria-label={t('list.call', { name: guardian.name, phone: guardian.phone })}
        >
          <IconPhone size={20} aria-hidden />
          <span dir="ltr">{guardian.phone}</span>
        </a>
      )}
    </li>
  );
});
