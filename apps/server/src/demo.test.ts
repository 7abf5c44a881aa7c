/** `npm start -- --demo` as a process, with its own face engine: becomes ready, is filled, lets people in, and stops. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Program, startProgram } from './testing/program.ts';

const PASSWORD = 'haris-demo';
const OWNER = '/api/admin/login director@demo.example';
const PARENT = '/api/parent/get-parent-by-email-and-password mona@demo.example';

let folder: string;
let running: Program | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'haris-demo-'));
});
afterEach(async () => {
  running?.kill('SIGKILL');
  await running?.ended;
  running = undefined;
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the demo; resolves once all its parts say that they are ready. */
async function startDemo(): Promise<Program> {
  const program = await startProgram({ DATA_DIR: join(folder, 'data') }, ['--demo']);
  running = program;
  await expect.poll(async () => (await fetch(`${program.url}/readyz`)).status).toBe(200);
  return program;
}

async function stop(program: Program): Promise<void> {
  program.kill('SIGTERM');
  expect(await program.ended).toEqual({ code: 0, signal: null });
}

/** Signs in, and asks with that session. */
async function ask({ url }: Program, who: string): Promise<(path: string) => Promise<unknown>> {
  const [path, email] = who.split(' ');
  const signedIn = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  expect(signedIn.status).toBe(200);
  const { token } = (await signedIn.json()) as { token: string };
  return async (asked) => {
    const answer = await fetch(`${url}${asked}`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
    return answer.json();
  };
}

const child = (name: string, isInside: boolean) => expect.objectContaining({ name, isInside });

test('a demo starts, shows its families, and starts again with the same ones', async () => {
  const first = await startDemo();
  expect(first.stdout()).toContain(`Password: ${PASSWORD}\n`);
  await stop(first);
  const again = await startDemo();
  const owner = await ask(again, OWNER);
  expect(await owner('/api/children/get-all-children')).toMatchObject({ total: 5 });
  expect(await owner('/api/parent/get-all-parents')).toMatchObject({ total: 3 });
  expect(await owner('/api/cameras')).toMatchObject({ cameras: [{ name: 'DEMO room' }] });
  const parent = await ask(again, PARENT);
  expect(await parent('/api/children/get-all-children')).toMatchObject({
    children: expect.arrayContaining([child('Omar Hassan', true), child('Layla Hassan', false)]),
    total: 2,
  });
  await stop(again);
});
