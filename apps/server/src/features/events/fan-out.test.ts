/** The reader of events for all streams, while events are added and streams open, lag and close. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FanOut, type Outlet, openFanOut, type Page } from './fan-out.ts';

const PAGE = 5;
const LAGS_BEHIND = 256 * 1024 + 1;

interface Row {
  readonly id: number;
  readonly owner: string;
}

/** A stream of `who`; `all` sees everything. */
class Client implements Outlet<string> {
  readonly who: string;
  readonly from: number;
  readonly got: number[] = [];
  lagging = false;
  ended = false;
  leave = (): void => {};
  #taken: (() => void)[] = [];

  constructor(who: string, from: number) {
    this.who = who;
    this.from = from;
  }
  write(text: string): void {
    this.got.push(...text.split(' ').filter(Boolean).map(Number));
  }
  waiting = (): number => (this.lagging ? LAGS_BEHIND : 0);
  taken(): Promise<boolean> {
    return new Promise((resolve) => this.#taken.push(() => resolve(true)));
  }
  catchesUp(): void {
    this.lagging = false;
    for (const resolve of this.#taken.splice(0)) resolve();
  }
  end(): void {
    this.ended = true;
  }
}

/** Steps that change the events and the streams, in order. */
const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('commit' as const), owner: fc.constantFrom('a', 'b') }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('open' as const),
        who: fc.constantFrom('a', 'b', 'all'),
        back: fc.nat({ max: 12 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('lag', 'catch up', 'close'), which: fc.nat() }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), turns: fc.nat({ max: 6 }) }) },
  ),
  { maxLength: 60 },
);

test('each stream is told each event that is its to know once and in order, whenever it joins, lags or returns', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), steps, async (scheduler, todo) => {
      const log: Row[] = [];
      const clients: Client[] = [];
      const readAfter = async (after: number, who?: string): Promise<Page<string>> => {
        await scheduler.schedule(Promise.resolve(), 'asked');
        const rows = log
          .filter(({ id, owner }) => id > after && (who === undefined || who === 'all' || who === owner))
          .slice(0, PAGE);
        await scheduler.schedule(Promise.resolve(), 'answered');
        return {
          lastId: rows.at(-1)?.id ?? after,
          isFull: rows.length === PAGE,
          events: rows.map(({ id, owner }) => ({
            id,
            textFor: (one) => (one === 'all' || one === owner ? `${id} ` : null),
          })),
        };
      };
      const fanOut: FanOut<string> = openFanOut({
        readAfter,
        onFailure: (error) => {
          throw error;
        },
      });
      for (const step of todo) {
        if (step.do === 'commit') {
          // Ids have gaps: a transaction that was rolled back took one.
          log.push({ id: (log.at(-1)?.id ?? 0) + (log.length % 3) + 1, owner: step.owner });
          fanOut.wake();
        } else if (step.do === 'open') {
          const newest = log.at(-1)?.id ?? 0;
          const client = new Client(step.who, Math.max(0, newest - step.back));
          clients.push(client);
          client.leave = fanOut.open(client, client.from, newest);
        } else if (step.do === 'wait') {
          for (let turn = 0; turn < step.turns && scheduler.count() > 0; turn++) await scheduler.waitNext(1);
        } else if (clients.length > 0) {
          const client = clients[step.which % clients.length] as Client;
          if (step.do === 'lag') client.lagging = true;
          else if (step.do === 'catch up') client.catchesUp();
          else {
            client.leave();
            client.ended = true;
          }
        }
      }
      for (const client of clients) client.catchesUp();
      fanOut.wake();
      await scheduler.waitIdle();
      for (const client of clients) {
        const due = log
          .filter(({ id, owner }) => id > client.from && (client.who === 'all' || client.who === owner))
          .map(({ id }) => id);
        if (client.ended) expect(client.got).toEqual(due.slice(0, client.got.length));
        else expect(client.got).toEqual(due);
      }
    }),
    { numRuns: 400 },
  );
});

test('one read serves all streams, and one that does not take what it is told gets no more of it', async () => {
  const log: number[] = [];
  let reads = 0;
  const fanOut = openFanOut<string>({
    async readAfter(after) {
      reads++;
      const rows = log.filter((id) => id > after).slice(0, PAGE);
      return {
        lastId: rows.at(-1) ?? after,
        isFull: rows.length === PAGE,
        events: rows.map((id) => ({ id, textFor: () => `${id} ` })),
      };
    },
    onFailure: (error) => {
      throw error;
    },
  });
  const clients = Array.from({ length: 100 }, () => new Client('all', 0));
  for (const client of clients) fanOut.open(client, 0, 0);
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  await settled();
  reads = 0;
  log.push(1);
  fanOut.wake();
  await settled();
  expect(reads).toBe(1);
  expect(clients.every(({ got }) => got.length === 1)).toBe(true);
  const [slow] = clients as [Client];
  slow.lagging = true;
  for (let id = 2; id <= 40; id++) {
    log.push(id);
    fanOut.wake();
    await settled();
  }
  // Only the message that exceeded the limit, and no later one.
  expect(slow.got).toEqual([1, 2]);
  expect(clients[1]?.got).toHaveLength(40);
  slow.catchesUp();
  await settled();
  expect(slow.got).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
});

test('a log that cannot be read ends the streams that were told by it', async () => {
  const failures: unknown[] = [];
  const fanOut = openFanOut<string>({
    readAfter: async () => {
      throw new Error('away');
    },
    onFailure: (error) => failures.push(error),
  });
  const client = new Client('all', 0);
  fanOut.open(client, 0, 0);
  await expect.poll(() => client.ended).toBe(true);
  expect(failures).toHaveLength(1);
});
