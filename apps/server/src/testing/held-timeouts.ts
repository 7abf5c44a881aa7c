/** Time-outs of `AbortSignal.timeout` that a test ends itself, so that it need not wait for them. */
import { vi } from 'vitest';

export interface HeldTimeouts {
  /** Ends all time-outs of this length that have begun. Milliseconds. */
  end(ms: number): void;
}

/** Holds time-outs of these lengths (milliseconds) until `vi.restoreAllMocks()`; others run as usual. */
export function holdTimeouts(lengths: readonly number[]): HeldTimeouts {
  const real = AbortSignal.timeout.bind(AbortSignal);
  const held: { readonly ms: number; readonly controller: AbortController }[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    if (!lengths.includes(ms)) return real(ms);
    const controller = new AbortController();
    held.push({ ms, controller });
    return controller.signal;
  });
  return {
    end(ms) {
      for (const { controller } of held.filter((one) => one.ms === ms))
        controller.abort(new DOMException('The time is over', 'TimeoutError'));
    },
  };
}
