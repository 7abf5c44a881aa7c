/** The dashboard at a glance: how many are inside, due soon, over time. */
import type { Child } from '@haris/contract/objects';
import { Skeleton, Text } from '@mantine/core';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { remainingSeconds } from '../../countdown/remaining.ts';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { useAtTick } from '../../countdown/use-tick.ts';
import classes from './glance.module.css';

/** "Soon" is the next ten minutes. */
const SOON_SECONDS = 600;

export interface GlanceProps {
  /** Undefined while nobody knows. */
  inside: readonly Child[] | undefined;
}

export function Glance({ inside }: GlanceProps) {
  const { t } = useTranslation('dashboard');
  const children = inside ?? NOBODY;
  const overTime = useAtTick(useCallback((now: number) => countWithin(children, now, 0), [children]));
  const dueSoon = useAtTick(
    useCallback(
      (now: number) => countWithin(children, now, SOON_SECONDS) - countWithin(children, now, 0),
      [children],
    ),
  );
  const isKnown = inside !== undefined;
  return (
    <dl className={classes.glance} aria-label={t('glance.label')}>
      <Figure label={t('glance.inside')} value={isKnown ? children.length : null} />
      <Figure label={t('glance.dueSoon')} value={isKnown ? dueSoon : null} tone="soon" />
      <Figure label={t('glance.overTime')} value={isKnown ? overTime : null} tone="over" />
    </dl>
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

interface FigureProps {
  label: string;
  value: number | null;
  /** Colours the figure when it is not zero. */
  tone?: 'soon' | 'over';
}

function Figure({ label, value, tone }: FigureProps) {
  const format = useClockFormat();
  return (
    <div className={classes.figure} data-tone={value ? tone : undefined}>
      <Text component="dt" size="sm" className={classes.label}>
        {label}
      </Text>
      <Text component="dd" className={classes.value}>
        {value === null ? (
          <Skeleton component="span" display="block" h="1.6rem" w="2rem" />
        ) : (
          format.count(value)
        )}
      </Text>
    </div>
  );
}
