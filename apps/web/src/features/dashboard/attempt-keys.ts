/** Idempotency keys of check-ins and checkouts: one per attempt, the same for its retries. Knows no network. */

/** How an attempt ended: `unknown` when no answer came, so that it may or may not have been done. */
export type AttemptOutcome = 'answered' | 'unknown';

export interface AttemptKeys {
  /** The key of the attempt at `subject` that is still open, or a new one. */
  keyFor(subject: string): string;
  /** An answer ends the attempt; without one the key stays for the retry, which then does nothing twice. */
  settle(subject: string, outcome: AttemptOutcome): void;
}

/** Keeps the keys of open attempts. `subject` names what is done to whom, such as `check-in:<child>:60`. */
export function createAttemptKeys(makeKey: () => string = makeUuid): AttemptKeys {
  const open = new Map<string, string>();
  return {
    keyFor(subject) {
      const key = open.get(subject) ?? makeKey();
      open.set(subject, key);
      return key;
    },
    settle(subject, outcome) {
      if (outcome === 'answered') open.delete(subject);
    },
  };
}

/** `crypto.randomUUID` where there is one: browsers give it to HTTPS and localhost only, a desk may be on neither. */
function makeUuid(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
