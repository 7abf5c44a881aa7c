/** Backups by themselves: one each night, told when there is none, and never one more or one less than is safe. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readLastBackup } from '../data-folder.ts';
import { openSurroundings } from '../features/doctor/open-surroundings.ts';
import { detectFailedBackup } from '../features/incidents/kinds/machine.ts';
import { startTestApp, type TestApp, testDialect } from '../testing/harness.ts';
import { NO_VISION, runProgram } from '../testing/program.ts';
import { runServerProgram } from '../testing/server-programs.ts';
import { openNightlyBackups } from './nightly.ts';
import { readNightly, writeNightly } from './nightly-state.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MARK = '.haris-backups';
let scratch: string;
let folder: string;
let app: TestApp;

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'haris-nightly-'));
  folder = join(scratch, 'share');
  mkdirSync(folder);
});
afterEach(async () => {
  await app.close();
  rmSync(scratch, { recursive: true, force: true });
});

/** It is 10:00 in Cairo on 20 November. */
const startApp = async (BACKUP_DIR: string | null = folder) => {
  app = await startTestApp({
    config: { TIME_ZONE: 'Africa/Cairo', ...(BACKUP_DIR === null ? {} : { BACKUP_DIR }) },
  });
};
/** One look of a server that has just been started. */
const lookOnce = (one = app) => openNightlyBackups(one.context).look();
const filesIn = (place = folder) => readdirSync(place).sort();
const backups = () => filesIn().filter((name) => !name.startsWith('.haris-'));
const reasons = () =>
  app.logLines.flatMap((line) => {
    const { message, reason } = JSON.parse(line);
    return message === 'the nightly backup was not made' ? [reason] : [];
  });
/** Alerts about failed backups that staff see. */
const listed = async (state = 'open') => {
  await app.app.incidents.sweep();
  const token = await app.staff();
  const { incidents } = await app.expect(200, 'GET', `/api/incidents?state=${state}&kind=backup_failed`, {
    token,
  });
  return incidents;
};

/** Forty nights until 19 November. */
const makeOldNights = () => {
  const nights = Array.from({ length: 40 }, (_, number) => {
    const day = new Date(Date.parse('2026-10-11T12:00:00Z') + number * 24 * HOUR).toISOString().slice(0, 10);
    return `haris-${day}-023000.backup`;
  });
  for (const name of nights) writeFileSync(join(folder, name), name);
  return nights;
};

test('without BACKUP_DIR nothing is made', async () => {
  await startApp(null);
  const nightly = openNightlyBackups(app.context);
  nightly.start();
  await nightly.look();
  await nightly.stop();
  expect(await readNightly(app.context.db)).toBeNull();
  expect(existsSync(join(app.dataDir, 'backups'))).toBe(false);
  expect(readLastBackup(app.dataDir)).toBeNull();
  expect(await listed()).toEqual([]);
});

test('one is made each night, also after restarts and after nights without the machine', async () => {
  await startApp();
  const family = await app.makeFamily();
  await app.makeChild(family);
  const running = openNightlyBackups(app.context);
  await running.look();
  expect(backups()).toEqual(['haris-2026-11-20-100000.backup']);
  expect(readLastBackup(app.dataDir)).toBe(app.clock.now());
  const first = join(folder, 'haris-2026-11-20-100000.backup');
  expect(statSync(first).mode & 0o777).toBe(0o600);
  await running.look();
  await lookOnce();
  app.clock.advance(16.5 * HOUR - 1);
  await running.look();
  await lookOnce();
  expect(backups()).toHaveLength(1);
  app.clock.advance(1);
  await running.look();
  await running.look();
  await lookOnce();
  expect(backups()).toEqual(['haris-2026-11-20-100000.backup', 'haris-2026-11-21-023000.backup']);
  app.clock.advance(3 * 24 * HOUR + 5 * HOUR);
  await lookOnce();
  await lookOnce();
  expect(backups().slice(2)).toEqual(['haris-2026-11-24-073000.backup']);
  expect(await listed('all')).toEqual([]);

  // It is a backup like that of the command: the same program restores it.
  const recovery = await runServerProgram('backup', ['--recovery-key'], app.env);
  const target = join(scratch, 'restored');
  const env = { DATA_DIR: target, RECOVERY_KEY: recovery.text.split('\n')[0] ?? '' };
  expect(await runServerProgram('restore', [first], env)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Restored \d+ rows and 1 photos/),
  });
  // What is in it cannot be read without the key.
  expect(readFileSync(first).subarray(0, 8).toString()).toBe('HARISBK1');
});

