/** Who made an account of Home Assistant, and answers for it. */
import { type Kysely, sql } from 'kysely';

export const homeAssistantMaker = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('home_assistant_accounts').addColumn('made_by', 'text').execute();
    // The audit log knows who made the existing ones. People who have left since own none of them.
    await sql`
      update home_assistant_accounts set made_by = (
        select min(made.actor_id) from audit_log as made
        where made.action = 'home_assistant.created' and made.subject_id = home_assistant_accounts.id
          and made.actor_id in (select id from admins)
      )`.execute(db);
  },
};
