/** A backup that could not be restored is never called one; old ones are taken; a start makes one before a migration. */
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLogger } from '@haris/runtime/log';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openFileReadOnly } from '../db/embedded.ts';
import { findMigrations } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { RESTORE_UNFINISHED } from '../installation.ts';
import { type FreshDatabase, freshDb, testDialect } from '../testing/database.ts';
import { tinyJpeg } from '../testing/fake-vision.ts';
import { startTestApp, type TestApp } from '../testing/harness.ts';
import { NO_VISION, runProgram } from '../testing/program.ts';
import { runServerProgram } from '../testing/server-programs.ts';
import { masterKeyFromRecovery, writeMasterKey } from '../vault/master-key.ts';
import { fromCell, parseLines } from './lines.ts';
import { readBackup } from './make.ts';

/** Made by the last version whose photos were files: a parent, two children with photos, a session of the parent. */
const old = {
  file: fileURLToPath(new URL('./fixtures/photos-as-files.backup', import.meta.url)),
  key: '0e09-3a1d-3baf-e70b-535d-367b-70d2-cffa-258f-8713-7274-0815-d41a-dbf9-331a-8a3f',
  schema: '050-adult-faces',
  staff: { email: 'old-desk@haris.test', password: 'old-password' },
  photos: ['a093671c-02e2-4cee-935a-37925971d63b', '5be27845-d423-433c-987d-ef0d14940089'],
  token: 'UsgioNCwpu9VPegwqUNnavr1boruev-apEFucPjq2DU',
};

interface Place {
  readonly dataDir: string;
  readonly database: FreshDatabase;
  readonly env: Record<string, string>;
}

const scratch = mkdtempSync(join(tmpdir(), 'haris-safety-'));
const places: Place[] = [];
let place: Place;
let file: string;
beforeEach(async () => {
  place = await makePlace();
  file = join(place.dataDir, '..', `${places.length}-${Math.random()}.backup`);
});
afterEach(async () => {
  for (const { dataDir, database } of places.splice(0)) {
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  }
  for (const name of readdirSync(scratch)) rmSync(join(scratch, name), { recursive: true, force: true });
});

async function makePlace(): Promise<Place> {
  const dataDir = mkdtempSync(join(scratch, 'place-'));
  const database = await freshDb();
  const env = { DATA_DIR: dataDir, ...(database.url ? { DATABASE_URL: database.url } : {}) };
  const made = { dataDir, database, env };
  places.push(made);
  return made;
}

async function withApp<T>({ env }: Place, work: (app: TestApp) => Promise<T>): Promise<T> {
  const app = await startTestApp({ config: env });
  return work(app).finally(() => app.close());
}

