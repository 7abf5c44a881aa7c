/** Does one job after the other, so that two photos never share a network's input. */

export interface Queue {
  /** Does `job` when all earlier ones have ended, also when those failed. */
  add<T>(job: () => Promise<T>): Promise<T>;
}

export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    add(job) {
      const mine = last.then(job);
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}
