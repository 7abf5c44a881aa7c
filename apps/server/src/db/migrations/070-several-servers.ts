/** Data about devices that several servers share: unique keys of readings, and the states of sensors and cameras. */
import { type Kysely, sql } from 'kysely';

export const severalServers = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('sensor_readings').addColumn('key', 'text').execute();
    await sql`create unique index sensor_readings_once on sensor_readings (sensor_id, key) where key is not null`.execute(
      db,
    );
    await db.schema
      .createTable('sensor_states')
      .addColumn('sensor_id', 'text', (c) => c.primaryKey().references('sensors.id').onDelete('cascade'))
      .addColumn('heard_at', 'bigint')
      .addColumn('online', 'integer')
      .addColumn('online_at', 'bigint')
      .addColumn('said_at', 'bigint')
      .execute();
    await db.schema
      .createTable('camera_states')
      .addColumn('camera_id', 'text', (c) => c.notNull().references('cameras.id').onDelete('cascade'))
      .addColumn('server', 'text', (c) => c.notNull())
      .addColumn('report', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('camera_states_key', ['camera_id', 'server'])
      .execute();
  },
};
