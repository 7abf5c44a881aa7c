/** The program as a process: starting, refusing to start, stopping (contract §1). */
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
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FreshDatabase, freshDb, testDialect } from './testing/database.ts';
import { holdRequest } from './testing/held-request.ts';
import { NO_VISION, type Program, runProgram, startProgram } from './testing/program.ts';
import { openEvents } from './testing/sse.ts';
import { VERSION } from './version.ts';

let dataDir: string;
let database: FreshDatabase;
let env: Record<string, string>;
const running: Program[] = [];

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'haris-main-'));
  database = await freshDb();
  env = { DATA_DIR: dataDir, ...NO_VISION, ...(database.url ? { DATABASE_URL: database.url } : {}) };
});
afterEach(async () => {
  for (const program of running.splice(0)) {
    program.kill('SIGKILL');
    await program.ended;
  }
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(more: Record<string, string> = {}): Promise<Program> {
  const program = await startProgram({ ...env, ...more });
  running.push(program);
  return program;
}
async function stop(program: Program): Promise<void> {
  program.kill('SIGTERM');
  expect(await program.ended).toEqual({ code: 0, signal: null });
}
const holdSignIn = (program: Program) =>
  holdRequest(`${program.url}/api/admin/login`, { email: 'nobody@haris.test', password: 'wrong-password' });
/** For a program whose stop is looked at, whatever time it takes. */
const PATIENT = { NODE_OPTIONS: `--import=${new URL('./testing/patient.ts', import.meta.url).href}` };
const keyFile = () => join(dataDir, 'keys', 'master.key');
const signIn = async (url: string, email: string, password: string) => {
  const answer = await fetch(`${url}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return { status: answer.status, body: (await answer.json()) as { token: string } };
};

test('the first start makes an administrator, prints the password once, and keeps the key to itself', async () => {
  const first = await start();
  const password = /^The first administrator is admin@localhost with the password (\S+)$/m.exec(
    first.stdout(),
  )?.[1];
  expect((await signIn(first.url, 'admin@localhost', String(password))).status).toBe(200);
  expect(first.stderr()).not.toContain(String(password));
  expect(await (await fetch(`${first.url}/healthz`)).json()).toEqual({ status: 'ok', version: VERSION });
  const ready = await fetch(`${first.url}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({ parts: { database: 'ok', faces: 'down' } });
  expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
  expect(statSync(join(dataDir, 'keys')).mode & 0o777).toBe(0o700);
  await stop(first);
  chmodSync(keyFile(), 0o644);
  const second = await start();
  expect(second.stdout()).not.toContain('administrator');
  expect((await signIn(second.url, 'admin@localhost', String(password))).status).toBe(200);
  expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
});

/** For actions of the program before or beside its database. */
const onceOnly = test.runIf(testDialect === 'sqlite');

onceOnly('--version says the version, and starts nothing', async () => {
  expect(await runProgram({ ...env, PORT: 'abc' }, { args: ['--version'] })).toMatchObject({
    code: 0,
    stdout: `${VERSION}\n`,
    stderr: '',
  });
  expect(readdirSync(dataDir)).toEqual([]);
});

onceOnly(
  'a data folder that was open to others is taken away from them, with all that is in it',
  async () => {
    const photos = join(dataDir, 'photos', 'ab');
    const media = join(dataDir, 'media');
    for (const folder of [photos, media]) mkdirSync(folder, { recursive: true });
    const first = await start();
    await fetch(`${first.url}/api/parent/add`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'A', email: 'a@family.test', phone: '01012345678', password: 'secret-6' }),
    });
    const all = () =>
      readdirSync(dataDir, { recursive: true, withFileTypes: true })
        .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
        .filter(({ path }) => path !== media);
    const wrong = () =>
      all().filter(({ entry, path }) => {
        const mode = statSync(path).mode & 0o777;
        return mode !== (entry.isDirectory() ? 0o700 : 0o600);
      });
    // Another program created the folder, and the folders below it.
    expect(statSync(dataDir).mode & 0o077).toBe(0);
    expect(wrong().map(({ path }) => path)).toEqual([]);
    expect(all().some(({ path }) => path.endsWith('.eml'))).toBe(true);
    await stop(first);
    chmodSync(dataDir, 0o755);
    for (const { entry, path } of all()) chmodSync(path, entry.isDirectory() ? 0o755 : 0o644);
    expect(wrong()).not.toEqual([]);
    await start();
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(wrong().map(({ path }) => path)).toEqual([]);
    // Videos for cameras belong to the operator.
    expect(statSync(media).mode & 0o077).not.toBe(0);
  },
);

test('ADMIN_EMAIL and ADMIN_PASSWORD make the first administrator, and no other after it', async () => {
  const first = await start({ ADMIN_EMAIL: 'boss@haris.test', ADMIN_PASSWORD: 'boss-password' });
  expect(first.stdout()).not.toContain('boss-password');
  expect((await signIn(first.url, 'boss@haris.test', 'boss-password')).status).toBe(200);
  await stop(first);
  const second = await start({ ADMIN_EMAIL: 'other@haris.test', ADMIN_PASSWORD: 'other-password' });
  expect((await signIn(second.url, 'other@haris.test', 'other-password')).status).toBe(401);
});

