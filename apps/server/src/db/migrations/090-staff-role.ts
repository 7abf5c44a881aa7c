/** Renames the table `admins` to `staff`, and gives each staff member a role. */
import { type Kysely, sql } from 'kysely';

/** `dialect` decides whether constraints have names of their own: PostgreSQL keeps those of the old table. */
export function staffRole(dialect: 'sqlite' | 'postgres') {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema.alterTable('admins').renameTo('staff').execute();
      if (dialect === 'postgres') await renameConstraints(db);
      // The role with the fewest rights, for a row that is added without one.
      await db.schema
        .alterTable('staff')
        .addColumn('role', 'text', (c) => c.notNull().defaultTo('employee'))
        .execute();
      // Until now, only the account of the person who set Haris up had no national ID.
      await sql`update staff set role = 'administrator' where national_id_mac is null`.execute(db);
    },
  };
}

/** Primary key and unique constraints (`admins_pkey` …), whose indices follow, and not-null ones where they have names. */
async function renameConstraints(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select conname as name from pg_constraint
    where conrelid = 'staff'::regclass and conname like 'admins\\_%'`.execute(db);
  for (const { name } of rows)
    await sql`alter table staff rename constraint ${sql.id(name)} to ${sql.id(name.replace('admins', 'staff'))}`.execute(
      db,
    );
}
