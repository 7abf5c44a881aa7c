/** Corrections of stays: another row undoes a mistake, and nothing is erased. */
import type { Kysely } from 'kysely';

export const stayCorrections = {
  async up(db: Kysely<unknown>): Promise<void> {
    // A void stay never took place: its check-in was a mistake. It is closed as well, so that `exit_time is null` still
    // means "inside" everywhere, including the unique index of open stays.
    await db.schema.alterTable('stays').addColumn('voided_at', 'bigint').execute();

    // No reference to stays or children: a correction outlives whatever it was about.
    await db.schema
      .createTable('stay_corrections')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('stay_id', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('corrected_by', 'text', (c) => c.notNull())
      .addColumn('corrected_at', 'bigint', (c) => c.notNull())
      .addColumn('exit_time_before', 'bigint')
      .addColumn('checked_out_by_before', 'text')
      .addColumn('time_up_at_before', 'bigint')
      .execute();
    await db.schema
      .createIndex('stay_corrections_stay')
      .on('stay_corrections')
      .columns(['stay_id', 'corrected_at'])
      .execute();
  },
};