test('old ones go, and nothing else in the folder', async () => {
  await startApp();
  const nights = makeOldNights();
  const others = ['haris-2020-01-01.bak', 'notes.txt', 'haris-2020-01-01-023000.backup.old'];
  for (const name of others) writeFileSync(join(folder, name), name);
  mkdirSync(join(folder, 'haris-2020-01-02-023000.backup'));
  symlinkSync(join(folder, 'notes.txt'), join(folder, 'haris-2020-01-03-023000.backup'));
  writeFileSync(join(folder, 'haris-2026-11-19-023000.backup.part'), 'a killed program left this');
  await lookOnce();
  expect(reasons()).toEqual([]);
  expect(backups()).toEqual(
    [
      'haris-2020-01-02-023000.backup',
      'haris-2020-01-03-023000.backup',
      ...others,
      'haris-2026-10-31-023000.backup',
      'haris-2026-11-01-023000.backup',
      'haris-2026-11-08-023000.backup',
      ...nights.filter((name) => name >= 'haris-2026-11-14'),
      'haris-2026-11-20-100000.backup',
    ]
      // Of this day, the newer one.
      .filter((name) => name !== 'haris-2026-11-20-023000.backup')
      .sort(),
  );
});

describe('a backup that fails', () => {
  test('is told once, tried again each hour, told to no parent, and over with the next that is made', async () => {
    await startApp();
    const family = await app.makeFamily();
    const away = join(scratch, 'away');
    renameSync(folder, away);
    await lookOnce();
    expect(existsSync(folder)).toBe(false);
    expect(reasons()).toEqual([`${folder} does not exist. Is its disk or share mounted?`]);
    const [incident, ...more] = await listed();
    expect(more).toEqual([]);
    expect(incident).toMatchObject({ severity: 'operation', value: null, limit: 36, area: null });
    app.clock.advance(HOUR - 1);
    await lookOnce();
    expect(reasons()).toHaveLength(1);
    app.clock.advance(1);
    await lookOnce();
    expect(reasons()).toHaveLength(2);
    expect((await listed('all')).map(({ _id }) => _id)).toEqual([incident?._id]);
    const parent = await app.expect(200, 'GET', '/api/incidents?state=all', { token: family.token });
    expect(parent.incidents).toEqual([]);
    renameSync(away, folder);
    app.clock.advance(HOUR);
    await lookOnce();
    expect(backups()).toEqual(['haris-2026-11-20-120000.backup']);
    expect(await listed()).toEqual([]);
    expect(await listed('all')).toMatchObject([{ _id: incident?._id, clearedAt: expect.any(String) }]);
    // The night is done, by whichever try.
    app.clock.advance(HOUR);
    await lookOnce();
    expect(backups()).toHaveLength(1);
  });

  test('with the key of another installation, or none, leaves no file and deletes nothing', async () => {
    await startApp();
    const nights = Array.from(
      { length: 40 },
      (_, n) => `haris-2025-${10 + Math.floor(n / 20)}-${10 + (n % 20)}-023000.backup`,
    );
    for (const name of nights) writeFileSync(join(folder, name), name);
    const key = join(app.dataDir, 'keys', 'master.key');
    const right = readFileSync(key);
    writeFileSync(key, Buffer.alloc(32, 7));
    await lookOnce();
    rmSync(key);
    app.clock.advance(HOUR);
    await lookOnce();
    expect(reasons()).toHaveLength(2);
    expect(reasons()[0]).toContain('is not the one that this database was made with');
    expect(reasons()[1]).toContain('master.key');
    expect(backups()).toEqual(nights);
    expect(existsSync(key)).toBe(false);
    expect(await listed()).toHaveLength(1);
    writeFileSync(key, right);
  });

  test('only in that its result cannot be written is not made again each minute', async () => {
    await startApp();
    const fence = () => Promise.reject(new Error('the database is full'));
    let uptime = 0;
    const nightly = openNightlyBackups(
      { ...app.context, leases: { ...app.context.leases, fence } },
      () => uptime,
    );
    await expect(nightly.look()).rejects.toThrow('the database is full');
    app.clock.advance(MINUTE);
    await nightly.look();
    expect(backups()).toEqual(['haris-2026-11-20-100000.backup']);
    uptime = HOUR;
    await expect(nightly.look()).rejects.toThrow('the database is full');
    // Two of one day do not fill the folder either.
    expect(backups()).toEqual(['haris-2026-11-20-100100.backup']);
  });

  test.skipIf(testDialect !== 'sqlite')('for lack of room has copied nothing', async () => {
    await startApp();
    // A file with a hole that no disk has room for.
    truncateSync(join(app.dataDir, 'haris.db'), 4 * 1024 ** 4);
    await lookOnce();
    expect(reasons()).toEqual([expect.stringMatching(/^There is no room for it in .*backups, which holds/)]);
    expect(backups()).toEqual([]);
    expect(await listed()).toHaveLength(1);
  });

  test('without some photos deletes no old one, and is told until one is complete', async () => {
    await startApp();
    const { db, config } = app.context;
    await app.makeChild(await app.makeFamily());
    const photos = await db.selectFrom('photo_bodies').selectAll().execute();
    await db.deleteFrom('photo_bodies').execute();
    const nights = makeOldNights();
    await lookOnce();
    expect(backups()).toEqual([...nights, 'haris-2026-11-20-100000.backup']);
    const [incident, ...more] = await listed();
    expect(more).toEqual([]);
    const surroundings = openSurroundings(config);
    expect((await surroundings.backup()).nightly).toMatchObject({ failedAt: null, missing: photos.length });
    await surroundings.close();
    await db.insertInto('photo_bodies').values(photos).execute();
    // Only the next night: a retry would be without them too.
    app.clock.advance(HOUR);
    await lookOnce();
    expect((await listed()).map(({ _id }) => _id)).toEqual([incident?._id]);
    app.clock.advance(23 * HOUR);
    await lookOnce();
    expect(await listed()).toEqual([]);
    expect(backups().length).toBeLessThan(nights.length);
  });

  test('is told after 36 hours without one, but not while a start or a wake-up still makes it up', async () => {
    await startApp();
    const { context, clock } = app;
    const now = clock.now();
    const good = {
      night: '2026-11-19',
      failedAt: null,
      missing: 0,
      triedAt: null,
      trialFailedAt: null,
      folder,
      since: now - 90 * HOUR,
      running: null,
    };
    await writeNightly(context.db, { ...good, madeAt: now - HOUR });
    let uptime = 40 * HOUR;
    const detect = detectFailedBackup(context, () => uptime);
    const look = async () => {
      const detection = await detect(now);
      if (detection?.findings.length) return detection.findings;
      return detection?.goingOn?.has('backup_failed') ? 'as before' : 'well';
    };
    expect(await look()).toBe('well');
    // The machine slept over a weekend, in which its uptime stood still.
    await writeNightly(context.db, { ...good, madeAt: now - 36 * HOUR - 1 });
    expect(await look()).toBe('as before');
    uptime += 4 * HOUR - 1;
    expect(await look()).toBe('as before');
    uptime += 1;
    expect(await look()).toMatchObject([{ kind: 'backup_failed', value: 36, limit: 36 }]);
    await writeNightly(context.db, { ...good, madeAt: now - 36 * HOUR });
    expect(await look()).toBe('well');
    await writeNightly(context.db, { ...good, night: null, madeAt: null });
    expect(await look()).toBe('as before');
    uptime += 4 * HOUR;
    expect(await look()).toMatchObject([{ value: null }]);
  });
});

