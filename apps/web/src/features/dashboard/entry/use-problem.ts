/** What the form tells of an entry that did not succeed. */
import { useState } from 'react';
import type { EntryFailure } from './use-register-entry.ts';

export type EntryProblems = ReturnType<typeof useProblem>;

interface EntryProblem {
  /** No child was chosen. */
  isIncomplete: boolean;
  failures: readonly EntryFailure[];
}

const NO_PROBLEM: EntryProblem = { isIncomplete: false, failures: [] };

export function useProblem() {
  const [shown, show] = useState(NO_PROBLEM);
  return {
    shown,
    show,
    reset: () => show(NO_PROBLEM),
    complete: () => show((known) => ({ ...known, isIncomplete: false })),
    /** After a call: its failures, and those of children who were not part of it. */
    settle: (entered: ReadonlySet<string>, failures: readonly EntryFailure[]) =>
      show((known) => {
        const failed = new Set(failures.map(({ child }) => child._id));
        const others = known.failures.filter(({ child: { _id } }) => !entered.has(_id) && !failed.has(_id));
        return { isIncomplete: false, failures: [...others, ...failures] };
      }),
    drop: (id: string) =>
      show((known) => ({ ...known, failures: known.failures.filter(({ child }) => child._id !== id) })),
  };
}
