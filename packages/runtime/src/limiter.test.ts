import { expect, it } from 'vitest';
import { createKeyedMutex, createLimiter } from './limiter.ts';

/** Work that runs until told to end, and records its start. */
function makeWork(started: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const work = (): Promise<string> => {
    started.push(name);
    return promise;
  };
  return { work, end: () => resolve(name), fail: () => reject(new Error(name)) };
}

/** Lets all ready work run. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('runs at most N works at a time, in order of arrival', async () => {
  const started: string[] = [];
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => makeWork(started, name));
  if (!a || !b || !c || !d) throw new Error('four works');
  const limiter = createLimiter(2);
  const all = [a, b, c, d].map(({ work }) => limiter.run(work));
  await settle();
  expect(started).toEqual(['a', 'b']);
  expect(limiter.size).toBe(4);
  b.end();
  await settle();
  expect(started).toEqual(['a', 'b', 'c']);
  for (const { end } of [a, c, d]) end();
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  expect(limiter.size).toBe(0);
});

it('goes on after a failure, which only its own caller sees', async () => {
  const started: string[] = [];
  const limiter = createLimiter(1);
  const bad = makeWork(started, 'bad');
  const good = makeWork(started, 'good');
  const failing = limiter.run(bad.work);
  const succeeding = limiter.run(good.work);
  bad.fail();
  good.end();
  await expect(failing).rejects.toThrow('bad');
  expect(await succeeding).toBe('good');
});

it('makes works of one key wait for each other, and no others', async () => {
  const started: string[] = [];
  const mutex = createKeyedMutex();
  const first = makeWork(started, 'key 1, first');
  const second = makeWork(started, 'key 1, second');
  const other = makeWork(started, 'key 2');
  const all = [mutex('1', first.work), mutex('1', second.work), mutex('2', other.work)];
  await settle();
  expect(started).toEqual(['key 1, first', 'key 2']);
  first.end();
  await settle();
  expect(started.at(-1)).toBe('key 1, second');
  // Queued after the first had ended, but it still waits for the second.
  const third = makeWork(started, 'key 1, third');
  all.push(mutex('1', third.work));
  await settle();
  expect(started).not.toContain('key 1, third');
  for (const { end } of [second, third, other]) end();
  await Promise.all(all);
  expect(started.at(-1)).toBe('key 1, third');
});
