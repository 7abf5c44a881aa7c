/**
 * Changes of e-mail by staff that wait for an agreement. Also ends unproven passwords of accounts that staff made and that
 * have children: an address that took effect left them until now (contract §6). Their owners ask for a link.
 */
import { type Kysely, sql } from 'kysely';

export const emailChanges = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('parents').addColumn('pending_email_by', 'text').execute();
    await db.schema.alterTable('parents').addColumn('pending_email_at', 'bigint').execute();
    const left = sql`select id from parents where made_by = 'staff' and password_hash is not null
      and password_proof is null and exists (select 1 from children where children.parent_id = parents.id)`;
    await sql`delete from sessions where kind = 'parent' and account_id in (${left})`.execute(db);
    await sql`update parents set password_hash = null where id in (${left})`.execute(db);
  },
};
