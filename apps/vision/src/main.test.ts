import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { visionPaths } from '@haris/contract/vision';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { loadTestRecognizer } from './testing/engine.ts';

const program = join(import.meta.dirname, 'main.ts');
const TOKEN = 'a-token-of-the-tests';
const children: ChildProcess[] = [];

beforeAll(async () => {
  // Export the networks if they are missing, so that the process finds them.
  await loadTestRecognizer();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function start(env: Record<string, string>, ipc: boolean): ChildProcess {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])],
  });
  children.push(child);
  return child;
}

async function readLine(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  return text.trim();
}

async function exitOf(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return { code: child.exitCode, signal: child.signalCode };
}

it('says where it listens, answers there, and exits 0 on SIGTERM', async () => {
  const child = start({ VISION_TOKEN: TOKEN }, false);
  const line = await readLine(child);
  expect(line).toMatch(/^vision ready on http:\/\/127\.0\.0\.1:\d+$/);
  const url = line.slice('vision ready on '.length);
  expect((await fetch(url + visionPaths.health)).status).toBe(200);
  const stranger = await fetch(url + visionPaths.enrol, { method: 'POST', body: new Uint8Array([1]) });
  expect(stranger.status).toBe(401);
  child.kill('SIGTERM');
  expect(await exitOf(child)).toEqual({ code: 0, signal: null });
});

it('tells its parent the port, and ends when the parent is gone', async () => {
  const child = start({ VISION_TOKEN: TOKEN }, true);
  const [message] = await once(child, 'message');
  expect(message).toEqual({ type: 'ready', port: expect.any(Number) });
  expect((await fetch(`http://127.0.0.1:${message.port}${visionPaths.health}`)).status).toBe(200);
  child.disconnect();
  expect(await exitOf(child)).toEqual({ code: 0, signal: null });
});

it.each([
  ['VISION_TOKEN', {}],
  ['VISION_TOKEN', { VISION_TOKEN: 'short-secret' }],
  ['VISION_PORT', { VISION_TOKEN: TOKEN, VISION_PORT: '99999' }],
])('does not start with a wrong %s, and says so without secrets', async (name, env) => {
  const child = start(env, false);
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  expect((await exitOf(child)).code).toBe(1);
  expect(errors).toMatch(new RegExp(`^${name} must be`));
  expect(errors).not.toContain('short-secret');
});

it('does not listen to the network without TLS, unless that was plainly asked for', async () => {
  const env = { VISION_TOKEN: TOKEN, VISION_HOST: '0.0.0.0' };
  const child = start(env, false);
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  expect((await exitOf(child)).code).toBe(1);
  expect(errors).toMatch(/^VISION_TLS_CERT and VISION_TLS_KEY must be set .*\n$/);
  const asked = start({ ...env, VISION_WITHOUT_TLS: 'yes' }, false);
  expect(await readLine(asked)).toMatch(/^vision ready on http:/);
});

it('does not start without its networks, and says how to make them', async () => {
  const child = start({ VISION_TOKEN: TOKEN, VISION_MODELS_DIR: '/nonexistent' }, false);
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  expect((await exitOf(child)).code).toBe(1);
  expect(errors).toContain('export.ts');
});
