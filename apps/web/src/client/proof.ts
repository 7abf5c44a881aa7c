/**
 * Asks whoever sits here for a proof when a call wants one (contract §6): one question for all calls that wait. Knows no
 * screen; app/proof-of-session.tsx shows the question.
 */
import { useSyncExternalStore } from 'react';

interface Question {
  readonly answered: Promise<boolean>;
  readonly settle: (proved: boolean) => void;
}

let question: Question | null = null;
const listeners = new Set<() => void>();

function put(next: Question | null): void {
  question = next;
  for (const listener of listeners) listener();
}

function ask(): Question {
  let settle: (proved: boolean) => void = () => {};
  const answered = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  return { answered, settle };
}

/** Resolves to whether the proof was given. False as well when `signal` ends the call that waits. */
export function askForProof(signal: AbortSignal | undefined): Promise<boolean> {
  const asked = question ?? ask();
  if (question === null) put(asked);
  const cancel = () => settleProof(false);
  signal?.addEventListener('abort', cancel, { once: true });
  return asked.answered.finally(() => signal?.removeEventListener('abort', cancel));
}

/** The proof was given, or the person does not want to give it: the waiting calls go on. */
export function settleProof(proved: boolean): void {
  const settled = question;
  if (settled === null) return;
  put(null);
  settled.settle(proved);
}

/** True while a call waits for a proof. */
export function useProofAsked(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    () => question !== null,
  );
}