describe('a restore on a new machine, where nothing but the folder is left', () => {
  const RECORDS = '.haris-records';
  let count = 0;
  /** Restores into an embedded database, whatever kind the backup is of. */
  const restore = async (name: string) => {
    const key = await runServerProgram('backup', ['--recovery-key'], app.env);
    const dataDir = join(scratch, `machine-${++count}`);
    const answer = await runServerProgram('restore', [join(folder, name)], {
      DATA_DIR: dataDir,
      RECOVERY_KEY: key.text.split('\n')[0] ?? '',
    });
    return { ...answer, dataDir };
  };

  test('knows from the copy beside the backups who was deleted since', async () => {
    await startApp();
    const family = await app.makeFamily();
    await app.makeChild(family);
    await lookOnce();
    const [first = ''] = backups();
    await app.expect(200, 'DELETE', `/api/parent/delete-parent/${family.id}`, { token: await app.staff() });
    app.clock.advance(24 * HOUR);
    await lookOnce();
    expect(statSync(join(folder, RECORDS)).mode & 0o777).toBe(0o600);
    // Ids are not read from the share.
    expect(readFileSync(join(folder, RECORDS)).toString('latin1')).not.toContain(family.id);

    const known = await restore(first);
    expect(known, known.text).toMatchObject({ code: 0 });
    expect(known.text).toContain('erasures.log: taken from the copy beside the backup, of ');
    expect(known.text).toMatch(/\d people or faces that were erased since the backup were erased again/);
    expect(known.text).not.toContain('that goes on from this backup');
    expect(readFileSync(join(known.dataDir, 'erasures.log'), 'utf8')).toContain(family.id);
    expect(statSync(join(known.dataDir, 'erasures.log')).mode & 0o777).toBe(0o600);

    // The folder has a file, which knows less: it gets the rest, also after a last line that was cut off.
    const cut = '{"kind":"child","id":"';
    writeFileSync(join(known.dataDir, 'erasures.log'), cut);
    rmSync(join(known.dataDir, 'haris.db'));
    const again = await runServerProgram('restore', [join(folder, first)], { DATA_DIR: known.dataDir });
    expect(again, again.text).toMatchObject({ code: 0 });
    expect(again.text).toMatch(/\d lines that erasures\.log lacked were taken from the copy/);
    expect(again.text).toMatch(/\d people or faces that were erased since the backup were erased again/);
    expect(readFileSync(join(known.dataDir, 'erasures.log'), 'utf8')).toContain(`${cut}\n{`);

    // A night after a restore that did not take the copy: what the copy knows stays in it.
    rmSync(join(app.dataDir, 'erasures.log'));
    writeFileSync(join(app.dataDir, 'erasures.log'), '');
    app.clock.advance(24 * HOUR);
    await lookOnce();
    expect((await restore(first)).text).toMatch(/were erased again/);

    // Beside nightly backups there should be one.
    renameSync(join(folder, RECORDS), join(scratch, RECORDS));
    expect((await restore(first)).text).toContain(`There is no ${RECORDS} beside `);
    renameSync(join(scratch, RECORDS), join(folder, RECORDS));

    // Somebody with access to the share has changed it: as if there were none.
    const bytes = readFileSync(join(folder, RECORDS));
    bytes[60] = (bytes[60] ?? 0) ^ 1;
    writeFileSync(join(folder, RECORDS), bytes);
    const changed = await restore(first);
    expect(changed, changed.text).toMatchObject({ code: 0 });
    expect(changed.text).toContain(`(${RECORDS}) does not count.`);
    expect(changed.text).toContain('no erasures.log that goes on from this backup');
    expect(changed.text).not.toContain('erased again');
    expect(existsSync(join(changed.dataDir, 'erasures.log'))).toBe(false);
    // The next night keeps it under another name.
    app.clock.advance(24 * HOUR);
    await lookOnce();
    const apart = filesIn().filter((name) => name.startsWith(`${RECORDS}.`));
    expect(apart).toEqual([expect.stringMatching(/^\.haris-records\.\d{4}-\d\d-\d\d$/)]);
    expect(readFileSync(join(folder, apart[0] ?? ''))).toEqual(bytes);
    expect((await restore(first)).text).not.toContain('does not count');
  });
});

