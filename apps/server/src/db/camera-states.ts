/** What each server sees of the cameras, for the others: its own reports out, those of the others in. */
import { cameraReportSchema } from '@haris/contract/vision-live';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { databaseNow } from './database-clock.ts';
import type { Dialect } from './open.ts';
import type { Database } from './schema.ts';
import { inTransaction } from './transaction.ts';

/** A server that has not written for this long counts as gone. Milliseconds. */
const BELIEVED_MS = 10_000;

const sightSchema = z.object({
  report: cameraReportSchema,
  /** Whether a face stayed unknown there since the last writing. */
  unknown: z.boolean(),
});
/** What a server sees of one camera. */
export type CameraSight = z.infer<typeof sightSchema>;

/** Replaces the reports of this server. */
export async function writeCameraSights(
  { db, dialect }: { readonly db: Kysely<Database>; readonly dialect: Dialect },
  server: string,
  sights: readonly CameraSight[],
): Promise<void> {
  await inTransaction(db, async ({ trx }) => {
    await trx.deleteFrom('camera_states').where('server', '=', server).execute();
    if (sights.length === 0) return;
    const ids = sights.map(({ report }) => report.cameraId);
    // One that was removed meanwhile has no row to refer to.
    const there = await trx.selectFrom('cameras').select('id').where('id', 'in', ids).execute();
    const rows = sights
      .filter(({ report }) => there.some(({ id }) => id === report.cameraId))
      .map((sight) => ({
        camera_id: sight.report.cameraId,
        server,
        report: JSON.stringify(sight),
        at: databaseNow(dialect),
      }));
    if (rows.length > 0) await trx.insertInto('camera_states').values(rows).execute();
  });
}

/** What the other servers see now, by camera; of several servers the one that shows it. */
export async function findOtherSights(
  { db, dialect }: { readonly db: Kysely<Database>; readonly dialect: Dialect },
  server: string,
): Promise<Map<string, CameraSight>> {
  const rows = await db
    .selectFrom('camera_states')
    .select('report')
    .where('server', '!=', server)
    .where((eb) => eb(eb('at', '+', BELIEVED_MS), '>', databaseNow(dialect)))
    .execute();
  const found = new Map<string, CameraSight>();
  for (const row of rows) {
    const sight = sightSchema.parse(JSON.parse(row.report));
    const { cameraId } = sight.report;
    if (found.get(cameraId)?.report.state !== 'live') found.set(cameraId, sight);
  }
  return found;
}

/** Removes reports of servers that are long gone. */
export async function deleteOldSights({
  db,
  dialect,
}: {
  readonly db: Kysely<Database>;
  readonly dialect: Dialect;
}): Promise<void> {
  await db
    .deleteFrom('camera_states')
    .where((eb) => eb(eb('at', '+', 60 * BELIEVED_MS), '<', databaseNow(dialect)))
    .execute();
}
