/** Idempotency keys of actions at the desk: one per attempt, reused by its retries. Makes no calls. */
import { ApiError } from './api-error.ts';
import { randomUuid } from './random-uuid.ts';

/** How an attempt ended: `unknown` if no response came, because the server may have carried out the action. */
export type AttemptOutcome = 'answered' | 'unknown';

export interface AttemptKeys {
  /** Returns the key of the open attempt at `subject`, or creates one. */
  keyFor(subject: string): string;
  /** Ends the attempt if there was a response; otherwise keeps the key, so that a retry cannot act twice. */
  settle(subject: string, outcome: AttemptOutcome): void;
}

interface Options {
  makeKey?: () => string;
  /** How long a repeated press counts as a retry, in milliseconds: for actions that may happen again. */
  openForMs?: number;
  now?: () => number;
}

/** Stores the keys of open attempts. `subject` names the action and its target, such as `check-in:<child>:60`. */
export function createAttemptKeys({
  makeKey = randomUuid,
  openForMs = Number.POSITIVE_INFINITY,
  now = Date.now,
}: Options = {}): AttemptKeys {
  const open = new Map<string, { key: string; since: number }>();
  return {
    keyFor(subject) {
      const earlier = open.get(subject);
      if (earlier !== undefined && now() - earlier.since < openForMs) return earlier.key;
      const key = makeKey();
      open.set(subject, { key, since: now() });
      return key;
    },
    settle(subject, outcome) {
      if (outcome === 'answered') open.delete(subject);
    },
  };
}

/** After a network error or a 5xx status the server may or may not have acted, so a retry needs the same key. */
export function outcomeOf(error: unknown): AttemptOutcome {
  return error instanceof ApiError && error.status > 0 && error.status < 500 ? 'answered' : 'unknown';
}
