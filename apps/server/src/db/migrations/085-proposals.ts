/** Changes by parents that staff have not confirmed yet. Older data has no row here and counts as confirmed. */
import { type Kysely, sql } from 'kysely';

/** `dialect` decides the word for bytes. */
export function proposals(dialect: 'sqlite' | 'postgres') {
  const bytes = dialect === 'postgres' ? sql`bytea` : sql`blob`;

  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('proposals')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('subject_kind', 'text', (c) => c.notNull())
        .addColumn('subject_id', 'text', (c) => c.notNull())
        .addColumn('field', 'text', (c) => c.notNull())
        // Empty if only one proposal for the field can wait; the row's own id if several can.
        .addColumn('slot', 'text', (c) => c.notNull())
        .addColumn('value', 'text')
        .addColumn('photo_id', 'text')
        .addColumn('sealed', bytes)
        .addColumn('model', 'text')
        .addColumn('quality', 'double precision')
        .addColumn('by_id', 'text', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema
        .createIndex('proposals_subject')
        .on('proposals')
        .columns(['subject_kind', 'subject_id', 'field', 'slot'])
        .unique()
        .execute();
    },
  };
}
