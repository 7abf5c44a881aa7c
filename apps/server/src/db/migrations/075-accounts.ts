/**
 * Devices and networks of earlier sign-ins, who made each parent's account, and how its password was proven. Existing
 * accounts are judged by the audit log: those with children stay trusted.
 */
import { type Kysely, sql } from 'kysely';

export const accounts = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('known_devices')
      .addColumn('device_hash', 'text', (c) => c.notNull())
      .addColumn('account_kind', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('last_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('known_devices_pk', ['account_id', 'account_kind', 'device_hash'])
      .execute();
    await db.schema
      .createTable('known_networks')
      .addColumn('network_mac', 'text', (c) => c.notNull())
      .addColumn('account_kind', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('last_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('known_networks_pk', ['network_mac', 'account_kind', 'account_id'])
      .execute();
    await db.schema
      .createIndex('known_networks_account')
      .on('known_networks')
      .columns(['account_kind', 'account_id'])
      .execute();
    for (const column of ['made_by', 'made_from', 'password_proof', 'link_opened_by'] as const)
      await db.schema.alterTable('parents').addColumn(column, 'text').execute();
    for (const column of ['vouched_at', 'disowned_at'] as const)
      await db.schema.alterTable('parents').addColumn(column, 'bigint').execute();
    await sql`
      update parents set made_by = case
        when exists (select 1 from audit_log where audit_log.action = 'parent.created'
          and audit_log.subject_id = parents.id and audit_log.actor_kind = 'admin') then 'staff' else 'self' end
    `.execute(db);
    await sql`
      update parents set password_proof = case
        when exists (select 1 from audit_log where audit_log.action = 'parent.password_set'
          and audit_log.subject_id = parents.id) then 'link'
        when made_by = 'staff' then 'staff'
        when exists (select 1 from children where children.parent_id = parents.id) then 'before' end
      where password_hash is not null
    `.execute(db);
    await db.schema
      .createTable('desk_codes')
      .addColumn('parent_id', 'text', (c) => c.primaryKey())
      .addColumn('code_mac', 'text', (c) => c.notNull())
      .addColumn('tries', 'integer', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .execute();
  },
};
