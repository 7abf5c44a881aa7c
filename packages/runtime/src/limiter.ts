/**
 * Limits concurrency within one process: at most N tasks at a time, in order of arrival. Across several servers, use
 * a lease in the database.
 */
import PQueue from 'p-queue';

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