describe('refuses to start', () => {
  onceOnly('with a wrong setting: one line, and not a secret’s value', async () => {
    expect(await runProgram({ ...env, PORT: 'abc' })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'Haris cannot start: PORT must be a port number from 0 to 65535 (it is "abc")\n',
    });
    const secret = await runProgram({ ...env, ADMIN_PASSWORD: 'hunter2' });
    expect(secret.stderr).toBe(
      'Haris cannot start: ADMIN_PASSWORD must have 8 to 128 characters (its value is not shown)\n',
    );
    expect(existsSync(keyFile())).toBe(false);
  });

  onceOnly('on a port that is taken, having printed the first password', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const refused = await runProgram({ ...env, PORT: String((server.address() as AddressInfo).port) });
    server.close();
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('with the password') });
    expect(refused.stderr).toContain(
      'Haris cannot start: PORT is in use by another program. Set another PORT.\n',
    );
  });

  if (testDialect === 'sqlite')
    test('in a folder that another Haris has; and not once that one was killed', async () => {
      const first = await start();
      const second = await runProgram(env);
      expect(second).toMatchObject({ code: 1, stdout: '' });
      expect(second.stderr).toContain(
        `Haris cannot start: The data folder ${dataDir} is in use by another Haris. Stop that one first, or set DATA_DIR.\n`,
      );
      expect((await fetch(`${first.url}/healthz`)).status).toBe(200);
      first.kill('SIGKILL');
      await first.ended;
      await start();
    });

  if (testDialect === 'postgres')
    test('without its database, and says which setting it is', async () => {
      const away = await runProgram({ ...env, DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:9/haris' });
      expect(away.code).toBe(1);
      expect(away.stderr).toContain('Haris cannot start: DATABASE_URL does not answer.\n');
      const url = new URL(String(database.url));
      url.password = 'hunter2';
      const denied = await runProgram({ ...env, DATABASE_URL: url.href });
      expect(denied.code).toBe(1);
      expect(denied.stderr).toMatch(/^Haris cannot start: DATABASE_URL .*\n$/m);
      url.href = String(database.url);
      url.pathname = '/nowhere';
      const nowhere = await runProgram({ ...env, DATABASE_URL: url.href });
      expect(nowhere.stderr).toMatch(/^Haris cannot start: DATABASE_URL .*\n$/m);
      expect(away.stderr + denied.stderr + nowhere.stderr).not.toContain('hunter2');
    });

  test('with a master key that is missing, damaged or another’s; and starts again with the right one', async () => {
    await stop(await start());
    const right = readFileSync(keyFile());
    const refused = async (): Promise<string> => {
      const { code, stdout, stderr } = await runProgram(env);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      return stderr;
    };
    rmSync(keyFile());
    expect(await refused()).toContain(`The master key ${keyFile()} is missing`);
    expect(existsSync(keyFile())).toBe(false);
    writeFileSync(keyFile(), right.subarray(1));
    expect(await refused()).toContain(`The master key ${keyFile()} is damaged.`);
    writeFileSync(keyFile(), Buffer.alloc(32, 7));
    expect(await refused()).toContain('is not the one that this database was made with');
    writeFileSync(keyFile(), right);
    await start();
  });
});

// Both signals have one handler (`packages/runtime`), so each test sends a different one.
test.each(['SIGTERM'] as const)('%s: finishes what is under way, ends streams, exits 0', async (signal) => {
  const program = await start({
    ADMIN_EMAIL: 'boss@haris.test',
    ADMIN_PASSWORD: 'boss-password',
    ...PATIENT,
  });
  const { token } = (await signIn(program.url, 'boss@haris.test', 'boss-password')).body;
  const stream = await openEvents(Number(new URL(program.url).port), token);
  expect(stream.status).toBe(200);
  const underWay = await holdSignIn(program);
  program.kill(signal);
  await stream.ended;
  expect(program.stderr()).toContain('"stopping"');
  expect(program.child.exitCode).toBeNull();
  expect(await underWay.finish()).toBe(401);
  expect(await program.ended).toEqual({ code: 0, signal: null });
});

test.each(['SIGINT'] as const)(
  '%s that comes twice, as from a terminal through npm, is one stop: exit 0 and a closed database',
  async (signal) => {
    const program = await start(PATIENT);
    // In progress while both signals arrive, so that the stop takes a while.
    const underWay = await holdSignIn(program);
    // Both wait for a program that is held, and reach it together however busy the machine is.
    program.kill('SIGSTOP');
    program.kill(signal);
    program.kill('SIGTERM');
    program.kill('SIGCONT');
    await expect.poll(() => program.stderr(), { timeout: 240_000 }).toContain('"stopping"');
    expect(await underWay.finish()).toBe(401);
    expect(await program.ended).toEqual({ code: 0, signal: null });
    // SQLite deletes its log when the last connection closes.
    expect(existsSync(join(dataDir, 'haris.db-wal'))).toBe(false);
    expect(program.stderr().split('"stopping"')).toHaveLength(2);
  },
);

onceOnly('the log is JSON lines on stderr, one for each answer, without what was asked for', async () => {
  const program = await start({ ADMIN_EMAIL: 'boss@haris.test', ADMIN_PASSWORD: 'boss-password' });
  const { token } = (await signIn(program.url, 'boss@haris.test', 'boss-password')).body;
  await fetch(`${program.url}/api/parent/get-all-parents?search=Layla`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await stop(program);
  const lines = program
    .stderr()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const answered = lines.filter(({ msg }) => msg === 'answered');
  expect(answered).toHaveLength(2);
  expect(answered[1]).toMatchObject({
    level: 'info',
    program: 'server',
    method: 'GET',
    route: '/api/parent/get-all-parents',
    status: 200,
    requestId: expect.any(String),
  });
  for (const trace of ['Layla', token, 'boss@haris.test', 'boss-password'])
    expect(program.stderr()).not.toContain(trace);
});
