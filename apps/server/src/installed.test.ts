/** The package, as a nursery installs it: without a network, a build, or anything of this checkout. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchProgram } from './testing/program.ts';
import { VERSION } from './version.ts';

const packer = fileURLToPath(new URL('../../../scripts/package.mjs', import.meta.url));
/** On the disk, because a test run may keep its temporary folder in memory, and outside of the checkout's packages. */
const place = mkdtempSync('/var/tmp/haris-installed-');
const at = (name: string) => join(place, name);
const haris = at('prefix/bin/haris');
/** Nothing of the test run reaches the programs: no NODE_OPTIONS, and no settings of npm. */
const env = { PATH: process.env.PATH ?? '', HOME: at('home'), npm_config_cache: at('cache') };
const started: { kill(signal: NodeJS.Signals): void; ended: Promise<unknown> }[] = [];

/** Runs a program in an empty folder to its end. */
function run(
  command: string,
  ...args: string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(command, args, { cwd: at('empty'), env, stdio: ['ignore', 'pipe', 'pipe'] });
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

beforeAll(async () => {
  for (const name of ['empty', 'home', 'out']) mkdirSync(at(name));
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
  const server = launchProgram(env, [], { command: [haris], cwd: at('empty') });
  started.push(server);
  const url = await server.ready;
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

  server.kill('SIGTERM');
  expect(await server.ended).toEqual({ code: 0, signal: null });
  expect(readdirSync(at('home/.local/share/haris'))).toContain('keys');
  expect(readdirSync(at('empty'))).toEqual([]);
});