async function withDatabase<T>(
  { dataDir, database }: Place,
  work: (db: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>,
  upTo?: string,
): Promise<T> {
  const log = createLogger('test', 'fatal');
  const opened = await openDatabase({
    databaseUrl: database.url ?? null,
    dataDir,
    log,
    ...(upTo ? { upTo } : {}),
  });
  return work(opened).finally(() => opened.close());
}

const idOf = (photo: unknown) => String(photo).replace('/api/photos/', '');

/** Adds three children; returns the ids of their photos. */
const fill = (where: Place): Promise<string[]> =>
  withApp(where, async (app) => {
    const family = await app.makeFamily();
    const photos: string[] = [];
    for (let n = 0; n < 3; n++) photos.push(idOf((await app.makeChild(family)).photo));
    return photos;
  });

async function recoveryKeyOf({ env }: Place): Promise<string> {
  return (await runServerProgram('backup', ['--recovery-key'], env)).text.split('\n')[0] ?? '';
}

describe('a backup is made only where it can be restored', () => {
  test('with another master key than the database’s: status 1, one line, no file', async () => {
    await fill(place);
    writeFileSync(join(place.dataDir, 'keys', 'master.key'), Buffer.alloc(32, 7));
    const { code, text } = await runServerProgram('backup', [file], place.env);
    expect(code).toBe(1);
    expect(text).toMatch(/^The backup was not made.* is not the one that this database was made with/);
    expect(text.trim().split('\n')).toHaveLength(1);
    expect(existsSync(file)).toBe(false);
    expect(existsSync(join(place.dataDir, 'last-backup.json'))).toBe(false);
  });

  test('lost and unreadable photos are named, the rest is kept, and the status is 3', async () => {
    const [lost = '', unreadable = '', whole = ''] = await fill(place);
    await withDatabase(place, async ({ db }) => {
      await db.deleteFrom('photo_bodies').where('photo_id', '=', lost).execute();
      await db
        .updateTable('photo_bodies')
        .set({ sealed: Buffer.alloc(200, 1) })
        .where('photo_id', '=', unreadable)
        .execute();
    });
    const made = await runServerProgram('backup', [file], place.env);
    expect(made.code).toBe(3);
    expect(made.text).toContain(`The photo ${lost} is lost`);
    expect(made.text).toContain(`The photo ${unreadable} cannot be opened`);
    expect(made.text).not.toContain(whole);
    expect(existsSync(join(place.dataDir, 'last-backup.json'))).toBe(true);
    const target = await makePlace();
    const env = { ...target.env, RECOVERY_KEY: await recoveryKeyOf(place) };
    expect(await runServerProgram('restore', [file], env)).toMatchObject({
      code: 0,
      text: expect.stringContaining(`The photo ${lost} cannot be shown`),
    });
    await withApp(target, async (app) => {
      const token = await app.staff();
      expect((await app.ask('GET', `/api/photos/${whole}`, { token })).status).toBe(200);
      expect((await app.ask('GET', `/api/photos/${lost}`, { token })).status).toBe(404);
    });
  });

  if (testDialect === 'sqlite')
    test('of a damaged database: status 1, one line, no file, and no copy is left behind', async () => {
      await fill(place);
      const database = join(place.dataDir, 'haris.db');
      const { length } = readFileSync(database);
      const handle = openSync(database, 'r+');
      // All pages but the first, which holds the list of tables.
      writeSync(handle, Buffer.alloc(length - 8192, 0x5a), 0, length - 8192, 8192);
      closeSync(handle);
      const { code, text } = await runServerProgram('backup', [file], place.env);
      expect(code).toBe(1);
      expect(text).toMatch(/^The backup was not made.*haris\.db is damaged/);
      expect(text.trim().split('\n')).toHaveLength(1);
      expect(existsSync(file)).toBe(false);
      expect(readdirSync(join(place.dataDir, 'backups'))).toEqual([]);
    });
});

describe('a backup of before photos were rows', () => {
  test('is restored with its photos; its sessions are dead', async () => {
    const restored = await runServerProgram('restore', [old.file], { ...place.env, RECOVERY_KEY: old.key });
    expect(restored).toMatchObject({
      code: 0,
      text: expect.stringMatching(/and 2 photos .*The audit log is whole/s),
    });
    await withApp(place, async (app) => {
      const token = await app.signIn('admin', old.staff.email, old.staff.password);
      for (const id of old.photos) {
        const answer = await app.ask('GET', `/api/photos/${id}`, { token });
        expect(answer.status).toBe(200);
        expect(answer.bytes.equals(tinyJpeg)).toBe(true);
      }
      await app.expect(401, 'GET', '/api/parent/info', { token: old.token });
    });
  });

  test('of an unknown, newer schema is refused, and nothing is touched', async () => {
    await fill(place);
    await withDatabase(place, async ({ db }) => {
      await sql`insert into kysely_migration (name, timestamp) values ('999-later', '2030-01-01')`.execute(
        db,
      );
    });
    expect((await runServerProgram('backup', [file], place.env)).code).toBe(0);
    const target = await makePlace();
    const env = { ...target.env, RECOVERY_KEY: await recoveryKeyOf(place) };
    expect(await runServerProgram('restore', [file], env)).toMatchObject({
      code: 1,
      text: expect.stringMatching(/made by a newer Haris.*\nNothing was changed/),
    });
    expect(readdirSync(target.dataDir)).toEqual([]);
  });
});

test('a server does not start on a restore that was not finished', async () => {
  await fill(place);
  await withDatabase(place, async ({ db }) => {
    await db.insertInto('meta').values({ key: RESTORE_UNFINISHED, value: '1' }).execute();
  });
  const { code, stderr } = await runProgram({ ...place.env, ...NO_VISION, LOG_LEVEL: 'fatal' });
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^Haris cannot start: A restore into this database was not finished\..*\n$/,
    ),
  });
});

