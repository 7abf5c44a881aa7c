/** The time of the last proof in each session. */
import { type Kysely, sql } from 'kysely';

export const proofs = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('sessions')
      .addColumn('proved_at', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
    // The sign-in was a proof.
    await sql`update sessions set proved_at = created_at`.execute(db);
  },
};
