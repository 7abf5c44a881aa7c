/**
 * Asks for a proof when a call needs one (contract §6). All waiting calls share one dialog, shown by
 * app/proof-of-session.tsx.
 */
import type { ProofMethod } from '@haris/contract/errors';
import { useSyncExternalStore } from 'react';
import { subscribeToken } from './token-store.ts';

interface Question {
  readonly methods: readonly ProofMethod[];
  readonly answered: Promise<boolean>;
  readonly settle: (proved: boolean) => void;
}

let question: Question | null = null;
const listeners = new Set<() => void>();

function put(next: Question | null): void {
  question = next;
  for (const listener of listeners) listener();
}

function ask(methods: readonly ProofMethod[]): Question {
  let settle: (proved: boolean) => void = () => {};
  const answered = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  return { methods, answered, settle };
}

/**
 * Asks in one of the ways that the account can prove. Resolves to true if the proof was given, to false if it was declined
 * or `signal` aborted the waiting call.
 */
export function askForProof(
  methods: readonly ProofMethod[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const asked = question ?? ask(methods);
  if (question === null) put(asked);
  const cancel = () => settleProof(false);
  signal?.addEventListener('abort', cancel, { once: true });
  return asked.answered.finally(() => signal?.removeEventListener('abort', cancel));
}

/** Continues the waiting calls after the proof was given or declined. */
export function settleProof(proved: boolean): void {
  const settled = question;
  if (settled === null) return;
  put(null);
  settled.settle(proved);
}

// The next person at this device must not confirm what this one began.
subscribeToken(() => settleProof(false));

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
