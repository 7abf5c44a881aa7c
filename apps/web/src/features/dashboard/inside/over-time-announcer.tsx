/** Announces to screen readers whose time is up, at the moment it happens. */
import type { Child } from '@haris/contract/objects';
import { VisuallyHidden } from '@mantine/core';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { remainingSeconds } from '../../../countdown/remaining.ts';
import { useAtTick } from '../../../countdown/use-tick.ts';

/** A live region with the names of the children over time. Polite, so that several names are read together. */
export function OverTimeAnnouncer({ inside }: { inside: readonly Child[] }) {
  const { t } = useTranslation('stays');
  const names = useAtTick(
    useCallback(
      (now: number) =>
        inside
          .filter((child) => remainingSeconds(child, now) === 0)
          .map((child) => child.name)
          .join(', '),
      [inside],
    ),
  );
  return (
    <VisuallyHidden role="status" aria-live="polite" aria-atomic="true">
      {names === '' ? '' : t('timesUpFor', { names })}
    </VisuallyHidden>
  );
}
