/**
 * Asks for a proof when a call needs one (contract §6). All waiting calls share one dialog, shown by
 * app/proof-of-session.tsx.
 */
import type { ProofMethod } from '@haris/contract/errors';
import { useSyncExternalStore } from 'react';
import { subscribeToken } from './token-store.ts';

/** `declined`: the person chose not to go on; `impossible`: nobody could be asked any longer. */
export type ProofOutcome = 'proved' | 'declined' | 'impossible';

interface Question {
  readonly methods: readonly ProofMethod[];
  readonly answered: Promise<ProofOutcome>;
  readonly settle: (outcome: ProofOutcome) => void;
}

let question: Question | null = null;
const listeners = new Set<() => void>();

function put(next: Question | null): void {
  question = next;
  for (const listener of listeners) listener();
}

function ask(methods: readonly ProofMethod[]): Question {
  let settle: (outcome: ProofOutcome) => void = () => {};
  const answered = new Promise<ProofOutcome>((resolve) => {
    settle = resolve;
  });
  return { methods, answered, settle };
}

/**
 * Asks in one of the ways that the account can prove. Resolves to `impossible` if `signal` aborted the waiting call.
 */
export function askForProof(
  methods: readonly ProofMethod[],
  signal: AbortSignal | undefined,
): Promise<ProofOutcome> {
  const asked = question ?? ask(methods);
  if (question === null) put(asked);
  const cancel = () => settleProof('impossible');
  signal?.addEventListener('abort', cancel, { once: true });
  return asked.answered.finally(() => signal?.removeEventListener('abort', cancel));
}

/** Continues the waiting calls. */
export function settleProof(outcome: ProofOutcome): void {
  const settled = question;
  if (settled === null) return;
  put(null);
  settled.settle(outcome);
}

// The next person at this device must not confirm what this one began.
subscribeToken(() => settleProof('impossible'));

/** How the waiting call can be proven; null while none waits. */
export function useProofAsked(): readonly ProofMethod[] | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    () => question?.methods ?? null,
  );
}