describe('the folder', () => {
  test('of which only the empty place is there, because its disk is not, gets nothing', async () => {
    await startApp();
    await lookOnce();
    expect(filesIn()).toHaveLength(3);
    const away = join(scratch, 'away');
    renameSync(folder, away);
    mkdirSync(folder);
    app.clock.advance(24 * HOUR);
    await lookOnce();
    expect(filesIn()).toEqual([]);
    expect(reasons()).toEqual([expect.stringContaining(`now has no ${MARK}. Is its disk or share mounted?`)]);
    expect(await listed()).toHaveLength(1);
    // A new disk on purpose.
    writeFileSync(join(folder, MARK), '');
    app.clock.advance(HOUR);
    await lookOnce();
    expect(backups()).toEqual(['haris-2026-11-21-110000.backup']);
    expect(readFileSync(join(folder, MARK), 'utf8')).toBe(readFileSync(join(away, MARK), 'utf8'));
  });

  test('of another installation is left alone', async () => {
    await startApp();
    writeFileSync(join(folder, MARK), 'somebody else\n');
    await lookOnce();
    expect(filesIn()).toEqual([MARK]);
    expect(reasons()).toEqual([expect.stringContaining('has the backups of another installation')]);
  });

  test('below the data folder is refused at the start, and by another way into it at night', async () => {
    const way = join(scratch, 'way');
    await startApp(way);
    mkdirSync(join(app.dataDir, 'media'));
    symlinkSync(join(app.dataDir, 'media'), way);
    await lookOnce();
    expect(filesIn(way)).toEqual([]);
    expect(reasons()).toEqual([`${way} must be a folder apart from the data folder.`]);
    const inside = join(scratch, 'data', 'backups');
    const refused = await runProgram({ ...NO_VISION, DATA_DIR: join(scratch, 'data'), BACKUP_DIR: inside });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toBe(
      `Haris cannot start: BACKUP_DIR must be a folder apart from DATA_DIR, best on another disk (it is "${inside}")\n`,
    );
  });
});
