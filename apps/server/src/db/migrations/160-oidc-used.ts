/** A link says when its person last signed in at the provider, and whether with a second factor there (decision 046). */
import { type Kysely, sql } from 'kysely';

export const oidcUsed = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('oidc_links').addColumn('used_at', 'bigint').execute();
    await db.schema
      .alterTable('oidc_links')
      .addColumn('used_factor', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    // Nobody knows when the people of existing links signed in: each has the whole time from now on.
    await sql`update oidc_links set used_at = ${Date.now()}`.execute(db);
  },
};
