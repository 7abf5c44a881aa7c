/** `npm run backup` while the server works, and `npm run restore` somewhere else: everything is there, or nothing is touched. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createLogger } from '@haris/runtime/log';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../db/open.ts';
import { findPhotoBody } from '../db/photos.ts';
import type { Database } from '../db/schema.ts';
import { rowsOf } from '../db/tables.ts';
import { type FreshDatabase, freshDb } from '../testing/database.ts';
import { fakePhoto, makeFakeVision } from '../testing/fake-vision.ts';
import { ADMIN_EMAIL, ADMIN_PASSWORD, type Family, startTestApp, type TestApp } from '../testing/harness.ts';
import { runServerProgram } from '../testing/server-programs.ts';
import { formatLine, parseLines } from './lines.ts';

let app: TestApp;
let staff: string;
let family: Family;
let recoveryKey: string;
const scratch = mkdtempSync(join(tmpdir(), 'haris-backup-'));
const targets: Target[] = [];

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  family = await app.makeFamily();
  await app.makeEmployee();
  for (let n = 0; n < 20; n++) await app.makeChild(family, `Child ${n}`);
  const { sensor, deviceKey } = await app.expect(201, 'POST', '/api/sensors', {
    token: staff,
    json: { name: 'Window', area: 'Playroom', kind: 'haris' },
  });
  await app.expect(202, 'POST', `/api/sensors/${sensor._id}/readings`, {
    headers: { 'x-device-key': deviceKey },
    json: { temperature: 21.5, humidity: 40, mq2: 120 },
  });
  recoveryKey = (await run('backup', ['--recovery-key'])).text.split('\n')[0] ?? '';
});
afterAll(async () => {
  for (const target of targets) await target.database.drop();
  await app.close();
  rmSync(scratch, { recursive: true, force: true });
});

/** Runs one of the two programs on the data of the app, or of `env`. */
const run = (
  program: 'backup' | 'restore',
  words: string[],
  env: Readonly<Record<string, string>> = app.env,
) => runServerProgram(program, words, env);

interface Target {
  readonly dataDir: string;
  readonly database: FreshDatabase;
  readonly env: Readonly<Record<string, string>>;
}

/** A new place: an empty folder, and an empty database if this run uses PostgreSQL. */
async function makeTarget(env: Readonly<Record<string, string>> = {}): Promise<Target> {
  const database = await freshDb();
  const dataDir = join(scratch, `target-${targets.length}`);
  const target = {
    dataDir,
    database,
    env: { DATA_DIR: dataDir, ...(database.url ? { DATABASE_URL: database.url } : {}), ...env },
  };
  targets.push(target);
  return target;
}

/** Every table by name, each row as text, in a stable order; without the time at which the storage was last tried. */
async function dump(db: Kysely<Database>): Promise<Map<string, string[]>> {
  const tables = (await db.introspection.getTables())
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('kysely_'));
  const all = new Map<string, string[]>();
  for (const table of tables.sort()) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db);
    const text = (row: Record<string, unknown>) =>
      JSON.stringify(Object.entries(row).sort(), (_key, value) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
      );
    const kept = rows.filter((row) => row.key !== 'storage_probe');
    all.set(table, kept.map(text).sort());
  }
  return all;
}

async function withTarget<T>(
  { dataDir, database }: Target,
  work: (db: Kysely<Database>) => Promise<T>,
): Promise<T> {
  const opened = await openDatabase({
    databaseUrl: database.url ?? null,
    dataDir,
    log: createLogger('test', 'fatal'),
  });
  try {
    return await work(opened.db);
  } finally {
    await opened.close();
  }
}

/** Every file below a folder with its bytes. */
function filesBelow(folder: string): Map<string, string> {
  if (!existsSync(folder)) return new Map();
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file): [string, string] => [file.slice(folder.length), readFileSync(file).toString('base64')])
      .sort(),
  );
}

/** Starts a server on restored data: sign-in, photo and faces work there. */
async function tryServer(target: Target, child: { id: string; face: string }): Promise<void> {
  const vision = makeFakeVision();
  const other = await startTestApp({ vision, config: target.env });
  try {
    const token = await other.signIn('admin', ADMIN_EMAIL, ADMIN_PASSWORD);
    // Sessions from before the restore are dead.
    const all = '/api/children/get-all-children?limit=200';
    await other.expect(401, 'GET', all, { token: staff });
    const { children } = await other.expect(200, 'GET', all, { token });
    const found = children.find(({ _id }) => _id === child.id);
    expect((await other.ask('GET', String(found?.photo), { token })).status).toBe(200);
    await other.signIn('parent', family.email, family.password);
    const { faces } = await other.expect(200, 'POST', '/check-face', {
      token,
      form: { image: fakePhoto({ face: child.face }) },
    });
    expect(faces[0]?.match?.childId).toBe(child.id);
  } finally {
    await other.close();
  }
}

