import { IDEMPOTENCY_KEY_HEADER } from '@haris/contract/constants';
import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { ApiError } from '../../../calls/api-error.ts';
import { attempt } from './stay-attempts.ts';

/** The key sent by an attempt that fails with this status; 0 stands for a network error. */
async function keyOf(subject: string, status: number): Promise<string | undefined> {
  let key: string | undefined;
  const refusal = new ApiError({ status, code: 'FETCH_ERROR', message: 'refused' });
  const answer = attempt(new QueryClient(), subject, (headers) => {
    key = headers[IDEMPOTENCY_KEY_HEADER];
    return Promise.reject(refusal);
  });
  await expect(answer).rejects.toBe(refusal);
  return key;
}

it.each([0, 500, 503, 507])(
  'status %i: nobody knows whether it was done, so the retry sends the same key',
  async (status) => {
    const first = await keyOf(`check-in:${status}`, status);
    expect(first).toBeDefined();
    expect(await keyOf(`check-in:${status}`, status)).toBe(first);
  },
);

it.each([400, 409, 429])('status %i is an answer: the next attempt sends another key', async (status) => {
  const first = await keyOf(`check-in:${status}`, status);
  expect(await keyOf(`check-in:${status}`, status)).not.toBe(first);
});
