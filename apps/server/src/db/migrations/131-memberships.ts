/** Facilities, roles and memberships; the column `staff.role` becomes memberships (decision 042). */
import { type Kysely, sql } from 'kysely';

export const memberships = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('facilities')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute();
    await sql`insert into facilities (id, created_at) values ('main', 0)`.execute(db);
    await db.schema
      .createTable('roles')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('sort_name', 'text', (c) => c.notNull().unique())
      .addColumn('permissions', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('memberships')
      .addColumn('staff_id', 'text', (c) => c.notNull())
      .addColumn('facility_id', 'text', (c) => c.notNull())
      .addColumn('role_id', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('memberships_pkey', ['staff_id', 'facility_id'])
      .execute();
    await db.schema.createIndex('memberships_role').on('memberships').column('role_id').execute();
    await sql`
      insert into memberships (staff_id, facility_id, role_id)
      select id, '', 'owner' from staff where role = 'administrator'`.execute(db);
    await sql`
      insert into memberships (staff_id, facility_id, role_id)
      select id, 'main', 'manager' from staff where role = 'employee'`.execute(db);
    await db.schema.alterTable('staff').dropColumn('role').execute();
  },
};
