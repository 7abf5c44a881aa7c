/** `npm run doctor`: on data of a running server, of a stopped one, and where something is wrong. */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from './config.ts';
import { inTransaction } from './db/transaction.ts';
import type { Told } from './features/doctor/judgement.ts';
import { openReader } from './features/doctor/open-surroundings.ts';
import { writeMailServer } from './mail/server.ts';
import { makeClock } from './testing/clock.ts';
import { type FreshDatabase, freshDb, testDialect } from './testing/database.ts';
import { ADMIN_EMAIL, ADMIN_PASSWORD, startTestApp, type TestApp } from './testing/harness.ts';
import { mayRun, NOBODY } from './testing/other-user.ts';
import { runServerProgram } from './testing/server-programs.ts';
import { masterKeyFile, recoveryKeyOf } from './vault/master-key.ts';
import { VERSION } from './version.ts';

let scratch: string;
let dataDir: string;
let database: FreshDatabase;
let env: Record<string, string>;
beforeEach(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'haris-doctor-'));
  dataDir = join(scratch, 'data');
  database = await freshDb();
  env = {
    DATA_DIR: dataDir,
    MQTT_PORT: '0',
    // Nothing listens there.
    PORT: '9',
    ...(database.url ? { DATABASE_URL: database.url } : {}),
  };
});
afterEach(async () => {
  await database.drop();
  rmSync(scratch, { recursive: true, force: true });
});

/** A server on the data, with the machine's own time, as the program has. */
async function withApp<T>(work: (app: TestApp) => Promise<T>): Promise<T> {
  const app = await startTestApp({ config: env, clock: makeClock(Date.now()) });
  return work(app).finally(() => app.close());
}

async function listen(app: TestApp): Promise<string> {
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  return String((app.app.server.address() as AddressInfo).port);
}

/** Whatever time it takes. */
const PATIENT = { NODE_OPTIONS: `--import=${new URL('./testing/patient-doctor.ts', import.meta.url).href}` };
const doctor = (words: string[], more: Record<string, string> = {}, options: { uid?: number } = {}) =>
  runServerProgram('doctor', words, { ...PATIENT, ...env, ...more }, options);

async function examine(more: Record<string, string> = {}, options: { uid?: number } = {}) {
  const { code, text } = await doctor(['--json'], more, options);
  const findings = JSON.parse(text) as Told[];
  return { code, text, of: (id: string) => findings.find((finding) => finding.id === id) };
}

/**
 * Names, sizes, modes, times and bytes of all files, and of the folder. Without the time of `-shm`: each reader makes this
 * index of the log anew where a program has left a log, as the backup does.
 */
function stateOf(folder: string): string[] {
  return ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()].map((name) => {
    const path = join(folder, name);
    const { size, mode, mtimeMs } = statSync(path);
    const bytes = statSync(path).isFile()
      ? createHash('sha256').update(readFileSync(path)).digest('hex')
      : '';
    return [name, size, mode, name.endsWith('-shm') ? '' : mtimeMs, bytes].join(' ');
  });
}

test('beside a running server it tells what runs; of a stopped one it reads the data and changes nothing', async () => {
  await withApp(async (app) => {
    const port = await listen(app);
    await app.staff();
    const { code, of } = await examine({ PORT: port });
    expect(of('version')).toEqual({ id: 'version', state: 'ok', detail: VERSION });
    expect(of('server')).toMatchObject({ state: 'ok', detail: `Haris answers at port ${port}.` });
    expect(of('database')).toMatchObject({
      // On PostgreSQL, the tests may run as a superuser.
      state: testDialect === 'sqlite' ? 'ok' : expect.stringMatching(/^(ok|warn)$/),
      detail: expect.stringMatching(testDialect === 'sqlite' ? /^SQLite, .*no damage known$/ : /^PostgreSQL/),
    });
    for (const id of ['folder', 'clock', 'keys', 'engine', 'broker', 'cameras'])
      expect(of(id), id).toMatchObject({ state: 'ok' });
    // No family would be lost.
    expect(of('backup')).toMatchObject({ state: 'warn' });
    expect(code).toBe(0);
    await app.makeFamily();
    const later = await examine({ PORT: port });
    expect(later.of('backup')).toMatchObject({ state: 'bad' });
    expect(later.code).toBe(1);
  });
  expect(await runServerProgram('backup', [join(scratch, 'all.backup')], env)).toMatchObject({ code: 0 });

  const before = stateOf(dataDir);
  const { code, of } = await examine();
  expect(stateOf(dataDir)).toEqual(before);
  expect(of('server')).toMatchObject({ state: 'warn' });
  expect(of('engine')).toMatchObject({ state: 'unknown' });
  expect(of('backup')).toMatchObject({ state: 'ok', detail: 'The last one is 0 days old.' });
  expect(of('mail')).toMatchObject({ state: 'warn' });
  expect(of('keys')).toMatchObject({ state: 'ok' });
  if (testDialect === 'sqlite')
    expect(of('database')).toMatchObject({
      state: 'ok',
      detail: expect.stringMatching(/no damage known$/),
    });
  expect(code).toBe(0);
  // The server starts on what it looked at.
  await withApp((app) => app.signIn('admin', ADMIN_EMAIL, ADMIN_PASSWORD));
});

