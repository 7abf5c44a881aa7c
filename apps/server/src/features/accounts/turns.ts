/** Lets work for the same key run one after the other within this process. */

export type TakeTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Keys are forgotten when nobody waits for them any more. */
export function createTurns(): TakeTurn {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine.catch(() => undefined);
    last.set(key, settled);
    void settled.then(() => {
      if (last.get(key) === settled) last.delete(key);
    });
    return mine;
  };
}
