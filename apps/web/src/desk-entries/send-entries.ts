/**
 * Delivers what a desk tablet wrote without a connection, once the server answers again: oldest first, by one page at a time. An entry is done
 * with an answer to its id alone (decision 055).
 */
import { DESK_ENTRIES_MAX, type DeskEntry, deskRoutes } from '@haris/contract/http/desk';
import { ApiError } from '../calls/api-error.ts';
import { type AnswerOf, call } from '../calls/http.ts';
import { serverNow } from '../calls/server-clock.ts';
import { backoffMs } from '../live/live.ts';
import { asTablet } from '../tablet/failure.ts';
import { nextBatch, sortAnswers } from './batches.ts';
import { addConflicts } from './conflicts.ts';
import { beginClock } from './desk-clock.ts';
import { loadWritten, type QueuedEntry, queuedEntries, refuseWritten, tellWritten } from './written.ts';

/** How often there is a try, unless one must wait longer. Milliseconds. */
export const SEND_MS = 5_000;
/** How long a call may take, and for each entry longer: hundreds take the server longer than a screen waits. Milliseconds. */
const TIMEOUT_MS = 10_000;
const ENTRY_TIMEOUT_MS = 100;
/** Nobody is made to wait longer, because a proxy may say hours. Seconds. */
const MOST_WAIT_SECONDS = 300;
/** One page at a time sends; the others leave it to that one. */
const LOCK = 'haris-desk-entries';

let isSending = false;
/** Tries that failed one after the other. */
let failures = 0;
/** Tries that are left out before the next. Counted, because the clock of the device may be set. */
let pause = 0;

/** Sends at the next call of {@link sendEntries}, whatever failed before: for a screen that knows that the server answers again. */
export function endPause(): void {
  failures = 0;
  pause = 0;
}

/** Called each {@link SEND_MS}. Returns true if the server has something that the list does not show yet. Never throws. */
export async function sendEntries(deskToken: string): Promise<boolean> {
  if (isSending) return false;
  if (pause > 0) {
    pause--;
    return false;
  }
  isSending = true;
  try {
    return await alone(() => sendAll(deskToken));
  } catch {
    // The browser gave no lock.
    return false;
  } finally {
    isSending = false;
  }
}

/** Runs `work` unless another page of this browser is at it. */
async function alone(work: () => Promise<boolean>): Promise<boolean> {
  const { locks } = navigator as { locks?: LockManager };
  // Without locks, what two pages send at once has its effect once all the same.
  if (locks === undefined) return work();
  return locks.request(LOCK, { ifAvailable: true }, (lock) => (lock === null ? false : work()));
}

/** What one round has done, also if it fails in the middle. */
interface Round {
  readonly deskToken: string;
  /** Children of whom an entry must come again. */
  readonly held: Set<string>;
  told: number;
}

async function sendAll(deskToken: string): Promise<boolean> {
  const round: Round = { deskToken, held: new Set(), told: 0 };
  try {
    await loadWritten();
    for (;;) {
      const batch = nextBatch(queuedEntries(), round.held, DESK_ENTRIES_MAX);
      if (batch.length === 0) break;
      await sendBatch(round, batch);
    }
    if (round.held.size === 0) endPause();
    else wait();
  } catch (error) {
    wait(error instanceof ApiError ? error.retryAfter : undefined);
  }
  return round.told > 0;
}

function wait(seconds = 0): void {
  const ms = Math.max(backoffMs(failures++, Math.random()), Math.min(seconds, MOST_WAIT_SECONDS) * 1_000);
  // The next try comes after one interval anyway.
  pause = Math.ceil(ms / SEND_MS) - 1;
}

type Answer = AnswerOf<typeof deskRoutes.sendDeskEntries>;

function toDeskEntry({ id, entry: { minutes, roomId, at, ...entry } }: QueuedEntry): DeskEntry {
  return {
    ...entry,
    id,
    at: new Date(at).toISOString(),
    durationInMinutes: minutes,
    ...(roomId === null ? {} : { roomId }),
  };
}

function ask({ deskToken }: Round, batch: readonly QueuedEntry[]): Promise<Answer> {
  const body = { entries: batch.map(toDeskEntry) };
  const timeoutMs = TIMEOUT_MS + batch.length * ENTRY_TIMEOUT_MS;
  return call(deskRoutes.sendDeskEntries, { ...asTablet(deskToken), body, timeoutMs });
}

/** Whether what was sent was not understood, or is too large: nothing of it is written. */
function isMalformed(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 400 || error.status === 413);
}

async function sendBatch(round: Round, batch: readonly QueuedEntry[]): Promise<void> {
  let answer: Answer;
  try {
    answer = await ask(round, batch);
  } catch (error) {
    if (!isMalformed(error)) throw error;
    const [first, ...others] = batch;
    if (first !== undefined && others.length === 0) {
      // A proxy that answers in the server's place does not know.
      if (error.isNetworkError) throw error;
      return refuseWritten(first.id);
    }
    // One of them is enough for that: the others must not wait for it.
    for (const one of batch) if (!round.held.has(one.childId)) await sendBatch(round, [one]);
    return;
  }
  await settle(round, batch, answer);
}

async function settle(round: Round, sent: readonly QueuedEntry[], { entries }: Answer): Promise<void> {
  beginClock();
  const { told, later } = sortAnswers(sent, entries);
  for (const { childId } of later) round.held.add(childId);
  round.told += told.length;
  await tellWritten(new Set(told.map(({ id }) => id)), serverNow());
  addConflicts(entries.filter(({ outcome }) => outcome === 'conflict').length);
}