test('it says no secret and no name', async () => {
  const passwords = {
    SMTP_URL: 'smtps://desk:smtp-secret@smtp.example.org',
    MQTT_URL: 'mqtt://haris:mqtt-secret@127.0.0.1:9',
    VISION_URL: 'http://127.0.0.1:9',
    VISION_TOKEN: 'vision-token-secret',
    OIDC_ISSUER: 'https://login.example.org',
    OIDC_CLIENT_ID: 'haris',
    OIDC_CLIENT_SECRET: 'oidc-secret',
    OIDC_NAME: 'Ours',
    ADMIN_PASSWORD: 'admin-secret',
    RECOVERY_KEY: 'recovery-secret',
    PUBLIC_URL: 'https://someone:url-secret@127.0.0.1:9',
  };
  await withApp(async (app) => {
    const token = await app.staff();
    const family = await app.makeFamily({ name: 'Nadia Fouad', email: 'nadia@family.test' });
    await app.makeChild(family, 'Youssef Fouad');
    await app.expect(201, 'POST', '/api/cameras', {
      token,
      json: {
        name: 'Camera of the hall',
        area: 'Hall',
        kind: 'rtsp',
        url: 'rtsp://viewer:camera-secret@192.168.7.7/stream',
      },
    });
    await inTransaction(app.context.db, ({ trx }) =>
      writeMailServer(trx, app.context.vault, {
        host: 'mail.example.org',
        port: 465,
        security: 'tls',
        user: 'desk',
        password: 'mail-secret',
        from: 'desk@example.org',
      }),
    );
    const port = await listen(app);
    const key = readFileSync(masterKeyFile(dataDir));
    for (const more of [
      {},
      { PORT: port },
      { ...passwords, PORT: port },
      passwords,
      { SMTP_URL: 'ftp://u:smtp-secret@x' },
    ])
      for (const words of [[], ['--json']]) {
        const { text } = await doctor(words, more);
        expect(text).toContain('version');
        for (const hidden of [
          'secret',
          'Nadia',
          'Youssef',
          'family.test',
          'desk',
          'viewer',
          token,
          family.password,
          key.toString('hex'),
          key.toString('base64'),
          recoveryKeyOf(dataDir),
          ...(database.url
            ? [database.url, new URL(database.url).password].filter((word) => word !== '')
            : []),
        ])
          expect(text).not.toContain(hidden);
      }
    const { of } = await examine({ PORT: port });
    expect(of('mail')).toMatchObject({ state: 'ok', detail: 'Sent by mail.example.org' });
    const { of: withThose } = await examine({ ...passwords, PORT: port });
    expect(withThose('mail')).toMatchObject({ state: 'ok', detail: 'Sent by smtp.example.org' });
  });
});

test('a check that would write is refused by the database', async () => {
  async function tryToWrite(): Promise<void> {
    const { read, close } = openReader(loadConfig(env, { demo: false, base: scratch }));
    const writing = read((db) => db.insertInto('meta').values({ key: 'doctor', value: '' }).execute());
    await expect(writing).rejects.toThrow(/read-?only/);
    await close();
  }
  await withApp(tryToWrite);
  await tryToWrite();
});

test('in an empty folder, or none, it says what is missing and makes nothing', async () => {
  const none = await examine();
  expect(none.of('folder')).toMatchObject({ state: 'bad', todo: expect.stringContaining('DATA_DIR') });
  expect(none.code).toBe(1);
  expect(existsSync(dataDir)).toBe(false);
  mkdirSync(dataDir, { mode: 0o700 });
  const empty = await examine();
  expect(empty.of('folder')).toMatchObject({ state: 'ok' });
  expect(empty.of('database')).toMatchObject({ state: 'bad', todo: expect.any(String) });
  expect(empty.of('keys')).toMatchObject({ state: 'unknown' });
  expect(empty.of('mail')).toMatchObject({ state: 'unknown', detail: 'There is no database yet.' });
  expect(empty.code).toBe(1);
  expect(readdirSync(dataDir)).toEqual([]);
});

