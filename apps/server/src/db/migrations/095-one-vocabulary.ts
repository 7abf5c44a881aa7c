/** Renames tables, columns and indexes to the terms of `docs/words.md`: notification, channel, sequence, condition. */
import { type Kysely, sql } from 'kysely';

/** The queue's indexes, under their new names. Constraints keep their old names: nothing refers to those. */
const DELIVERY_INDEXES = {
  once: ['incident_id', 'account_kind', 'account_id', 'channel', 'target', 'step', 'phase'],
  due: ['state', 'channel', 'next_try_at'],
  account: ['account_kind', 'account_id', 'created_at'],
  receipt: ['receipt_hash'],
} as const;

export const oneVocabulary = {
  async up(db: Kysely<unknown>): Promise<void> {
    const rename = async (table: string, from: string, to: string) =>
      db.schema.alterTable(table).renameColumn(from, to).execute();

    for (const name of Object.keys(DELIVERY_INDEXES))
      await db.schema.dropIndex(`notice_deliveries_${name}`).execute();
    await rename('notice_deliveries', 'way', 'channel');
    await rename('notice_deliveries', 'turn', 'sequence');
    await db.schema.alterTable('notice_deliveries').renameTo('notification_deliveries').execute();
    for (const [name, columns] of Object.entries(DELIVERY_INDEXES)) {
      const index = db.schema
        .createIndex(`notification_deliveries_${name}`)
        .on('notification_deliveries')
        .columns([...columns]);
      await (name === 'once' ? index.unique() : index).execute();
    }
    await db.schema.alterTable('notice_preferences').renameTo('notification_preferences').execute();

    await rename('incidents', 'episode', 'condition');
    await rename('pending_episodes', 'episode', 'condition');
    await db.schema.alterTable('pending_episodes').renameTo('pending_conditions').execute();
    await db.schema.alterTable('presence_episodes').renameTo('presence_conditions').execute();

    await rename('incident_steps', 'told_at', 'notified_at');
    await sql`drop index incident_steps_untold`.execute(db);
    await sql`create index incident_steps_waiting on incident_steps (at) where notified_at is null`.execute(
      db,
    );
  },
};
