/** The weekly trial restore of a nightly backup: when there is one, what a failure does, and that it leaves nothing. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeMeta } from '../db/meta.ts';
import type { Database } from '../db/schema.ts';
import { openSurroundings } from '../features/doctor/open-surroundings.ts';
import { startTestApp, type TestApp, testDialect } from '../testing/harness.ts';
import { openNightlyBackups } from './nightly.ts';
import { lastOutcome } from './nightly-job.ts';
import { readNightly } from './nightly-state.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let folder: string;
let app: TestApp;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'haris-trial-'));
  // It is 10:00 in Cairo on 20 November.
  app = await startTestApp({ config: { TIME_ZONE: 'Africa/Cairo', BACKUP_DIR: folder } });
});
afterEach(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

/** One look of a server that has just been started. */
const lookOnce = () => openNightlyBackups(app.context).look();
const backups = () => readdirSync(folder).filter((name) => !name.startsWith('.haris-'));
/** What the log says of trials: true for a good one, the reason of a failure. */
const trials = () =>
  app.logLines.flatMap((line): (true | string)[] => {
    const { message, reason } = JSON.parse(line);
    if (message === 'the nightly backup was restored for a trial') return [true];
    return message === 'the nightly backup could not be restored' ? [reason] : [];
  });
const listed = async () => {
  await app.app.incidents.sweep();
  const token = await app.staff();
  const { incidents } = await app.expect(200, 'GET', '/api/incidents?state=open&kind=backup_failed', {
    token,
  });
  return incidents;
};
/** Files below the data folder, without those of SQLite's log. */
const dataFiles = () =>
  readdirSync(app.dataDir, { recursive: true })
    .map(String)
    .filter((name) => !/^haris\.db-|^backups$/.test(name))
    .sort();
const doctorOf = async () => {
  const surroundings = openSurroundings(app.context.config);
  return surroundings.backup().finally(surroundings.close);
};

/** Forty nights until 19 November. */
function makeOldNights(): string[] {
  const nights = Array.from({ length: 40 }, (_, number) => {
    const day = new Date(Date.parse('2026-10-11T12:00:00Z') + number * DAY).toISOString().slice(0, 10);
    return `haris-${day}-023000.backup`;
  });
  for (const name of nights) writeFileSync(join(folder, name), name);
  return nights;
}

/** Number of rows of each table that a trial could write to by mistake. */
async function countLive(db: Kysely<Database>): Promise<number[]> {
  const counts = [];
  for (const table of ['parents', 'children', 'photos', 'photo_bodies', 'audit_log', 'mails', 'incidents']) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db);
    counts.push(Number(rows[0]?.n));
  }
  return counts;
}

test('the first backup is restored, those of the next six nights are not, and that of the seventh is', async () => {
  await app.makeChild(await app.makeFamily());
  const { db } = app.context;
  const before = await countLive(db);
  const files = dataFiles();
  const key = readFileSync(join(app.dataDir, 'keys', 'master.key'));
  await lookOnce();
  expect(trials()).toEqual([true]);
  // The live data is as it was, and of the trial nothing is left.
  expect(await countLive(db)).toEqual(before);
  expect(dataFiles()).toEqual([...files, 'last-backup.json'].sort());
  expect(readFileSync(join(app.dataDir, 'keys', 'master.key'))).toEqual(key);
  expect(statSync(join(app.dataDir, 'backups')).mode & 0o777).toBe(0o700);
  const first = app.clock.now();
  expect(await readNightly(db)).toMatchObject({ triedAt: first, trialFailedAt: null });
  // 21 November, 02:30.
  app.clock.advance(16.5 * HOUR);
  for (let night = 1; night <= 6; night++) {
    await lookOnce();
    expect(backups()).toHaveLength(1 + night);
    app.clock.advance(DAY);
  }
  expect(trials()).toEqual([true]);
  expect((await doctorOf()).nightly).toMatchObject({ triedAt: first, trialFailedAt: null });
  await lookOnce();
  expect(trials()).toEqual([true, true]);
  expect(await readNightly(db)).toMatchObject({ triedAt: app.clock.now(), trialFailedAt: null });
  expect(await listed()).toEqual([]);
});

