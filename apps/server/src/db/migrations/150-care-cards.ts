/** Care cards of children, and which version of a card the staff of a facility have seen (decision 050). */
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

export const careCards = (dialect: Dialect) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const bytes = dialect === 'postgres' ? sql`bytea` : sql`blob`;
    await db.schema
      .createTable('care_cards')
      .addColumn('child_id', 'text', (c) => c.primaryKey().references('children.id').onDelete('cascade'))
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('parent_version', 'integer', (c) => c.notNull())
      .addColumn('sealed', bytes, (c) => c.notNull())
      .addColumn('sign', bytes, (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_by', 'text', (c) => c.notNull())
      .execute();
    await db.schema
      .alterTable('child_facilities')
      .addColumn('care_seen', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    if (dialect === 'postgres') await protect(db);
  },
});

/** A card is visible where its child is: the policy of children decides in the subquery. */
async function protect(db: Kysely<unknown>): Promise<void> {
  await sql`alter table care_cards enable row level security`.execute(db);
  await sql`alter table care_cards force row level security`.execute(db);
  await sql`create policy facility on care_cards
    using ((select coalesce(current_setting('haris.facility', true), '')) = ''
      or exists (select 1 from children where children.id = care_cards.child_id))`.execute(db);
}
