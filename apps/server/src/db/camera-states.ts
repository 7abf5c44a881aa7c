/** Camera reports shared by the servers of one database: each writes its own and reads those of the others. */
import { cameraReportSchema } from '@haris/contract/vision-live';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { databaseNow } from './database-clock.ts';
import type { Dialect } from './dialect.ts';
import type { Database } from './schema.ts';
import { inTransaction } from './transaction.ts';

/** A server's reports expire after this. Milliseconds. */
const VALID_MS = 10_000;

const sightSchema = z.object({
  report: cameraReportSchema,
  /** Whether a face has stayed unknown there since the last report. */
  unknown: z.boolean(),
});
/** One server's report of a camera. */
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
    // Skips cameras that were deleted meanwhile: their reports would have no row to refer to.
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

/** Current reports of the other servers, by camera id. If several servers report a camera, a `live` report wins. */
export async function findOtherSights(
  { db, dialect }: { readonly db: Kysely<Database>; readonly dialect: Dialect },
  server: string,
): Promise<Map<string, CameraSight>> {
  const rows = await db
    .selectFrom('camera_states')
    .select('report')
    .where('server', '!=', server)
    .where((eb) => eb(eb('at', '+', VALID_MS), '>', databaseNow(dialect)))
    .execute();
  const found = new Map<string, CameraSight>();
  for (const row of rows) {
    const sight = sightSchema.parse(JSON.parse(row.report));
    const { cameraId } = sight.report;
    if (found.get(cameraId)?.report.state !== 'live') found.set(cameraId, sight);
  }
  return found;
}

/** Deletes reports of servers that stopped long ago. */
export async function deleteOldSights({
  db,
  dialect,
}: {
  readonly db: Kysely<Database>;
  readonly dialect: Dialect;
}): Promise<void> {
  await db
    .deleteFrom('camera_states')
    .where((eb) => eb(eb('at', '+', 60 * VALID_MS), '<', databaseNow(dialect)))
    .execute();
}
