/** A lane claims while there is room, and reacts to every kick. */
import { describe, expect, test } from 'vitest';
import { openLane } from './lane.ts';

/** A lane over waiting numbers, whose jobs the test completes itself. */
function makeLane(atOnce: number) {
  const waiting: number[] = [];
  const running = new Map<number, () => void>();
  const done: number[] = [];
  const failures: unknown[] = [];
  let breaks = false;
  const lane = openLane<number>({
    atOnce,
    async claim() {
      if (breaks) throw new Error('no database');
      return waiting.shift();
    },
    work: (job) =>
      new Promise((resolve) =>
        running.set(job, () => {
          running.delete(job);
          done.push(job);
          resolve();
        }),
      ),
    fail: (error) => failures.push(error),
  });
  return {
    lane,
    waiting,
    running,
    done,
    failures,
    setBroken(is: boolean) {
      breaks = is;
    },
  };
}
/** Lets all pending promise callbacks run. */
const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('a lane', () => {
  test('works on as many jobs at once as it has room for, and on the next when one ends', async () => {
    const { lane, waiting, running, done } = makeLane(2);
    waiting.push(1, 2, 3, 4);
    lane.kick();
    await soon();
    expect([...running.keys()]).toEqual([1, 2]);
    running.get(2)?.();
    await soon();
    // The slow first job delays no other.
    expect([...running.keys()]).toEqual([1, 3]);
    for (const job of [3, 1, 4]) {
      running.get(job)?.();
      await soon();
    }
    await lane.idle();
    expect(done).toEqual([2, 3, 1, 4]);
  });

  test('answers a kick that comes at any moment of a claim', async () => {
    for (let delay = 0; delay < 12; delay++) {
      const { lane, waiting, running } = makeLane(1);
      lane.kick();
      for (let turn = 0; turn < delay; turn++) await Promise.resolve();
      waiting.push(1);
      lane.kick();
      await soon();
      expect(running.has(1), `kicked after ${delay} microtasks`).toBe(true);
    }
  });

  test('rests after a claim that failed, and claims again at the next kick', async () => {
    const { lane, waiting, running, failures, setBroken } = makeLane(1);
    setBroken(true);
    waiting.push(1);
    lane.kick();
    await lane.idle();
    expect(failures).toHaveLength(1);
    setBroken(false);
    lane.kick();
    await soon();
    expect(running.has(1)).toBe(true);
  });

  test('claims nothing once it is closed, and is idle when the job in progress has ended', async () => {
    const { lane, waiting, running, done } = makeLane(1);
    waiting.push(1, 2);
    lane.kick();
    await soon();
    lane.close();
    running.get(1)?.();
    lane.kick();
    await lane.idle();
    expect([done, waiting]).toEqual([[1], [2]]);
  });
});
