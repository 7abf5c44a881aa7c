/** A ring that empties with the time of a stay. */
import { RingProgress } from '@mantine/core';
import type { ReactNode } from 'react';
import { SOON_SECONDS, type Stay } from './remaining.ts';
import { useRemainingShare } from './use-tick.ts';

export interface StayRingProps {
  stay: Stay;
  /** Diameter in pixels. */
  size: number;
  /** Width of the line in pixels. */
  thickness: number;
  className?: string | undefined;
  /** In the middle of the ring. Without it the ring is hidden from screen readers. */
  label?: ReactNode;
}

const COLORS = { ok: 'pine', soon: 'saffron', over: 'clay' } as const;

/** Renders nothing while the child is outside. */
export function StayRing({ stay, size, thickness, className, label }: StayRingProps) {
  const ring = useRemainingShare(stay, SOON_SECONDS);
  if (ring === null) return null;
  const [share, state] = ring;
  return (
    <RingProgress
      size={size}
      thickness={thickness}
      roundCaps
      {...(className === undefined ? {} : { className })}
      {...(label === undefined ? { 'aria-hidden': true } : { label })}
      // At zero the ring is full and red, because an empty ring would be only a dot.
      sections={[{ value: state === 'over' ? 100 : share, color: COLORS[state] }]}
    />
  );
}
