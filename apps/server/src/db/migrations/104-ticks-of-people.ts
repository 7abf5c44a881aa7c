/** Lets a roll call's ticks concern adults: `child_id` becomes `subject_id`, with its kind beside it (decision 033). */
import type { Kysely } from 'kysely';

export const ticksOfPeople = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('evacuation_ticks').renameColumn('child_id', 'subject_id').execute();
    await db.schema
      .alterTable('evacuation_ticks')
      .addColumn('subject_kind', 'text', (c) => c.notNull().defaultTo('child'))
      .execute();
  },
};
