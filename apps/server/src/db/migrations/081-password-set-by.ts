/** Marks staff accounts whose password was set by somebody else. */
import { type Kysely, sql } from 'kysely';

export const passwordSetBy = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('admins').addColumn('password_set_by', 'text').execute();
    // For existing accounts, this is the staff member who made the account, unless a password was set by a mailed link
    // since.
    await sql`
      update admins set password_set_by = (
        select min(made.actor_id) from audit_log as made
        where made.action = 'admin.created' and made.subject_id = admins.id and made.actor_kind = 'admin'
      )
      where not exists (
        select 1 from audit_log as later
        where later.action = 'admin.password_set' and later.subject_id = admins.id
      )`.execute(db);
  },
};
