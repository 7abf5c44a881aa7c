/** Photos as rows. The sealed bytes are in a separate table, so that lists of photos do not read them. */
import { type Kysely, sql } from 'kysely';

/** `dialect` decides the word for bytes, and how PostgreSQL stores them. */
export function photoBodies(dialect: 'sqlite' | 'postgres') {
  const bytes = dialect === 'postgres' ? sql`bytea` : sql`blob`;

  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('photo_bodies')
        .addColumn('photo_id', 'text', (c) => c.primaryKey().references('photos.id').onDelete('cascade'))
        .addColumn('sealed', bytes, (c) => c.notNull())
        .execute();
      // Ciphertext cannot be compressed: PostgreSQL need not try.
      if (dialect === 'postgres')
        await sql`alter table photo_bodies alter column sealed set storage external`.execute(db);
    },
  };
}
