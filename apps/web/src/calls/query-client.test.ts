import { QueryObserver } from '@tanstack/react-query';
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
