/** Visitors of the day, and the staff on the roll call of an evacuation (decision 033). */
import type { Kysely } from 'kysely';

export const visitors = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('visitors')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('search_text', 'text', (c) => c.notNull())
      .addColumn('phone', 'text')
      .addColumn('reason', 'text')
      .addColumn('signed_in_at', 'bigint', (c) => c.notNull())
      .addColumn('signed_in_by', 'text', (c) => c.notNull())
      .addColumn('signed_out_at', 'bigint')
      .addColumn('signed_out_by', 'text')
      .execute();
    await db.schema.createIndex('visitors_order').on('visitors').columns(['signed_in_at', 'id']).execute();

    await db.schema
      .createTable('evacuation_staff')
      .addColumn('incident_id', 'text', (c) => c.notNull().references('incidents.id').onDelete('cascade'))
      .addColumn('staff_id', 'text', (c) => c.notNull().references('staff.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('evacuation_staff_key', ['incident_id', 'staff_id'])
      .execute();
  },
};
