/** Checkout by one press, which asks who takes the child where that is known or required. */
import type { Child } from '@haris/contract/objects';
import { ApiError } from '../../../calls/api-error.ts';
import { showFailure } from '../../../calls/failure.ts';
import { dialogs } from '../dialogs.ts';
import { type Leaving, useRelease } from '../undo/use-release.ts';

interface PressedCheckOut {
  /** The text of a slip that was scanned, which proves the hand-over. */
  readonly slip?: string | undefined;
  readonly onSuccess?: () => void;
  readonly onSettled?: () => void;
}

/** Opens the dialog of the hand-over. */
function ask({ child, slip }: Leaving): void {
  dialogs.handOver({ child, ...(slip !== undefined && { slip }) });
}

/**
 * Checks a child out by one press. Where the desk must say who takes the child, or can, it opens the dialog of the
 * hand-over instead.
 */
export function useCheckOut() {
  const { mutate, isPending } = useRelease((error, leaving) => {
    if (error instanceof ApiError && error.code === 'collector_required') ask(leaving);
    else showFailure(error);
  });
  return {
    isPending,
    mutate(child: Child, { slip, onSuccess, onSettled }: PressedCheckOut = {}) {
      const leaving = { child, slip };
      if (child.asksTaker) {
        ask(leaving);
        onSettled?.();
        return;
      }
      mutate(leaving, { onSuccess: () => onSuccess?.(), onSettled: () => onSettled?.() });
    },
  };
}
