/** How staff settle what desk tablets told later and what does not fit (decision 055). */
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

export const deskConflicts = (dialect: Dialect) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const columns = [
      ['settled_at', 'bigint'],
      ['settled_by', 'text'],
      ['choice', 'text'],
      ['note', dialect === 'sqlite' ? 'blob' : 'bytea'],
      ['doubtful_at', 'bigint'],
    ] as const;
    for (const [name, type] of columns)
      await db.schema.alterTable('desk_entries').addColumn(name, type).execute();
    await sql`update desk_entries set doubtful_at = received_at where kind = 'check_out'
      and outcome = 'conflict' and (took_effect = 1 or reason = 'other_adult')`.execute(db);
    await sql`create index desk_entries_open on desk_entries (facility_id, received_at)
      where outcome = 'conflict' and settled_at is null`.execute(db);
    await db.schema.alterTable('stay_corrections').addColumn('entry_time_before', 'bigint').execute();
  },
});