test('a row of every table can be read back, whatever its columns are called', async () => {
  const tables = await app.context.db.introspection.getTables();
  const lines = tables
    .filter(({ name }) => !name.startsWith('kysely_'))
    .map(({ name, columns }) => ({
      table: name,
      rows: [Object.fromEntries(columns.map((column) => [column.name, null]))],
    }));
  const read = [];
  for await (const line of parseLines(Readable.from(lines.map(formatLine)))) read.push(line);
  expect(read).toEqual(lines);
});

describe('a backup under load', () => {
  test('is one moment: whatever was acknowledged before it is in it, whole, and it can be gone on with', async () => {
    const known = await app.makeChild(family, 'Known', fakePhoto({ face: 'known' }));
    const file = join(scratch, 'load.backup');
    let isOver = false;
    let done = 0;
    const acknowledged: string[] = [];
    /** Adds children with photos, checks them in and out, and sometimes replaces a photo or deletes the child. */
    async function desk(number: number): Promise<void> {
      for (let n = 0; !isOver; n++) {
        const { _id: id } = await app.makeChild(family, `Load ${number} ${n}`);
        await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: staff });
        if (n % 2 === 0)
          await app.expect(200, 'POST', `/api/children/checkout-child/${id}`, { token: staff });
        if (n % 10 === 0)
          await app.expect(200, 'PUT', `/api/children/update-child/${id}`, {
            token: staff,
            form: { photo: fakePhoto() },
          });
        acknowledged.push(id);
        done++;
      }
    }
    const desks = [1, 2, 3].map(desk);
    let before: string[] = [];
    let doneBefore = 0;
    let doneAfter = 0;
    let made: Awaited<ReturnType<typeof run>>;
    try {
      await expect.poll(() => done, { timeout: 240_000 }).toBeGreaterThan(5);
      before = [...acknowledged];
      doneBefore = done;
      made = await run('backup', [file]);
      doneAfter = done;
    } finally {
      // Also after a failure: the next test wants a quiet place.
      isOver = true;
      await Promise.all(desks);
    }
    expect(made).toMatchObject({
      code: 0,
      text: expect.stringMatching(/^Backed up \d+ rows and \d+ photos/),
    });
    expect(doneAfter).toBeGreaterThan(doneBefore);

    const target = await makeTarget({ RECOVERY_KEY: recoveryKey });
    const restored = await run('restore', [file], target.env);
    expect(restored).toMatchObject({
      code: 0,
      text: expect.stringMatching(/The audit log is whole: \d+ rows\./),
    });
    await withTarget(target, async (db) => {
      const source = await dump(app.context.db);
      const copy = await dump(db);
      const audit = await db.selectFrom('audit_log').selectAll().orderBy('seq').execute();
      // The log's rows are the source's first ones, to the letter.
      expect(new Set(source.get('audit_log')).isSupersetOf(new Set(copy.get('audit_log')))).toBe(true);
      expect(audit.map(({ seq }) => Number(seq))).toEqual(audit.map((_, index) => index + 1));
      // What the log says happened is in the other tables, and nothing more: they are of the same moment.
      const counted = (action: string) => audit.filter((row) => row.action === action).length;
      expect(copy.get('children')).toHaveLength(counted('child.created') - counted('child.deleted'));
      const stays = await db.selectFrom('stays').selectAll().execute();
      expect(stays).toHaveLength(counted('child.checked_in'));
      expect(stays.filter(({ exit_time }) => exit_time !== null)).toHaveLength(counted('child.checked_out'));
      const ids = (await db.selectFrom('children').select('id').execute()).map(({ id }) => id);
      expect(new Set(ids).isSupersetOf(new Set(before))).toBe(true);
      expect(source.get('children')?.length).toBeGreaterThan(ids.length);
      // Every photo that a row names, byte for byte, and no other.
      const photos = await db.selectFrom('photos').select('id').execute();
      expect(photos.length).toBeGreaterThanOrEqual(ids.length);
      expect(copy.get('photo_bodies')).toHaveLength(photos.length);
      for (const { id } of photos) {
        const original = await findPhotoBody(app.context.db, id);
        // Replaced since: it is gone from the source.
        if (original) expect(await findPhotoBody(db, id)).toEqual(original);
      }
    });
    await tryServer(target, { id: known._id, face: 'known' });
  });

  test('and one of a quiet moment is equal in every table and every file, before any certificate is back', async () => {
    const file = join(scratch, 'quiet.backup');
    const noTls = { TLS_CERT: join(scratch, 'no.pem'), TLS_KEY: join(scratch, 'no.key'), VISION_CA: scratch };
    expect(await run('backup', [file], { ...app.env, ...noTls })).toMatchObject({ code: 0 });
    const target = await makeTarget({ RECOVERY_KEY: recoveryKey });
    expect(await run('restore', [file], { ...target.env, ...noTls })).toMatchObject({ code: 0 });
    expect(await runServerProgram('audit-verify', [], { ...target.env, ...noTls })).toMatchObject({
      code: 0,
    });
    const copy = await withTarget(target, dump);
    const source = await dump(app.context.db);
    expect([...copy.keys()]).toEqual([...source.keys()]);
    for (const [table, rows] of source)
      expect(copy.get(table), table).toEqual(rowsOf(table) === 'ended' ? [] : rows);
    expect(source.get('sessions')).not.toEqual([]);
    expect(filesBelow(join(target.dataDir, 'keys'))).toEqual(filesBelow(join(app.dataDir, 'keys')));
    // Unreadable without the key.
    const bytes = readFileSync(file).toString('latin1');
    for (const secret of ['Child 1', family.email, ADMIN_EMAIL]) expect(bytes).not.toContain(secret);
  });
});

