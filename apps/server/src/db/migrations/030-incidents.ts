/** Incidents with their timelines and steps, the ticks of evacuations, and leases of work that one server does at a time. */
import { type Kysely, sql } from 'kysely';

export const incidentsAndEvacuations = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('incidents')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('episode', 'text', (c) => c.notNull())
      .addColumn('area', 'text')
      .addColumn('subject_kind', 'text')
      .addColumn('subject_id', 'text')
      .addColumn('parent_id', 'text')
      .addColumn('worst', 'double precision')
      .addColumn('threshold', 'double precision')
      .addColumn('calm_since', 'bigint')
      .addColumn('raised_at', 'bigint', (c) => c.notNull())
      .addColumn('cleared_at', 'bigint')
      .addColumn('acknowledged_at', 'bigint')
      .addColumn('acknowledged_by', 'text')
      .addColumn('acknowledged_name', 'text')
      .execute();
    // The database itself forbids a second incident for an episode that has not ended.
    await sql`create unique index incidents_open on incidents (episode) where cleared_at is null`.execute(db);
    await db.schema.createIndex('incidents_order').on('incidents').columns(['raised_at', 'id']).execute();
    await db.schema
      .createIndex('incidents_parent')
      .on('incidents')
      .columns(['parent_id', 'raised_at'])
      .execute();

    await db.schema
      .createTable('incident_timeline')
      .addColumn('incident_id', 'text', (c) => c.notNull().references('incidents.id').onDelete('cascade'))
      .addColumn('position', 'integer', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('what', 'text', (c) => c.notNull())
      .addColumn('by_id', 'text')
      .addColumn('by_name', 'text')
      .addColumn('step', 'integer')
      .addColumn('value', 'double precision')
      .addColumn('note', 'text')
      .addPrimaryKeyConstraint('incident_timeline_key', ['incident_id', 'position'])
      .execute();

    await db.schema
      .createTable('incident_steps')
      .addColumn('incident_id', 'text', (c) => c.notNull().references('incidents.id').onDelete('cascade'))
      .addColumn('step', 'integer', (c) => c.notNull())
      .addColumn('phase', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('claimed_until', 'bigint', (c) => c.notNull())
      .addColumn('told_at', 'bigint')
      .addPrimaryKeyConstraint('incident_steps_key', ['incident_id', 'step', 'phase'])
      .execute();
    await sql`create index incident_steps_untold on incident_steps (at) where told_at is null`.execute(db);

    await db.schema
      .createTable('incident_audience')
      .addColumn('incident_id', 'text', (c) => c.notNull().references('incidents.id').onDelete('cascade'))
      .addColumn('account_kind', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('incident_audience_key', ['incident_id', 'account_kind', 'account_id'])
      .execute();

    await db.schema
      .createTable('pending_episodes')
      .addColumn('episode', 'text', (c) => c.primaryKey())
      .addColumn('since', 'bigint', (c) => c.notNull())
      .execute();

    await db.schema
      .createTable('evacuation_ticks')
      .addColumn('incident_id', 'text', (c) => c.notNull().references('incidents.id').onDelete('cascade'))
      .addColumn('child_id', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('by_id', 'text', (c) => c.notNull())
      .addColumn('by_name', 'text', (c) => c.notNull())
      .addColumn('device', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('received_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('evacuation_ticks_key', [
        'incident_id',
        'child_id',
        'at',
        'by_id',
        'device',
        'state',
      ])
      .execute();

    await db.schema
      .createTable('leases')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('holder', 'text', (c) => c.notNull())
      .addColumn('until', 'bigint', (c) => c.notNull())
      .execute();

    await db.schema.alterTable('events').addColumn('incident_id', 'text').execute();
    await db.schema
      .alterTable('events')
      .addColumn('to_parents_inside', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
  },
};
