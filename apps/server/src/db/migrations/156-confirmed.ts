/** When staff confirmed a child's name and photo (decision 026). Until now a value without a proposal was confirmed. */
import { type Kysely, sql } from 'kysely';

/** Whether a proposal of the field waits for the child; `more` narrows it down. */
const waits = (field: string, more = sql`true`) => sql`exists (
  select 1 from proposals
  where subject_kind = 'child' and subject_id = children.id and field = ${sql.lit(field)} and ${more})`;

export const confirmed = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('children').addColumn('name_confirmed_at', 'bigint').execute();
    await db.schema.alterTable('children').addColumn('photo_confirmed_at', 'bigint').execute();
    // Only a confirmed photo has an enrolled face. The desk may have added one beside a first photo that waits.
    await sql`update children set photo_confirmed_at = created_at
      where photo_id is not null
        and exists (select 1 from face_encodings where child_id = children.id)
        and not ${waits('photo', sql`proposals.photo_id = children.photo_id`)}`.execute(db);
    // A child without a confirmed photo and without one that waits was rejected.
    await sql`update children set name_confirmed_at = created_at
      where not ${waits('name', sql`proposals.value = children.name`)}
        and (photo_confirmed_at is not null or (${waits('photo')} and not ${waits('name')}))`.execute(db);
    // An engine that went on running may hold a face of a child whose photo is not confirmed.
    await sql`update gallery set revision = revision + 1`.execute(db);
  },
};