test('one that looks whole and cannot be restored is told, deletes nothing, and is over with the next that can', async () => {
  const { db } = app.context;
  const nights = makeOldNights();
  // A column that somebody added by hand: it is backed up, and no fresh database has it.
  await sql`alter table facilities add column motto text`.execute(db);
  await lookOnce();
  expect(trials()).toEqual([expect.stringMatching(/^Its rows cannot be inserted \(/)]);
  expect(backups()).toEqual([...nights, 'haris-2026-11-20-100000.backup']);
  expect(readdirSync(join(app.dataDir, 'backups'))).toEqual([]);
  const failed = { triedAt: null, trialFailedAt: app.clock.now() };
  expect(await readNightly(db)).toMatchObject({ ...failed, failedAt: null, madeAt: app.clock.now() });
  expect((await doctorOf()).nightly).toMatchObject(failed);
  const [incident, ...more] = await listed();
  expect(more).toEqual([]);
  expect(incident).toMatchObject({ severity: 'operation', limit: 36 });
  // Not before the next night: the backup itself was made.
  app.clock.advance(HOUR);
  await lookOnce();
  expect(trials()).toHaveLength(1);
  // 21 November, 02:30. Steps of more than a day would put the clock in doubt, and nothing would be deleted.
  app.clock.advance(15.5 * HOUR);
  await lookOnce();
  expect(trials()).toHaveLength(2);
  expect(backups()).toHaveLength(nights.length + 2);
  expect((await listed()).map(({ _id }) => _id)).toEqual([incident?._id]);
  await sql`alter table facilities drop column motto`.execute(db);
  app.clock.advance(DAY);
  await lookOnce();
  expect(trials().at(-1)).toBe(true);
  expect(await readNightly(db)).toMatchObject({ triedAt: app.clock.now(), trialFailedAt: null });
  expect(await listed()).toEqual([]);
  expect(backups().length).toBeLessThan(nights.length);
  expect(readdirSync(join(app.dataDir, 'backups'))).toEqual([]);
});

test('one whose audit log was changed does not pass', async () => {
  const { db } = app.context;
  await app.makeFamily();
  if (testDialect === 'postgres') await sql`alter table audit_log disable trigger all`.execute(db);
  else await sql`drop trigger audit_log_no_update`.execute(db);
  await sql`update audit_log set action = 'child.deleted' where seq = 1`.execute(db);
  await lookOnce();
  expect(trials()).toEqual(['The audit log in it is broken at row 1: the row was changed.']);
  expect(backups()).toHaveLength(1);
  expect(await listed()).toHaveLength(1);
});

test('one without some photos passes with the others', async () => {
  const family = await app.makeFamily();
  await app.makeChild(family);
  const { db } = app.context;
  const lost = await db.selectFrom('photo_bodies').select('photo_id').limit(1).executeTakeFirstOrThrow();
  await db.deleteFrom('photo_bodies').where('photo_id', '=', lost.photo_id).execute();
  await app.makeChild(family);
  await lookOnce();
  expect(trials()).toEqual([true]);
});

test('what a crash left is removed by the next start and the next job', async () => {
  const left = (name: string) => {
    const place = join(app.dataDir, 'backups', name);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'haris.db'), 'names and addresses');
    return place;
  };
  // No process has such a number; this one may belong to a program of today.
  const [dead, alive, other] = [left('trial-2147483647'), left(`trial-${process.ppid}`), left('trial-notes')];
  const nightly = openNightlyBackups(app.context);
  nightly.start();
  expect([dead, alive, other].map(existsSync)).toEqual([false, true, true]);
  await nightly.stop();
  await lookOnce();
  expect([dead, alive, other].map(existsSync)).toEqual([false, false, true]);
});

test('the state of the version before is read: its next backup is tried', async () => {
  const { db, clock } = app.context;
  const old = { night: '2026-11-19', madeAt: clock.now() - DAY, failedAt: null, folder: null, since: 0 };
  await writeMeta(db, 'nightly_backup', JSON.stringify(old));
  expect(await readNightly(db)).toEqual({
    ...{ ...old, missing: 0, triedAt: null, trialFailedAt: null },
    running: null,
  });
  expect(await listed()).toEqual([]);
  await lookOnce();
  expect(trials()).toEqual([true]);
});

test('what the program said last counts, if it was whole', () => {
  const made = {
    made: true,
    rows: 1,
    photos: 0,
    without: [],
    trial: { state: 'failed', reason: 'The trial was not finished.', isBegun: true },
    deleted: 0,
    undeleted: 0,
    isOnSameDisk: false,
  };
  const first = `${JSON.stringify(made)}\n`;
  const second = `${JSON.stringify({ ...made, trial: { state: 'passed', rows: 1, photos: 0 } })}\n`;
  expect(lastOutcome(first)).toEqual(made);
  expect(lastOutcome(first + second.slice(0, -20))).toEqual(made);
  expect(lastOutcome(first + second)).toMatchObject({ trial: { state: 'passed' } });
  for (const none of ['', '\n', first.trimEnd(), '{"made":tr\n']) expect(lastOutcome(none)).toBeNull();
});
