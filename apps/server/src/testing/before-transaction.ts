/** What happens between the check of a call and its writing. */
import type { Kysely } from 'kysely';
import { vi } from 'vitest';
import type { Database } from '../db/schema.ts';

/**
 * Calls back once, right before the next transaction begins, or the first for which `isTime` says so. One that begins
 * meanwhile waits too. `work` and `isTime` begin no transaction themselves. It ends with `vi.restoreAllMocks()`. `settled`
 * resolves once `work` is done, if it has begun: one of the server's own transactions may have set it off.
 */
export function beforeTransaction(
  db: Kysely<Database>,
  work: () => Promise<void>,
  isTime: () => Promise<boolean> = async () => true,
): { hasBegun(): boolean; settled(): Promise<void> } {
  const transaction = db.transaction.bind(db);
  let done: Promise<void> | undefined;
  vi.spyOn(db, 'transaction').mockImplementation(() => {
    const builder = transaction();
    const execute = builder.execute.bind(builder);
    builder.execute = async (run) => {
      if (done === undefined && (await isTime())) done ??= work();
      await done;
      return execute(run);
    };
    return builder;
  });
  return {
    hasBegun: () => done !== undefined,
    settled: async () => done,
  };
}
