import { TOAST_LIMIT } from '@haris/contract/constants';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { toast, useToasterStore } from 'react-hot-toast';
import { afterEach, expect, test } from 'vitest';
import { notifyError, toastDurations } from './toast.ts';

afterEach(() => toast.remove());

/** Number of toasts that the page holds now. */
function kept(): number {
  let count = 0;
  renderToString(
    createElement(function Probe() {
      count = useToasterStore().toasts.length;
      return null;
    }),
  );
  return count;
}

test('each kind stays as long as the specification says', () => {
  const { duration, success, error, loading } = toastDurations;
  expect([duration, success.duration, error.duration, loading.duration]).toEqual([
    4000,
    2000,
    4000,
    Number.POSITIVE_INFINITY,
  ]);
});

test('at most as many toasts are kept as the specification says', () => {
  for (let n = 1; n <= TOAST_LIMIT + 5; n++) notifyError(`failure ${n}`);
  expect(kept()).toBe(TOAST_LIMIT);
});
