/** The staff member who made a Home Assistant account and is responsible for it. */
import { type Kysely, sql } from 'kysely';

export const homeAssistantMaker = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('home_assistant_accounts').addColumn('made_by', 'text').execute();
    // The audit log knows who made the existing ones. Accounts whose maker has left since get no maker.
    await sql`
      update home_assistant_accounts set made_by = (
        select min(made.actor_id) from audit_log as made
        where made.action = 'home_assistant.created' and made.subject_id = home_assistant_accounts.id
          and made.actor_id in (select id from admins)
      )`.execute(db);
  },
};
