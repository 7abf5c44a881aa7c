/** The language that a person has chosen for the account, and the order in which reports walk through stays. */
import type { Kysely } from 'kysely';

export const languageAndReports = {
  async up(db: Kysely<unknown>): Promise<void> {
    // Until somebody chooses, `language` is a guess made for the mails, and each device goes by its own.
    for (const table of ['parents', 'admins'])
      await db.schema
        .alterTable(table)
        .addColumn('language_chosen', 'integer', (c) => c.notNull().defaultTo(0))
        .execute();
    await db.schema.createIndex('stays_entry').on('stays').columns(['entry_time', 'id']).execute();
  },
};