describe('a restore that cannot be touches nothing', () => {
  let file: string;
  let bytes: Buffer;
  beforeAll(async () => {
    file = join(scratch, 'good.backup');
    await run('backup', [file]);
    bytes = readFileSync(file);
  });

  /** Nothing was made in the folder, and nothing in the database. */
  async function expectUntouched({ dataDir, database }: Target): Promise<void> {
    expect(filesBelow(dataDir).size).toBe(0);
    if (!database.url) return;
    await withTarget({ dataDir, database, env: {} }, async (db) => {
      expect(await db.selectFrom('audit_log').selectAll().execute()).toEqual([]);
      expect(await db.selectFrom('meta').selectAll().execute()).toEqual([]);
    });
  }

  const damaged: [string, (good: Buffer) => Buffer, RegExp][] = [
    ['no backup at all', () => Buffer.from('PK\x03\x04 something else'), /not a Haris backup/],
    ['an empty file', () => Buffer.alloc(0), /cut off/],
    ['a bit flipped in the middle', (good) => flip(good, good.length >> 1), /damaged|another key/],
    ['a bit flipped at the end', (good) => flip(good, good.length - 1), /damaged|another key/],
    ['a bit flipped in a length', (good) => flip(good, 8), /damaged|cut off/],
    ['cut in the middle', (good) => good.subarray(0, good.length >> 1), /cut off|damaged/],
    ['cut by one byte', (good) => good.subarray(0, -1), /cut off/],
    ['something after its end', (good) => Buffer.concat([good, Buffer.from('x')]), /cut off or damaged/],
    ['a second one after its end', (good) => Buffer.concat([good, good.subarray(8)]), /damaged/],
  ];
  test.each(damaged)('%s', async (_what, damage, words) => {
    const target = await makeTarget({ RECOVERY_KEY: recoveryKey });
    const bad = join(scratch, 'bad.backup');
    writeFileSync(bad, damage(bytes));
    const { code, text } = await run('restore', [bad], target.env);
    expect(code).toBe(1);
    expect(text).toMatch(words);
    expect(text).toContain('Nothing was changed.');
    await expectUntouched(target);
  });

  test('another key, half a key, and none: the last says where the key is to be had', async () => {
    const other = await makeTarget({ RECOVERY_KEY: '0123-'.repeat(16) });
    expect(await run('restore', [file], other.env)).toMatchObject({
      code: 1,
      text: expect.stringMatching(/belongs to another key/),
    });
    await expectUntouched(other);
    const half = await makeTarget({ RECOVERY_KEY: recoveryKey.slice(0, 20) });
    expect((await run('restore', [file], half.env)).text).toContain(
      'RECOVERY_KEY must be 64 hexadecimal digits',
    );
    await expectUntouched(half);
    const none = await makeTarget();
    const { code, text } = await run('restore', [file], none.env);
    expect(code).toBe(1);
    expect(text).toMatch(/RECOVERY_KEY.*--recovery-key/);
    await expectUntouched(none);
  });

  test('a place that is in use', async () => {
    const before = await dump(app.context.db);
    const { code, text } = await run('restore', [file]);
    expect(code).toBe(1);
    expect(text).toMatch(/in use by another Haris|There is data already/);
    expect(await dump(app.context.db)).toEqual(before);
    const target = await makeTarget({ RECOVERY_KEY: recoveryKey });
    expect((await run('restore', [file], target.env)).code).toBe(0);
    expect((await run('restore', [file], target.env)).text).toContain('There is data already');
  });

  test('no file, and words that nobody means', async () => {
    const target = await makeTarget({ RECOVERY_KEY: recoveryKey });
    expect((await run('restore', [join(scratch, 'nowhere')], target.env)).text).toContain('(ENOENT)');
    await expectUntouched(target);
    expect((await run('restore', [], target.env)).code).toBe(2);
    expect((await run('backup', [])).code).toBe(2);
    expect((await run('backup', [join(scratch, 'no', 'such', 'folder')])).code).toBe(1);
  });
});

function flip(good: Buffer, at: number): Buffer {
  const bad = Buffer.from(good);
  bad[at] = (bad[at] ?? 0) ^ 1;
  return bad;
}
