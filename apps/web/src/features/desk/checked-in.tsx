/** Says that a child was checked in, and offers its slip. Gets the focus, because the pressed button is gone. */
import { Button } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import styles from './kept-inside.module.css';
import type { KeptSlipOf } from './kept-slip.tsx';

export interface CheckedInProps {
  /** Null while nobody was checked in. */
  done: KeptSlipOf | null;
  onPrint: (of: KeptSlipOf) => void;
}

export function CheckedIn({ done, onPrint }: CheckedInProps) {
  const { t } = useTranslation('desk');
  const format = useClockFormat();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (done !== null) button.current?.focus();
  }, [done]);
  return (
    <div className={styles.done} data-shown={done !== null || undefined}>
      {/* The live region is always there, because screen readers announce only text added to an existing region. */}
      <span role="status">
        {done === null
          ? ''
          : t('checkIn.done', { name: done.child.name, time: format.timeOfDay(done.slip.entry.at) })}
      </span>
      {done === null ? null : (
        <Button
          ref={button}
          variant="default"
          leftSection={<IconPrinter size={18} aria-hidden />}
          aria-label={t('checkIn.slipOf', { name: done.child.name })}
          onClick={() => onPrint(done)}
        >
          {t('checkIn.slip')}
        </Button>
      )}
    </div>
  );
}
