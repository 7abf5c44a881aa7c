/** Cameras, the devices that are cameras, and who was seen by them. */
import { type Kysely, sql } from 'kysely';

/** `dialect` decides the few words that differ: bytes, and byte-wise order of text. */
export function camerasAndSightings(dialect: 'sqlite' | 'postgres') {
  const bytes = dialect === 'postgres' ? sql`bytea` : sql`blob`;
  const orderedText = dialect === 'postgres' ? sql`text collate "C"` : sql`text`;

  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('cameras')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('area', 'text', (c) => c.notNull())
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('address_sealed', bytes)
        .addColumn('zones', 'text', (c) => c.notNull())
        .addColumn('enabled', 'integer', (c) => c.notNull())
        .addColumn('sort_name', orderedText, (c) => c.notNull())
        .addColumn('search_text', 'text', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema.createIndex('cameras_order').on('cameras').columns(['sort_name', 'id']).execute();

      await db.schema
        .createTable('camera_pairings')
        .addColumn('camera_id', 'text', (c) => c.primaryKey().references('cameras.id').onDelete('cascade'))
        .addColumn('code_mac', 'text', (c) => c.notNull().unique())
        .addColumn('expires_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema
        .createTable('camera_devices')
        .addColumn('camera_id', 'text', (c) => c.primaryKey().references('cameras.id').onDelete('cascade'))
        .addColumn('token_hash', 'text', (c) => c.notNull().unique())
        .addColumn('connection', 'text')
        .addColumn('paired_at', 'bigint', (c) => c.notNull())
        .execute();

      await db.schema
        .createTable('sightings')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('child_id', 'text', (c) => c.notNull().references('children.id').onDelete('cascade'))
        .addColumn('camera_id', 'text', (c) => c.notNull().references('cameras.id').onDelete('cascade'))
        .addColumn('area', 'text', (c) => c.notNull())
        .addColumn('track', 'text', (c) => c.notNull())
        .addColumn('from_at', 'bigint', (c) => c.notNull())
        .addColumn('to_at', 'bigint', (c) => c.notNull())
        .addColumn('confidence', 'double precision', (c) => c.notNull())
        .execute();
      await db.schema
        .createIndex('sightings_track')
        .on('sightings')
        .columns(['camera_id', 'child_id', 'track'])
        .unique()
        .execute();
      await db.schema.createIndex('sightings_order').on('sightings').columns(['from_at', 'id']).execute();
      await db.schema.createIndex('sightings_child').on('sightings').columns(['child_id', 'to_at']).execute();

      await db.schema
        .createTable('seen_announcements')
        .addColumn('child_id', 'text', (c) => c.notNull().references('children.id').onDelete('cascade'))
        .addColumn('camera_id', 'text', (c) => c.notNull().references('cameras.id').onDelete('cascade'))
        .addColumn('at', 'bigint', (c) => c.notNull())
        .addPrimaryKeyConstraint('seen_announcements_key', ['child_id', 'camera_id'])
        .execute();
      await db.schema
        .createTable('presence_episodes')
        .addColumn('child_id', 'text', (c) => c.primaryKey().references('children.id').onDelete('cascade'))
        .addColumn('not_seen_stay', 'text')
        .addColumn('outside_seen_at', 'bigint')
        .execute();
    },
  };
}