test('what this user cannot open is unknown, and nothing is said to be missing', async ({ skip }) => {
  const isRoot = process.getuid?.() === 0;
  if (isRoot && !mayRun(NOBODY)) skip('another user may not enter the folder of the program');
  await withApp(async (app) => void (await app.staff()));
  chmodSync(scratch, 0o755);
  chmodSync(dataDir, isRoot ? 0o700 : 0);
  const { of } = await examine({}, isRoot ? { uid: NOBODY } : {});
  chmodSync(dataDir, 0o700);
  expect(of('folder')?.state).toMatch(/warn|bad/);
  for (const id of ['database', 'keys', 'backup', 'restore'])
    expect(of(id)).toMatchObject({ state: 'unknown', detail: 'This user cannot open DATA_DIR.' });
});

test('a database of a newer Haris, and one whose key is another, is bad in the words of a start', async () => {
  await withApp(async (app) => void (await app.staff()));
  const key = readFileSync(masterKeyFile(dataDir));
  writeFileSync(masterKeyFile(dataDir), Buffer.alloc(32, 1));
  const another = await examine();
  expect(another.of('database')).toMatchObject({
    state: 'bad',
    detail: expect.stringContaining('is not the one that this database was made with'),
  });
  rmSync(masterKeyFile(dataDir));
  const missing = await examine();
  expect(missing.of('keys')).toMatchObject({ state: 'bad', detail: 'The master key is missing.' });
  expect(existsSync(masterKeyFile(dataDir))).toBe(false);
  // Others may read it, and it stays so: the next start closes it.
  writeFileSync(masterKeyFile(dataDir), key, { mode: 0o644 });
  expect((await examine()).of('keys')).toMatchObject({ state: 'bad' });
  expect(statSync(masterKeyFile(dataDir)).mode & 0o777).toBe(0o644);
  await withApp(async (app) => {
    await sql`insert into kysely_migration (name, timestamp) values ('999-later', '2030-01-01')`.execute(
      app.context.db,
    );
  });
  const newer = await examine();
  expect(newer.of('database')).toMatchObject({
    state: 'bad',
    detail: expect.stringContaining('newer Haris (it has 999-later)'),
  });
  expect(newer.of('mail')).toMatchObject({ state: 'unknown', detail: 'The database cannot be asked.' });
  expect(newer.code).toBe(1);
});

test.runIf(testDialect === 'sqlite')('a damaged database is bad, and stays as it is', async () => {
  await withApp(async (app) => void (await app.staff()));
  const file = join(dataDir, 'haris.db');
  const whole = readFileSync(file);
  const pages = Buffer.from(whole);
  // The second half is not read by the checks themselves.
  pages.fill(7, whole.length >> 1);
  for (const bytes of [Buffer.concat([Buffer.alloc(16, 7), whole.subarray(16)]), pages]) {
    writeFileSync(file, bytes);
    const { code, of } = await examine();
    expect(of('database')).toMatchObject({ state: 'bad', detail: expect.stringContaining('damaged') });
    expect(code).toBe(1);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  }
  expect(readdirSync(dataDir).filter((name) => name.startsWith('haris.db'))).toEqual(['haris.db']);
});

test.runIf(testDialect === 'sqlite')(
  'another program at the port is bad; so is a wrong setting',
  async () => {
    const other = createServer((_request, response) => response.end('{"status":"ok"}'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    expect((await examine({ PORT: String(port) })).of('server')).toMatchObject({
      state: 'bad',
      detail: `Another program uses port ${port}.`,
    });
    await new Promise((resolve) => other.close(resolve));
    const { code, of } = await examine({ PORT: 'abc' });
    expect(of('settings')).toMatchObject({ state: 'bad', detail: expect.stringContaining('PORT must be') });
    expect(code).toBe(1);
    expect(await doctor(['--fix'])).toMatchObject({
      code: 2,
      text: expect.stringContaining('npm run doctor'),
    });
  },
);

test.runIf(testDialect === 'postgres')('a database server that does not answer is bad', async () => {
  const { code, of } = await examine({ DATABASE_URL: 'postgres://haris:pg-secret@127.0.0.1:9/haris' });
  expect(of('database')).toMatchObject({ state: 'bad', detail: 'DATABASE_URL does not answer.' });
  expect(code).toBe(1);
});
