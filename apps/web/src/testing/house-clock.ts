/** Clock controlled by a page test: the wall clock and the page's intervals. Responses to calls arrive as usual. */
import { act } from '@testing-library/react';
import { vi } from 'vitest';

/** Fakes `Date` and intervals until the test ends; `pass` advances them. Call it before the page is opened. */
export function stopClock(): { pass: (ms: number) => Promise<void> } {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], shouldAdvanceTime: true });
  return {
    async pass(ms) {
      await act(async () => {
        await vi.advanceTimersByTimeAsync(ms);
      });
    },
  };
}
