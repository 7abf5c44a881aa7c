/**
 * Measures how the processor time of a backup grows with the rows, on both databases: four times as many readings of
 * sensors should take at most 4.5 times as long: `npm run bench:backup`. The processor time of the PostgreSQL server itself is not in it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@haris/runtime/log';
import { makeBackup } from '../apps/server/src/backup/make.ts';
import { openDatabase } from '../apps/server/src/db/open.ts';
import { makeNursery, nurseryStaff } from '../apps/server/src/testing/nursery.ts';
import { NO_VISION } from '../apps/server/src/testing/program.ts';
import { startPostgres } from '../scripts/postgres.ts';

const SMALL = 100_000;
const LARGE = 4 * SMALL;
/** Of each measurement; the quickest counts. */
const ROUNDS = 3;
const AT_ONCE = 500;

const log = createLogger('bench', 'error');

interface Place {
  readonly databaseUrl: string | null;
  readonly dataDir: string;
}

/** Adds readings of one made-up sensor, from number `from` up to number `to`. */
async function addReadings(place: Place, from: number, to: number): Promise<void> {
  const { db, close } = await openDatabase({ ...place, log, isPatient: true });
  try {
    const sensor = { id: 'bench', name: 'Bench', area: 'Hall', username: 'bench', topic: 'bench' };
    const secrets = { password_mac: 'x', device_key_mac: 'x' };
    const refusals = { refused_count: 0, refused_at: null, refused_reason: null };
    const search = { sort_name: 'bench', search_text: 'bench' };
    if (from === 0) {
      const { id: facility_id } = await db.selectFrom('facilities').select('id').executeTakeFirstOrThrow();
      await db
        .insertInto('sensors')
        .values({
          ...sensor,
          ...secrets,
          ...refusals,
          ...search,
          facility_id,
          kind: 'haris',
          demo: 0,
          period: null,
          created_at: 0,
        })
        .execute();
    }
    for (let at = from; at < to; at += AT_ONCE) {
      const values = { sensor_id: sensor.id, key: null, temperature: 21.5, humidity: 40, mq2: null };
      const rows = Array.from({ length: AT_ONCE }, (_, n) => ({ ...values, at: (at + n) * 10_000 }));
      await db.insertInto('sensor_readings').values(rows).execute();
    }
  } finally {
    await close();
  }
}

/** Processor seconds of this process for one backup. */
async function measure(place: Place, file: string): Promise<number> {
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    await makeBackup({ ...place, log }, file);
    const { user, system } = process.cpuUsage(before);
    took.push((user + system) / 1e6);
    rmSync(file);
  }
  return Math.min(...took);
}

const postgres = await startPostgres();
const folder = mkdtempSync(join(tmpdir(), 'haris-bench-'));
try {
  for (const [name, databaseUrl] of [
    ['SQLite', null],
    ['PostgreSQL', postgres.url],
  ] as const) {
    const place = { databaseUrl, dataDir: join(folder, name) };
    const database: Record<string, string> = databaseUrl === null ? {} : { DATABASE_URL: databaseUrl };
    await makeNursery(
      { DATA_DIR: place.dataDir, LOG_LEVEL: 'error', ...database, ...nurseryStaff, ...NO_VISION },
      1,
    );
    const file = join(folder, 'bench.backup');
    await addReadings(place, 0, SMALL);
    const small = await measure(place, file);
    await addReadings(place, SMALL, LARGE);
    const large = await measure(place, file);
    process.stdout.write(
      `${name}: ${SMALL} rows ${small.toFixed(1)} s, ${LARGE} rows ${large.toFixed(1)} s of processor time: ` +
        `4 times the rows take ${(large / small).toFixed(1)} times as long\n`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
  await postgres.stop();
}