describe('before a migration', () => {
  /** As the last version whose photos were files left it. */
  async function makeOldInstallation(where: Place): Promise<void> {
    writeMasterKey(where.dataDir, old.key);
    await withDatabase(
      where,
      async ({ db }) => {
        for (const table of ['gallery', 'audit_head']) await sql`delete from ${sql.table(table)}`.execute(db);
        for await (const line of parseLines(readBackup(old.file, masterKeyFromRecovery(old.key)))) {
          if ('table' in line)
            for (const row of line.rows) {
              const names = Object.keys(row).map((name) => sql.ref(name));
              const values = Object.values(row).map((cell) => sql`${fromCell(cell)}`);
              await sql`insert into ${sql.table(line.table)} (${sql.join(names)}) values (${sql.join(values)})`.execute(
                db,
              );
            }
          if (!('photo' in line)) continue;
          const folder = join(where.dataDir, 'photos', line.photo.slice(0, 2));
          mkdirSync(folder, { recursive: true });
          writeFileSync(join(folder, line.photo), Buffer.from(line.sealed, 'base64'));
        }
        // Rows of tables and columns that later migrations rename.
        await sql`insert into incidents (id, kind, episode, raised_at)
          values ('old-incident', 'backup', 'backup', ${Date.now()})`.execute(db);
        await sql`insert into notice_preferences (account_kind, account_id, value)
          select 'admin', id, ${JSON.stringify({ kinds: { backup: [] }, quietHours: null, areas: ['Hall'] })}
          from admins`.execute(db);
      },
      old.schema,
    );
  }
  const made = () => readdirSync(join(place.dataDir, 'backups')).filter((name) => name.startsWith('before-'));

  test('a start makes a backup by itself, which is the old database with its photos; the newest three are kept', async () => {
    await makeOldInstallation(place);
    mkdirSync(join(place.dataDir, 'backups'));
    for (const n of [1, 2, 3, 4])
      writeFileSync(join(place.dataDir, 'backups', `before-0${n}-2020.backup`), 'older');
    const mine = join(place.dataDir, 'backups', 'mine.backup');
    writeFileSync(mine, 'not of this program');
    const show = async (app: TestApp) => {
      const token = await app.signIn('admin', old.staff.email, old.staff.password);
      for (const id of old.photos)
        expect((await app.ask('GET', `/api/photos/${id}`, { token })).status).toBe(200);
      const { incidents } = await app.expect(200, 'GET', '/api/incidents?state=all', { token });
      expect(incidents).toContainEqual(expect.objectContaining({ _id: 'old-incident', kind: 'backup' }));
      const { preferences } = await app.expect(200, 'GET', '/api/notices/preferences', { token });
      expect(preferences).toMatchObject({ kinds: { backup: [] }, areas: ['Hall'] });
    };
    await withApp(place, show);
    expect(made()).toHaveLength(3);
    expect(existsSync(mine)).toBe(true);
    const [newest] = made().filter((name) => !name.endsWith('-2020.backup'));
    // A second start has nothing to migrate.
    await withApp(place, show);
    expect(made()).toHaveLength(3);

    const target = await makePlace();
    const env = { ...target.env, RECOVERY_KEY: old.key };
    const backup = join(place.dataDir, 'backups', String(newest));
    expect(await runServerProgram('restore', [backup], env)).toMatchObject({ code: 0 });
    await withApp(target, show);
  });

  if (testDialect === 'sqlite')
    test('without room for it the start is refused in one line, and the database stays as it is', async () => {
      await makeOldInstallation(place);
      // A file with a hole that no disk has room for twice.
      const database = join(place.dataDir, 'haris.db');
      truncateSync(database, 4 * 1024 ** 4);
      const { code, stderr } = await runProgram({ ...place.env, ...NO_VISION, LOG_LEVEL: 'fatal' });
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          /^Haris cannot start: .* no room for the backup .*Nothing was changed\.\n$/,
        ),
      });
      const { db, dialect, close } = openFileReadOnly(database);
      expect((await findMigrations(db, dialect)).at(-1)).toBe(old.schema);
      await close();
      expect(made()).toEqual([]);
    });
});
