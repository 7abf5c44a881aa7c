import { MutationObserver, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { createQueryClient, keys, refetchStale } from './query-client.ts';

it('unused data is kept as long as the specification says', () => {
  expect(createQueryClient().getDefaultOptions().queries?.gcTime).toBe(60_000);
});

it('a change during the first read of a list is read after it', async () => {
  const client = createQueryClient();
  const answers: ((list: string) => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: [keys.incidents, 'open'],
    queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
  });
  const stop = observer.subscribe(() => {});
  const refetched = refetchStale(client, [keys.incidents]);
  answers[0]?.('before the change');
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.('after the change');
  await refetched;
  expect(observer.getCurrentResult().data).toBe('after the change');
  stop();
});

it.each([
  ['was answered', async () => 'done'],
  ['failed', () => Promise.reject(new Error('refused'))],
])('what a call that %s was sent with is gone once nobody shows it', async (_, mutationFn) => {
  const client = createQueryClient();
  const call = new MutationObserver<string, Error, { password: string }>(client, { mutationFn });
  const leave = call.subscribe(() => {});
  await call.mutate({ password: 'a-secret' }).catch(() => {});
  expect(
    JSON.stringify(
      client
        .getMutationCache()
        .getAll()
        .map(({ state }) => state),
    ),
  ).toContain('a-secret');
  leave();
  await expect.poll(() => client.getMutationCache().getAll()).toEqual([]);
});

it('a call that nobody waits for any more is still carried out', async () => {
  const client = createQueryClient();
  let answer = (_: string) => {};
  const answered: string[] = [];
  const call = new MutationObserver<string, Error, { pin: string }>(client, {
    mutationFn: () => new Promise<string>((resolve) => (answer = resolve)),
    onSuccess: (text) => void answered.push(text),
  });
  const leave = call.subscribe(() => {});
  const done = call.mutate({ pin: '830561' });
  leave();
  await expect.poll(() => client.isMutating()).toBe(1);
  answer('late');
  await done;
  expect(answered).toEqual(['late']);
  await expect.poll(() => client.getMutationCache().getAll()).toEqual([]);
});
