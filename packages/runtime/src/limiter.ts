/**
 * Limits concurrency within one process: at most N tasks at a time, in order of arrival or by turns of those who ask.
 * Across several servers, use a lease in the database.
 */
import PQueue, { type Queue, type QueueAddOptions } from 'p-queue';

export interface Limiter {
  /** Queues `work` and settles with its result. A failure does not stop the work behind it. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Number of running and waiting tasks. */
  readonly size: number;
}

/** Runs at most `atOnce` tasks at a time; with 1 it is a mutex. */
export function createLimiter(atOnce: number): Limiter {
  const queue = new PQueue({ concurrency: atOnce });
  return {
    run: <T>(work: () => Promise<T>): Promise<T> => queue.add<T>(work) as Promise<T>,
    get size() {
      return queue.size + queue.pending;
    },
  };
}

/** Runs `work` after all earlier work with this key. Work with other keys runs independently. */
export type KeyedMutex = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Keys without work are removed. */
export function createKeyedMutex(): KeyedMutex {
  const mutexes = new Map<string, Limiter>();
  return async (key, work) => {
    const mutex = mutexes.get(key) ?? createLimiter(1);
    mutexes.set(key, mutex);
    try {
      return await mutex.run(work);
    } finally {
      if (mutex.size === 0) mutexes.delete(key);
    }
  };
}

/** How much of one rank may run and wait. */
export interface RankLimit {
  /** For one key. */
  readonly perKey: number;
  readonly inAll: number;
}

/** The place of a task: a smaller rank goes first, and within a rank the keys take turns. */
export interface Turn {
  readonly rank: number;
  readonly key: string;
}

/** Too much of this key or rank runs or waits already. */
export class NoRoomError extends Error {
  override name = 'NoRoomError';
}

export interface FairLimiter {
  /** Queues `work` and settles with its result. Throws {@link NoRoomError} beyond the limit of the rank. */
  run<T>(turn: Turn, work: () => Promise<T>): Promise<T>;
}

/** Runs at most `atOnce` tasks at a time, whose keys take turns. `limits`: one for each rank, the first goes first. */
export function createFairLimiter(atOnce: number, limits: readonly RankLimit[]): FairLimiter {
  const queue = new PQueue<TakingTurns, TurnOptions>({ concurrency: atOnce, queueClass: TakingTurns });
  /** Running and waiting tasks by rank and key. */
  const inside = new Map<number, Map<string, number>>();
  return {
    async run({ rank, key }, work) {
      const limit = limits[rank];
      const mine = inside.get(rank) ?? new Map<string, number>();
      const count = mine.get(key) ?? 0;
      const all = [...mine.values()].reduce((sum, one) => sum + one, 0);
      if (!limit || count >= limit.perKey || all >= limit.inAll) throw new NoRoomError();
      inside.set(rank, mine.set(key, count + 1));
      try {
        return (await queue.add(work, { rank, key })) as Awaited<ReturnType<typeof work>>;
      } finally {
        const left = (mine.get(key) ?? 1) - 1;
        if (left > 0) mine.set(key, left);
        else mine.delete(key);
      }
    },
  };
}

type Task = () => Promise<unknown>;

interface TurnOptions extends QueueAddOptions {
  readonly rank: number;
  readonly key: string;
}

/** Waiting tasks of one key in a rank, in order of arrival. */
interface Line {
  readonly rank: number;
  readonly key: string;
  readonly tasks: Task[];
  /** Number of the turn in which it was served last; 0: not yet. */
  servedAt: number;
}

/** Order of a {@link createFairLimiter}: the smallest rank, there the key that was served longest ago, there the oldest task. */
class TakingTurns implements Queue<Task, TurnOptions> {
  /** Only lines with waiting tasks, in order of arrival. */
  #lines: Line[] = [];
  #served = 0;
  /** The key that was served last, which is behind all others even if none of it waits. */
  #last: Line | undefined;

  get size(): number {
    return this.#lines.reduce((sum, { tasks }) => sum + tasks.length, 0);
  }

  enqueue(task: Task, { rank = 0, key = '' }: Partial<TurnOptions> = {}): void {
    const isOf = (line: Line): boolean => line.rank === rank && line.key === key;
    const line = this.#lines.find(isOf);
    if (line) line.tasks.push(task);
    else {
      const servedAt = this.#last && isOf(this.#last) ? this.#last.servedAt : 0;
      this.#lines.push({ rank, key, tasks: [task], servedAt });
    }
  }

  dequeue(): Task | undefined {
    const next = this.#lines.reduce<Line | undefined>(
      (best, line) =>
        !best || line.rank < best.rank || (line.rank === best.rank && line.servedAt < best.servedAt)
          ? line
          : best,
      undefined,
    );
    if (!next) return undefined;
    this.#served++;
    next.servedAt = this.#served;
    this.#last = next;
    const task = next.tasks.shift();
    if (next.tasks.length === 0) this.#lines = this.#lines.filter((line) => line !== next);
    return task;
  }

  filter(): Task[] {
    return this.#lines.flatMap(({ tasks }) => tasks);
  }

  /** Ranks do not change. */
  setPriority(): void {}

  /** Nothing is taken out of the queue. */
  remove(): void {}
}
