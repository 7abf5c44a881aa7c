/** A child who is not inside, on the screen of a desk tablet without a connection. */
import type { OutsideChild } from '@haris/contract/desk-list';
import { Button } from '@mantine/core';
import { IconDoorEnter } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { UnconfirmedMark } from '../../child/unconfirmed-mark.tsx';
import tablet from '../../tablet/tablet.module.css';
import styles from './kept-inside.module.css';

export interface OutsideRowProps {
  child: OutsideChild;
  /** Null if the child cannot be checked in here. */
  onCheckIn: ((child: OutsideChild) => void) | null;
}

export const OutsideRow = memo(function OutsideRow({ child, onCheckIn }: OutsideRowProps) {
  const { t } = useTranslation('desk');
  const { name, isUnconfirmed, guardian } = child;
  return (
    <li className={styles.row}>
      <div className={styles.who}>
        <strong className={styles.name}>
          <bdi>{name}</bdi>
          <UnconfirmedMark of={isUnconfirmed ? { unconfirmed: true } : {}} isShort />
        </strong>
        {guardian === null ? null : (
          <span className={styles.below}>
            <bdi>{guardian}</bdi>
          </span>
        )}
      </div>
      {onCheckIn === null ? null : (
        <Button
          size="md"
          leftSection={<IconDoorEnter size={20} className={tablet.mirror ?? ''} aria-hidden />}
          aria-label={t('checkIn.buttonOf', { name })}
          aria-haspopup="dialog"
          onClick={() => onCheckIn(child)}
        >
          {t('checkIn.button')}
        </Button>
      )}
    </li>
  );
});
