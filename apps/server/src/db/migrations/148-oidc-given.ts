/** A link says at which facilities the provider gave the roles, so that no other role is taken away (decision 046). */
import { type Kysely, sql } from 'kysely';

export const oidcGiven = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('oidc_links')
      .addColumn('given', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute();
    // Until now, claims gave roles at this facility only.
    await sql`update oidc_links set given = '["main"]'`.execute(db);
  },
};
