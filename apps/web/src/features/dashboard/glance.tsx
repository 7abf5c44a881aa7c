/** The dashboard at a glance: how many children are inside, due soon, and over time. Pressing a figure shows those children. */
import type { Child } from '@haris/contract/objects';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { useAtTick } from '../../countdown/use-tick.ts';
import { useOpenConflictCount } from '../../desk-conflicts/queries.ts';
import { useExpected } from './expected/use-expected.ts';
import { Figure, GlanceRow } from './frame/glance-figure.tsx';
import { type Due, type InsideFilter, isDue } from './inside/arrange.ts';
import { useChildrenInside } from './lists/queries.ts';

const NOBODY: readonly Child[] = [];

/** What the list shows: children inside, or those who are booked today. */
export type Shown = InsideFilter | 'expected';

export interface GlanceProps {
  /** The figure whose children are shown. */
  shown: Shown;
  onPress: (shown: Shown) => void;
}

/** Has its own query, so that new data render the figures only, not the whole screen. */
export function Glance({ shown: pressed, onPress }: GlanceProps) {
  const { data: inside, isError } = useChildrenInside();
  const { t } = useTranslation('dashboard');
  const children = inside ?? NOBODY;
  const format = useClockFormat();
  const soon = useCount(children, 'soon');
  const over = useCount(children, 'over');
  const missing = isError ? undefined : null;
  const shown = (value: number) => (inside === undefined ? missing : format.count(value));
  // A second press on a figure shows everybody again.
  const press = (wanted: Shown) => ({
    isPressed: pressed === wanted,
    onPress: () => onPress(pressed === wanted ? 'all' : wanted),
  });
  return (
    <GlanceRow>
      <Figure label={t('glance.inside')} value={shown(children.length)} {...press('all')} />
      <Figure
        label={t('glance.dueSoon')}
        value={shown(soon)}
        tone={soon > 0 ? 'soon' : undefined}
        {...press('soon')}
      />
      <Figure
        label={t('glance.overTime')}
        value={shown(over)}
        tone={over > 0 ? 'over' : undefined}
        {...press('over')}
      />
      <StillExpected {...press('expected')} />
      <DeskConflicts />
    </GlanceRow>
  );
}

/** Nothing where no child has a booking. */
function StillExpected(press: { isPressed: boolean; onPress: () => void }) {
  const { t } = useTranslation('bookings');
  const format = useClockFormat();
  const { hasBookings, awaited, isLate, isError } = useExpected();
  if (!hasBookings) return null;
  const missing = isError ? undefined : null;
  return (
    <Figure
      label={t('desk.figure')}
      value={awaited === undefined ? missing : format.count(awaited)}
      tone={isLate ? 'over' : undefined}
      {...press}
    />
  );
}

/** Leads to what desk tablets told later that does not fit. Nothing while there is nothing to settle. */
function DeskConflicts() {
  const { t } = useTranslation('dashboard');
  const navigate = useNavigate();
  const format = useClockFormat();
  const count = useOpenConflictCount();
  if (count === undefined || count === 0) return null;
  return (
    <Figure
      label={t('glance.deskConflicts')}
      value={format.count(count)}
      tone="over"
      onPress={() => void navigate('/deskConflicts')}
    />
  );
}

/** Number of children who are due soon or over time, kept up to date. */
function useCount(children: readonly Child[], due: Due): number {
  return useAtTick(
    useCallback((now: number) => children.filter((child) => isDue(child, due, now)).length, [children, due]),
  );
}
