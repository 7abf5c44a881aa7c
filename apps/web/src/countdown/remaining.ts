/** Computes the remaining time of a stay. Pure: callers pass the time. */
import type { Child } from '@haris/contract/objects';

/** Fields of a child that define its stay. */
export type Stay = Pick<Child, 'isInside' | 'entryTime' | 'duration'>;

/** A stay that ends within this time ends soon: ten minutes. */
export const SOON_SECONDS = 600;

/**
 * Due time of a stay: entry time plus duration (spec §4), in epoch milliseconds. Null while outside and for an invalid
 * entry time.
 */
export function dueAt(stay: Stay): number | null {
  if (!stay.isInside || stay.entryTime === null || stay.duration === null) return null;
  const entered = Date.parse(stay.entryTime);
  return Number.isNaN(entered) ? null : entered + stay.duration * 60_000;
}

/**
 * Whole seconds left, at least zero (spec §4); null while outside. `now` is the server's clock in epoch milliseconds.
 * Rounded up, so that zero is reached exactly at the due time. Limited to the whole stay, because the server's clock is
 * known only to some milliseconds and two hours could otherwise start at 120:01.
 */
export function remainingSeconds(stay: Stay, now: number): number | null {
  const due = dueAt(stay);
  if (due === null) return null;
  const whole = (stay.duration ?? 0) * 60;
  return Math.min(whole, Math.max(0, Math.ceil((due - now) / 1000)));
}

/** Whole seconds since the due time; 0 before it and while outside. */
export function overdueSeconds(stay: Stay, now: number): number {
  const due = dueAt(stay);
  return due === null ? 0 : Math.max(0, Math.floor((now - due) / 1000));
}

/**
 * `MM:SS` from whole seconds; minutes may exceed 59 (7198 → `119:58`). `format` must write a number with at least two
 * digits.
 */
export function formatClock(seconds: number, format: (value: number) => string = twoDigits): string {
  return `${format(Math.floor(seconds / 60))}:${format(seconds % 60)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
