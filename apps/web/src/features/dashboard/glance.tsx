/** The dashboard at a glance: how many are inside, due soon, over time. */
import type { Child } from '@haris/contract/objects';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { remainingSeconds } from '../../countdown/remaining.ts';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { useAtTick } from '../../countdown/use-tick.ts';
import { Figure, GlanceRow } from './glance-figure.tsx';
import { useChildrenInside } from './queries.ts';

/** "Soon" is the next ten minutes. */
const SOON_SECONDS = 600;

/** Asks by itself: an answer draws the figures anew, and not the screen around them. */
export function Glance() {
  const { data: inside, isError } = useChildrenInside();
  const { t } = useTranslation('dashboard');
  const children = inside ?? NOBODY;
  const overTime = useAtTick(useCallback((now: number) => countWithin(children, now, 0), [children]));
  const dueSoon = useAtTick(
    useCallback(
      (now: number) => countWithin(children, now, SOON_SECONDS) - countWithin(children, now, 0),
      [children],
    ),
  );
  const format = useClockFormat();
  const missing = isError ? undefined : null;
  const shown = (value: number) => (inside === undefined ? missing : format.count(value));
  return (
    <GlanceRow>
      <Figure label={t('glance.inside')} value={shown(children.length)} />
      <Figure label={t('glance.dueSoon')} value={shown(dueSoon)} tone={dueSoon > 0 ? 'soon' : undefined} />
      <Figure label={t('glance.overTime')} value={shown(overTime)} tone={overTime > 0 ? 'over' : undefined} />
    </GlanceRow>
  );
}

const NOBODY: readonly Child[] = [];

/** How many have at most `seconds` left. */
function countWithin(children: readonly Child[], now: number, seconds: number): number {
  return children.filter((child) => {
    const left = remainingSeconds(child, now);
    return left !== null && left <= seconds;
  }).length;
}
