/**
 * The time that a desk tablet writes without a connection (decision 055): the server's, counted on with the steady clock, which nobody can
 * set. Noted on disk, so that a page that was closed goes on.
 */
import { type Instant, serverNow } from '../calls/server-clock.ts';
import { type ClockNote, readNote, writeNote } from './store.ts';

/** A larger gap between the two clocks means that the tablet slept or that somebody changed its time. Milliseconds. */
const MAX_GAP_MS = 1_500;

export interface DeskTime {
  /** The server's time by this tablet's estimate: whole milliseconds since 1970. */
  readonly at: number;
  /** The tablet slept, or its clock was changed, since the server last answered. */
  readonly isUnsure: boolean;
}

/** What the two clocks of the device said at a time of the server. */
export interface ClockBase extends Instant {
  readonly server: number;
  readonly isUnsure: boolean;
}

/**
 * The time now, and the base from which to go on. A wall clock that is behind was set back, and the steady one is believed. One that is ahead
 * is believed, because some systems stop the steady clock while they sleep; from then on times are unsure.
 */
export function readClock(base: ClockBase, now: Instant): { time: DeskTime; base: ClockBase } {
  const passed = now.steady - base.steady;
  const ahead = now.wall - base.wall - passed;
  const at = base.server + passed;
  // The base stays, so that many small gaps are noticed together.
  if (Math.abs(ahead) <= MAX_GAP_MS) return { time: { at, isUnsure: base.isUnsure }, base };
  const server = at + Math.max(0, ahead);
  const isUnsure = base.isUnsure || ahead > 0;
  return { time: { at: server, isUnsure }, base: { server, isUnsure, wall: now.wall, steady: now.steady } };
}

/** Goes on from a note of a page that is gone, by the wall clock; if that is before the note, from the note on, and unsure. */
export function resumeFrom(note: ClockNote, now: Instant): ClockBase {
  const passed = now.wall - note.wall;
  const isUnsure = note.isUnsure || passed < 0;
  return { server: note.server + Math.max(0, passed), isUnsure, wall: now.wall, steady: now.steady };
}

let base: ClockBase | null = null;

const instant = (): Instant => ({ wall: Date.now(), steady: performance.now() });

/** The server has just answered: its time is known. */
export function beginClock(): void {
  base = { server: serverNow(), isUnsure: false, ...instant() };
}

/** Null: the server has never answered this page, and no page before it has left a note. */
export function deskNow(): DeskTime | null {
  if (base === null) return null;
  const read = readClock(base, instant());
  base = read.base;
  return { ...read.time, at: Math.floor(read.time.at) };
}

/** What is written on disk beside an entry, and each half minute. */
export function noteOf({ at, isUnsure }: DeskTime): ClockNote {
  return { server: at, wall: Date.now(), isUnsure };
}

/** Goes on from the last note unless the server has answered. Never throws. */
export async function resumeClock(): Promise<void> {
  if (base !== null) return;
  const note = await readNote().catch(() => null);
  if (note !== null) base ??= resumeFrom(note, instant());
}

/** Notes the time on disk. Never throws: without a note, a page that is opened later has no time until the server answers. */
export async function noteClock(): Promise<void> {
  const time = deskNow();
  if (time !== null) await writeNote(noteOf(time)).catch(() => {});
}
