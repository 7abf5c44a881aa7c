/** Adults who asked that the cameras recognise them. */
import { type Kysely, sql } from 'kysely';

/** `dialect` decides the word for bytes. */
export function adultFaces(dialect: 'sqlite' | 'postgres') {
  const bytes = dialect === 'postgres' ? sql`bytea` : sql`blob`;

  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('adult_faces')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('account_kind', 'text', (c) => c.notNull())
        .addColumn('account_id', 'text', (c) => c.notNull())
        .addColumn('sealed', bytes)
        .addColumn('model', 'text')
        .addColumn('quality', 'double precision')
        .addColumn('problem', 'text')
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema
        .createIndex('adult_faces_account')
        .on('adult_faces')
        .columns(['account_kind', 'account_id'])
        .unique()
        .execute();
    },
  };
}
