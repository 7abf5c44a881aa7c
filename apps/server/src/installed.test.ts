/** The package, as a nursery installs it: without a network, a build, or anything of this checkout. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OLD_INSTALLATIONS, readOldInstallation, unpackInto } from './testing/old-installation.ts';
import { launchProgram, NO_VISION } from './testing/program.ts';
import { VERSION } from './version.ts';

const packer = fileURLToPath(new URL('../../../scripts/package.mjs', import.meta.url));
/** On the disk, because a test run may keep its temporary folder in memory, and outside of the checkout's packages. */
const place = mkdtempSync('/var/tmp/haris-installed-');
const at = (name: string) => join(place, name);
const haris = at('prefix/bin/haris');
/** Of a person with an empty home. Nothing of the test run reaches the programs: no NODE_OPTIONS, and no settings of npm. */
const envOf = (home: string) => ({
  PATH: process.env.PATH ?? '',
  HOME: at(home),
  npm_config_cache: at('cache'),
});
const env = envOf('home');
const started: { kill(signal: NodeJS.Signals): void; ended: Promise<unknown> }[] = [];

/** Runs a program in an empty folder to its end. */
const run = (command: string, ...args: string[]) => runAs(env, command, ...args);

function runAs(
  who: Readonly<Record<string, string>>,
  command: string,
  ...args: string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(command, args, { cwd: at('empty'), env: who, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  started.push({ kill: (signal) => void child.kill(signal), ended: ended.catch(() => {}) });
  return ended;
}

/** Starts the server in an empty folder; resolves when it is ready. */
async function start(who: Readonly<Record<string, string>>, ...args: string[]) {
  const server = launchProgram(who, args, { command: [haris], cwd: at('empty') });
  started.push(server);
  const url = await server.ready;
  return {
    url,
    stdout: server.stdout,
    async stop() {
      server.kill('SIGTERM');
      expect(await server.ended).toEqual({ code: 0, signal: null });
    },
  };
}

/** Names of all children, as a member of staff reads them. */
async function readChildren(url: string, email: string, password: string): Promise<string[]> {
  const signedIn = await fetch(`${url}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  expect(signedIn.status).toBe(200);
  const { token } = (await signedIn.json()) as { token: string };
  const answer = await fetch(`${url}/api/children/get-all-children`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(200);
  const { children } = (await answer.json()) as { children: { name: string }[] };
  return children.map(({ name }) => name).sort();
}

beforeAll(async () => {
  for (const name of ['empty', 'home', 'other-home', 'demo-home', 'out']) mkdirSync(at(name));
  const packed = await run(process.execPath, packer, '--fast', '--out', at('out'));
  expect(packed).toMatchObject({ code: 0 });
  const [file = ''] = readdirSync(at('out'));
  expect(file).toMatch(new RegExp(`^haris-${VERSION.replaceAll('.', '\\.')}-.*\\.tgz$`));
  const installed = await run(
    'npm',
    'install',
    '--global',
    '--offline',
    '--prefix',
    at('prefix'),
    join(at('out'), file),
  );
  expect(installed).toMatchObject({ code: 0 });
  rmSync(at('out'), { recursive: true });
});
afterAll(async () => {
  for (const program of started) {
    program.kill('SIGKILL');
    await program.ended;
  }
  rmSync(place, { recursive: true, force: true });
});

test('the command says its version and its words, and starts nothing for others', async () => {
  expect(await run(haris, '--version')).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
  expect(await run(haris, '--help')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('haris backup FILE'),
  });
  for (const words of [['serve'], ['admin'], ['admin', 'delete']])
    expect(await run(haris, ...words)).toMatchObject({ code: 2, stdout: '' });
  expect(await run(haris, 'restore')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('haris restore'),
  });
});

test('the server starts with its face engine and web app, keeps its data at home, is backed up and stops', async () => {
  const { url, stop } = await start(env);
  expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok', version: VERSION });
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 600_000 }).toBe(200);
  const page = await fetch(url);
  expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  const [, script] = /href="(\/assets\/[^"]+\.js)"/.exec(await page.text()) ?? [];
  expect((await fetch(`${url}${script}`)).status).toBe(200);

  expect(await run(haris, 'backup', at('home/all.backup'))).toMatchObject({ code: 0 });
  expect(existsSync(at('home/all.backup'))).toBe(true);
  expect(await run(haris, 'audit-verify')).toMatchObject({ code: 0 });
  const { stdout: found } = await run(haris, 'doctor', '--json');
  expect(JSON.parse(found)).toContainEqual({
    id: 'folder',
    state: 'ok',
    detail: at('home/.local/share/haris'),
  });
  expect(await run(haris, 'admin', 'recover', '--email', 'nobody@haris.test')).toMatchObject({ code: 1 });

  await stop();
  expect(readdirSync(at('home/.local/share/haris'))).toContain('keys');
  expect(readdirSync(at('empty'))).toEqual([]);
});

test('the pages and files for the operator are where the command says', async () => {
  const { stdout } = await run(haris, '--help');
  const [, pages = ''] = /^How to install.*: (\/.*\/)docs\/operating\.md$/m.exec(stdout) ?? [];
  expect(readFileSync(join(pages, 'docs/operating.md'), 'utf8')).toMatch(/^# Operating Haris$/m);
  expect(readdirSync(join(pages, 'deploy'))).toEqual(expect.arrayContaining(['Caddyfile', 'haris.service']));
  expect(readFileSync(join(pages, 'deploy/haris.service'), 'utf8')).toMatch(
    /^ExecStart=\/opt\/haris\/bin\/haris$/m,
  );
  expect(existsSync(join(pages, '.env.example'))).toBe(true);
});

test('the data of the version before is opened; when its folder is lost, a backup brings it back', async () => {
  const who = envOf('other-home');
  const dataDir = at('other-home/.local/share/haris');
  const file = at('other-home/all.backup');
  const [[, newest]] = OLD_INSTALLATIONS;
  const fixture = readOldInstallation(newest);
  const { email, password } = fixture.admin;
  const people = ['Omar', 'Sara'];
  unpackInto(dataDir, fixture);
  // Faces are not what this is about.
  const updated = await start({ ...who, ...NO_VISION });
  expect(await (await fetch(`${updated.url}/healthz`)).json()).toEqual({ status: 'ok', version: VERSION });
  expect(await readChildren(updated.url, email, password)).toEqual(people);
  // The way back.
  expect(readdirSync(join(dataDir, 'backups'))).toEqual([expect.stringMatching(/^before-.*\.backup$/)]);

  const { stdout: key } = await runAs(who, haris, 'backup', '--recovery-key');
  expect(await runAs(who, haris, 'backup', file)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Backed up \d+ rows and 2 photos to .*, and read it back\.$/m),
  });
  await updated.stop();
  rmSync(dataDir, { recursive: true });
  expect(await runAs(who, haris, 'restore', file)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('haris backup --recovery-key'),
  });
  const restored = await runAs({ ...who, RECOVERY_KEY: key.split('\n')[0] ?? '' }, haris, 'restore', file);
  expect(restored).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Restored \d+ rows and 2 photos /),
  });

  expect(await runAs(who, haris, 'audit-verify')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^The audit log is whole: \d+ rows\.\n$/),
  });
  const examined = await runAs(who, haris, 'doctor');
  expect(examined.stdout).toMatch(/^ok +restore +This data was restored on /m);
  expect(examined.stdout).toMatch(/^ok +database +SQLite, .*no damage known$/m);
  expect(examined.stdout).toMatch(/\n\d+ bad, \d+ warn, \d+ unknown, \d+ ok\n$/);
  const again = await start({ ...who, ...NO_VISION });
  expect(await readChildren(again.url, email, password)).toEqual(people);
  await again.stop();
});

test('the demo starts with its painted people, beside an own folder and not in it', async () => {
  const who = envOf('demo-home');
  const demo = await start(who, '--demo');
  expect(demo.stdout()).toContain('Password: haris-demo\n');
  expect(await readChildren(demo.url, 'director@demo.example', 'haris-demo')).toContain('Omar Hassan');
  await demo.stop();
  expect(readdirSync(at('demo-home/.local/share'))).toEqual(['haris-demo']);
});
