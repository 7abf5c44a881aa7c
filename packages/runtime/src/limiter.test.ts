import { expect, it } from 'vitest';
import { createFairLimiter, createKeyedMutex, createLimiter, NoRoomError } from './limiter.ts';

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

/** Queues works named by rank, key and number, and ends each as soon as it has started; returns the order of starts. */
async function orderOf(
  names: readonly string[],
  later: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const limiter = createFairLimiter(1, [
    { perKey: 9, inAll: 9 },
    { perKey: 9, inAll: 9 },
  ]);
  const started: string[] = [];
  const all: Promise<void>[] = [];
  const queue = (name: string): void => {
    const work = async (): Promise<void> => {
      started.push(name);
      const next = later[name];
      if (next !== undefined) queue(next);
    };
    all.push(limiter.run({ rank: Number(name[0]), key: String(name[1]) }, work));
  };
  for (const name of names) queue(name);
  for (let i = 0; i < all.length; i++) await all[i];
  return started;
}

it('lets keys take turns, however many works of one wait', async () => {
  const order = await orderOf(['0a1', '0a2', '0a3', '0a4', '0b1', '0b2', '0c1']);
  expect(order).toEqual(['0a1', '0b1', '0c1', '0a2', '0b2', '0a3', '0a4']);
});

it('puts a key that was served just now behind one that comes later', async () => {
  const order = await orderOf(['0a1', '0b1'], { '0a1': '0a2', '0b1': '0c1' });
  expect(order).toEqual(['0a1', '0b1', '0c1', '0a2']);
});

it('lets a better rank go first, whenever it comes', async () => {
  const order = await orderOf(['1a1', '1a2', '1b1', '0c1'], { '0c1': '0d1' });
  expect(order).toEqual(['1a1', '0c1', '0d1', '1b1', '1a2']);
});

it('refuses what is beyond the limit of a key or a rank, and has room again after a work, also a failed one', async () => {
  const limiter = createFairLimiter(1, [
    { perKey: 2, inAll: 3 },
    { perKey: 1, inAll: 1 },
  ]);
  const started: string[] = [];
  const works = ['a', 'b', 'c', 'd', 'e'].map((name) => makeWork(started, name));
  const [a, b, c, d, e] = works;
  if (!a || !b || !c || !d || !e) throw new Error('five works');
  const first = limiter.run({ rank: 0, key: 'x' }, a.work);
  const second = limiter.run({ rank: 0, key: 'x' }, b.work);
  await expect(limiter.run({ rank: 0, key: 'x' }, c.work)).rejects.toThrow(NoRoomError);
  const third = limiter.run({ rank: 0, key: 'y' }, c.work);
  await expect(limiter.run({ rank: 0, key: 'z' }, d.work)).rejects.toThrow(NoRoomError);
  const other = limiter.run({ rank: 1, key: 'x' }, e.work);
  await expect(limiter.run({ rank: 1, key: 'y' }, d.work)).rejects.toThrow(NoRoomError);
  a.fail();
  await expect(first).rejects.toThrow('a');
  const fourth = limiter.run({ rank: 0, key: 'z' }, d.work);
  for (const work of [b, c, d, e]) work.end();
  expect(await Promise.all([second, third, fourth, other])).toEqual(['b', 'c', 'd', 'e']);
  expect(started).toEqual(['a', 'c', 'd', 'b', 'e']);
});
