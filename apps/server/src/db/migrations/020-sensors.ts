/** Sensors of the air with their accounts, their readings, and the means of these. */
import { type Kysely, sql } from 'kysely';

/** `dialect` decides the byte-wise order of text. */
export function sensorsAndReadings(dialect: 'sqlite' | 'postgres') {
  const orderedText = dialect === 'postgres' ? sql`text collate "C"` : sql`text`;

  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('sensors')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('area', 'text', (c) => c.notNull())
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('demo', 'integer', (c) => c.notNull())
        .addColumn('username', 'text', (c) => c.notNull().unique())
        .addColumn('topic', 'text', (c) => c.notNull().unique())
        .addColumn('password_mac', 'text', (c) => c.notNull())
        .addColumn('device_key_mac', 'text', (c) => c.notNull())
        .addColumn('period', 'integer')
        .addColumn('refused_count', 'integer', (c) => c.notNull())
        .addColumn('refused_at', 'bigint')
        .addColumn('refused_reason', 'text')
        .addColumn('sort_name', orderedText, (c) => c.notNull())
        .addColumn('search_text', 'text', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema.createIndex('sensors_order').on('sensors').columns(['sort_name', 'id']).execute();

      await db.schema
        .createTable('home_assistant_accounts')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('username', 'text', (c) => c.notNull().unique())
        .addColumn('password_mac', 'text', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .execute();

      await db.schema
        .createTable('sensor_readings')
        .addColumn('sensor_id', 'text', (c) => c.notNull().references('sensors.id').onDelete('cascade'))
        .addColumn('at', 'bigint', (c) => c.notNull())
        .addColumn('temperature', 'double precision')
        .addColumn('humidity', 'double precision')
        .addColumn('mq2', 'double precision')
        .addPrimaryKeyConstraint('sensor_readings_key', ['sensor_id', 'at'])
        .execute();
      await db.schema.createIndex('sensor_readings_at').on('sensor_readings').column('at').execute();

      let means = db.schema
        .createTable('sensor_means')
        .addColumn('sensor_id', 'text', (c) => c.notNull().references('sensors.id').onDelete('cascade'))
        .addColumn('step', 'text', (c) => c.notNull())
        .addColumn('at', 'bigint', (c) => c.notNull());
      for (const quantity of ['temperature', 'humidity', 'mq2'])
        means = means
          .addColumn(`${quantity}_count`, 'integer', (c) => c.notNull())
          .addColumn(`${quantity}_mean`, 'double precision')
          .addColumn(`${quantity}_min`, 'double precision')
          .addColumn(`${quantity}_max`, 'double precision');
      await means.addPrimaryKeyConstraint('sensor_means_key', ['sensor_id', 'step', 'at']).execute();
      await db.schema.createIndex('sensor_means_at').on('sensor_means').columns(['step', 'at']).execute();
    },
  };
}
