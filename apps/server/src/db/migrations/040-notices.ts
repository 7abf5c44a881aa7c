/**
 * Notifications that reach people outside the page: their devices, their preferences, and the durable queue of
 * deliveries.
 */
import { type Kysely, sql } from 'kysely';

/** `dialect` decides the word for bytes. */
export function notices(dialect: 'sqlite' | 'postgres') {
  const bytes = dialect === 'postgres' ? sql`bytea` : sql`blob`;

  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('push_subscriptions')
        .addColumn('id', 'text', (c) => c.primaryKey())
        // Signing out, deletion and the end of a session's time take the device along.
        .addColumn('session_hash', 'text', (c) =>
          c.notNull().references('sessions.token_hash').onDelete('cascade'),
        )
        .addColumn('account_kind', 'text', (c) => c.notNull())
        .addColumn('account_id', 'text', (c) => c.notNull())
        .addColumn('endpoint_mac', 'text', (c) => c.notNull().unique())
        .addColumn('sealed', bytes, (c) => c.notNull())
        .addColumn('device', 'text', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema
        .createIndex('push_subscriptions_account')
        .on('push_subscriptions')
        .columns(['account_kind', 'account_id', 'created_at'])
        .execute();
      await db.schema
        .createIndex('push_subscriptions_session')
        .on('push_subscriptions')
        .column('session_hash')
        .execute();

      await db.schema
        .createTable('notice_preferences')
        .addColumn('account_kind', 'text', (c) => c.notNull())
        .addColumn('account_id', 'text', (c) => c.notNull())
        .addColumn('value', 'text', (c) => c.notNull())
        .addPrimaryKeyConstraint('notice_preferences_key', ['account_kind', 'account_id'])
        .execute();

      await db.schema
        .createTable('notice_deliveries')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('account_kind', 'text', (c) => c.notNull())
        .addColumn('account_id', 'text', (c) => c.notNull())
        .addColumn('way', 'text', (c) => c.notNull())
        .addColumn('target', 'text', (c) => c.notNull())
        .addColumn('incident_id', 'text', (c) => c.notNull())
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('step', 'integer', (c) => c.notNull())
        .addColumn('phase', 'text', (c) => c.notNull())
        .addColumn('turn', 'integer', (c) => c.notNull())
        .addColumn('held', 'integer', (c) => c.notNull())
        .addColumn('sealed', bytes)
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('next_try_at', 'bigint', (c) => c.notNull())
        .addColumn('attempts', 'integer', (c) => c.notNull())
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('reason', 'text')
        .addColumn('ended_at', 'bigint')
        .addColumn('receipt_hash', 'text')
        .addColumn('arrived_at', 'bigint')
        .execute();
      // Even if work is repeated, a person gets one notification per step and channel.
      await db.schema
        .createIndex('notice_deliveries_once')
        .on('notice_deliveries')
        .columns(['incident_id', 'account_kind', 'account_id', 'way', 'target', 'step', 'phase'])
        .unique()
        .execute();
      await db.schema
        .createIndex('notice_deliveries_due')
        .on('notice_deliveries')
        .columns(['state', 'way', 'next_try_at'])
        .execute();
      await db.schema
        .createIndex('notice_deliveries_account')
        .on('notice_deliveries')
        .columns(['account_kind', 'account_id', 'created_at'])
        .execute();
      await db.schema
        .createIndex('notice_deliveries_receipt')
        .on('notice_deliveries')
        .column('receipt_hash')
        .execute();
    },
  };
}
