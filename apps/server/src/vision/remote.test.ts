/** A face engine on another machine, with the real programs: over TLS, and for one server at a time. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { makeCertificate } from '../testing/certificate.ts';
import { launchProgram, type Program, runProgram, startProgram } from '../testing/program.ts';

const within = { timeout: 240_000, interval: 50 };
const TOKEN = 'a-token-of-the-tests';
/** Shorter limits than in the product, so that the engine is soon free after a server was killed. */
const program = fileURLToPath(new URL('../../../vision/src/testing/program.ts', import.meta.url));
const LIMITS = JSON.stringify({ pingMs: 1_000, graceMs: 1_000 });

let folder: string;
let engine: ChildProcess;
let settings: Record<string, string>;
let folders = 0;
const servers: Program[] = [];

/** Returns the address at which the engine listens. */
async function startEngine(env: Record<string, string>): Promise<string> {
  engine = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, VISION_TOKEN: TOKEN, LOG_LEVEL: 'fatal', TEST_LIMITS: LIMITS, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(engine.stdout ?? engine, 'data');
  const url = /^vision ready on (\S+)$/m.exec(String(line))?.[1];
  if (!url) throw new Error(`the engine did not start: ${line}`);
  return url;
}

/** Settings of a server with its own data folder. */
const ofNewServer = () => ({
  ...settings,
  DATA_DIR: join(folder, `data-${++folders}`),
  LOG_LEVEL: 'info',
});

async function startServer(more: Record<string, string> = {}): Promise<Program> {
  const server = await startProgram({ ...ofNewServer(), ...more });
  servers.push(server);
  return server;
}

const faces = async ({ url }: Program) =>
  ((await (await fetch(`${url}/readyz`)).json()) as { parts: { faces: string } }).parts.faces;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'haris-remote-'));
  const { cert, key } = makeCertificate(folder, 'engine');
  const url = await startEngine({ VISION_TLS_CERT: cert, VISION_TLS_KEY: key });
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  settings = { VISION_URL: url, VISION_TOKEN: TOKEN, VISION_CA: cert };
}, 120_000);
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.kill('SIGTERM');
    await server.ended;
  }
});
afterAll(() => {
  engine?.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

test('a server asks an engine over TLS and believes only the authority that it was given', async () => {
  const server = await startServer();
  await expect.poll(() => faces(server), within).toBe('ok');
  const stranger = await startServer({ VISION_CA: makeCertificate(folder, 'another').cert });
  expect(await faces(stranger)).toBe('down');
  const unknown = await startServer({ VISION_CA: '' });
  expect(await faces(unknown)).toBe('down');
  expect(await faces(server)).toBe('ok');
});

test('a second server on the engine is refused in one line, and the first one’s wire never breaks', async () => {
  const first = await startServer();
  await expect.poll(() => faces(first), within).toBe('ok');
  const second = await runProgram(ofNewServer());
  expect(second.code).toBe(1);
  const lines = second.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
  expect(lines).toEqual([
    'Haris cannot start: VISION_URL is in use by another server. Give this server a face engine of its own (leave VISION_URL unset), or end the other server.',
  ]);
  expect(await faces(first)).toBe('ok');
  expect(first.stderr()).not.toMatch(/wire|another server/);
});

test('an engine of another version is refused in one line', async () => {
  const old = createServer((request, response) => {
    response.writeHead(request.method === 'POST' ? 204 : 200);
    response.end(request.method === 'POST' ? '' : '{"status":"ok","model":"m","galleryRevision":null}');
  });
  old.listen(0, '127.0.0.1');
  await once(old, 'listening');
  try {
    const { port } = old.address() as AddressInfo;
    const server = await runProgram({ ...ofNewServer(), VISION_URL: `http://127.0.0.1:${port}` });
    expect(server.code).toBe(1);
    expect(server.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'))).toEqual([
      'Haris cannot start: VISION_URL is a face engine of another version of Haris. Install the same version on both machines.',
    ]);
  } finally {
    old.close();
  }
});

test('a server takes the engine over at once from one that ended, and soon from one that was killed', async () => {
  const first = await startServer();
  await expect.poll(() => faces(first), within).toBe('ok');
  first.kill('SIGTERM');
  await first.ended;
  const second = await startServer();
  expect(second.stderr()).not.toContain('waiting for its end');
  await expect.poll(() => faces(second), within).toBe('ok');
  const waiting = launchProgram(ofNewServer());
  await expect.poll(waiting.stderr, within).toContain('waiting for its end');
  second.kill('SIGKILL');
  await second.ended;
  const third = { ...waiting, url: await waiting.ready };
  servers.push(third);
  await expect.poll(() => faces(third), within).toBe('ok');
});
