/**
 * Measures how soon the next person works at a shared desk: `npm run bench:hand-over -- [rounds]`. A tablet in Chromium
 * changes hands between two teachers by PIN; the time is that from the press of "Hand over" to the next one's name above
 * a dashboard with its children, without the pauses of a hand. Exits with 1 if the median is above the target.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { makeNursery, nurseryStaff } from '../apps/server/src/testing/nursery.ts';
import { NO_VISION, startProgram } from '../apps/server/src/testing/program.ts';
import { quantile } from './quantile.ts';

const ROUNDS = Number(process.argv[2] ?? 20);
const TARGET_MS = 3_000;
const PEOPLE = [
  ['Nadia Farouk', '830561'],
  ['Karim Sayed', '941627'],
] as const;

type Ask = (method: string, path: string, json?: object, token?: string) => Promise<Record<string, never>>;

function askOf(url: string): Ask {
  return async (method, path, json, token) => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(json ? { 'content-type': 'application/json' } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(json ? { body: JSON.stringify(json) } : {}),
    });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.status === 204 ? {} : ((await answer.json()) as Record<string, never>);
  };
}

/** Adds the teachers with their PINs and a desk tablet; returns its pairing code. */
async function prepare(ask: Ask, owner: { email: string; password: string }): Promise<string> {
  const { token } = await ask('POST', '/api/admin/login', owner);
  for (const [index, [name, pin]] of PEOPLE.entries()) {
    const email = `teacher${index}@haris.example`;
    const password = 'a-first-password';
    const nationalId = `2990101000000${index}`;
    const made = await ask('POST', '/api/admin/create-admin', { name, email, password, nationalId }, token);
    const id = (made as { admin?: { _id: string } }).admin?._id;
    await ask('POST', `/api/admin/mark-verified/${id}`, undefined, token);
    const own = await ask('POST', '/api/admin/login', { email, password });
    const json = { current: password, password: 'a-password-of-my-own' };
    await ask('PUT', '/api/account/password', json, own.token);
    await ask('PUT', '/api/account/desk-pin', { pin }, own.token);
  }
  const made = await ask('POST', '/api/kiosks', { name: 'Front desk', kind: 'desk' }, token);
  const id = (made as { kiosk?: { _id: string } }).kiosk?._id;
  return (await ask('POST', `/api/kiosks/${id}/pairing`, undefined, token)).code ?? '';
}

async function takeOver(page: Page, [name, pin]: (typeof PEOPLE)[number]): Promise<void> {
  await page.getByRole('button', { name }).click();
  await page.keyboard.type(pin);
  await page.getByRole('complementary', { name: 'Shared desk' }).getByText(name).waitFor();
  await page.getByRole('heading', { name: 'Children in Monitored Area' }).waitFor();
}

const folder = mkdtempSync(join(tmpdir(), 'haris-hand-over-'));
const env = { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'fatal', ...nurseryStaff, ...NO_VISION };
await makeNursery(env, 30, 20);
const program = await startProgram(env);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const code = await prepare(askOf(program.url), {
    email: nurseryStaff.ADMIN_EMAIL,
    password: nurseryStaff.ADMIN_PASSWORD,
  });
  const page = await browser.newPage({ viewport: { width: 1180, height: 820 } });
  await page.goto(`${program.url}/desk/${code}`);
  await takeOver(page, PEOPLE[0]);
  const times: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const began = performance.now();
    await page.getByRole('button', { name: 'Hand over' }).click();
    await takeOver(page, PEOPLE[round % 2 === 0 ? 0 : 1]);
    times.push(performance.now() - began);
  }
  const [median, p90] = [quantile(times, 0.5), quantile(times, 0.9)].map(Math.round);
  console.log(
    `hand-overs: ${ROUNDS}; "Hand over" → next person's dashboard: median ${median} ms, p90 ${p90} ms`,
  );
  if ((median ?? TARGET_MS) >= TARGET_MS) process.exitCode = 1;
} finally {
  await browser.close();
  program.kill('SIGTERM');
  await program.ended;
  rmSync(folder, { recursive: true, force: true });
}
