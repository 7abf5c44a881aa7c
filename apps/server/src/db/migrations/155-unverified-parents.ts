/** Finds the accounts whose e-mail is not verified among all others. */
import { type Kysely, sql } from 'kysely';

export const unverifiedParents = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index parents_unverified on parents (created_at) where email_verified = 0`.execute(db);
  },
};
