/** Leases: work that of several servers on one database one does at a time. */
import type { Kysely } from 'kysely';
import type { Database } from './schema.ts';

/** Takes or keeps a lease for `ms` from `now` on; false while another holder has it. */
export async function holdLease(
  db: Kysely<Database>,
  name: string,
  holder: string,
  now: number,
  ms: number,
): Promise<boolean> {
  const row = await db
    .insertInto('leases')
    .values({ name, holder, until: now + ms })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder, until: now + ms })
        .where((eb) => eb.or([eb('leases.holder', '=', holder), eb('leases.until', '<=', now)])),
    )
    .returning('name')
    .executeTakeFirst();
  return row !== undefined;
}

/** Gives it back, where this holder has it. */
export async function releaseLease(db: Kysely<Database>, name: string, holder: string): Promise<void> {
  await db.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute();
}
