/** How long a stay still lasts. Pure: knows no clock, no language and no screen. */
import type { Child } from '@haris/contract/objects';

/** The part of a child that its stay is read from. */
export type Stay = Pick<Child, 'isInside' | 'entryTime' | 'duration'>;

/**
 * When the stay ends: entry time plus duration (spec §4), in epoch milliseconds.
 * Null while outside, and for an entry time that is no time.
 */
export function dueAt(stay: Stay): number | null {
  if (!stay.isInside || stay.entryTime === null || stay.duration === null) return null;
  const entered = Date.parse(stay.entryTime);
  return Number.isNaN(entered) ? null : entered + stay.duration * 60_000;
}

/**
 * Whole seconds left, never below zero (spec §4); null while outside. `now` is the server's clock in epoch milliseconds.
 * Rounded up, so that zero is reached at the due moment and not up to a second before it. Never more than the whole
 * stay: the server's clock is only known to some milliseconds, and 120:01 of two hours would be shown just after entry.
 */
export function remainingSeconds(stay: Stay, now: number): number | null {
  const due = dueAt(stay);
  if (due === null) return null;
  const whole = (stay.duration ?? 0) * 60;
  return Math.min(whole, Math.max(0, Math.ceil((due - now) / 1000)));
}

/** Whole seconds since the due moment; 0 until then and while outside. */
export function overdueSeconds(stay: Stay, now: number): number {
  const due = dueAt(stay);
  return due === null ? 0 : Math.max(0, Math.floor((now - due) / 1000));
}

/** `MM:SS` of whole seconds; the minutes run past 59 (7198 → `119:58`). `format` writes a number with two digits at least. */
export function formatClock(seconds: number, format: (value: number) => string = twoDigits): string {
  return `${format(Math.floor(seconds / 60))}:${format(seconds % 60)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
