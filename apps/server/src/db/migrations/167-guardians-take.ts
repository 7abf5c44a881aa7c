/**
 * The desk says of each guardian whether it may take the child home (decision 049). The first guardian of each child may, as before;
 * further ones may not until the desk says so. Releases remember which other guardians did not expect them.
 */
import { type Kysely, sql } from 'kysely';

export const guardiansTake = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('guardians')
      .addColumn('may_take', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    // Not one whom a restore has made the first one, and who has not accepted.
    await sql`update guardians set may_take = 1 where accepted_at is not null and ended_at is null
      and exists (select 1 from children where children.id = guardians.child_id and children.parent_id = guardians.parent_id)`.execute(
      db,
    );
    await db.schema
      .alterTable('releases')
      .addColumn('unexpected_also', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute();
  },
};
