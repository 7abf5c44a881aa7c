/**
 * Measures sign-ins per second, by password and with an authenticator app, as a part of the argon2id hashes that this
 * machine computes alone: `npm run bench:sign-in`. Every sign-in computes one hash, so 100 % is the most there can be.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'otplib';
import { makeNursery, nurseryStaff } from '../apps/server/src/testing/nursery.ts';
import { NO_VISION, startProgram } from '../apps/server/src/testing/program.ts';
import { hashPassword, passwordMatches } from '../apps/server/src/vault/passwords.ts';

const ACCOUNTS = 24;
const AT_ONCE = 8;
const PASSWORD_ROUNDS = 6;
/** An app's code works once, and may be one step ahead: more rounds would wait for the clock. */
const APP_ROUNDS = 2;
const STEP_S = 30;
const PASSWORD = 'a password of the bench';

interface Person {
  readonly email: string;
  /** By which the server knows the browser again. */
  cookie: string;
  token: string;
  secret: string;
  /** Time step of the last code. */
  step: number;
}

const dataDir = mkdtempSync(join(tmpdir(), 'haris-sign-in-'));
const env = { DATA_DIR: dataDir, ...NO_VISION };
await makeNursery(env, 1);
const server = await startProgram(env);

type Json = Record<string, unknown>;

async function ask(method: string, path: string, body?: Json, headers: Record<string, string> = {}) {
  const response = await fetch(server.url + path, {
    method,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  const text = await response.text();
  const cookie = response.headers
    .getSetCookie()
    .map((one) => one.split(';')[0] ?? '')
    .join('; ');
  return { answer: (text === '' ? {} : JSON.parse(text)) as Record<string, string> & Json, cookie };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Runs `work` for every person in each round, some at once, never twice for one person. Returns sign-ins per second. */
async function measure(people: readonly Person[], rounds: number, work: (one: Person) => Promise<void>) {
  const started = performance.now();
  for (let round = 0; round < rounds; round++) {
    const queue = [...people];
    const drain = async () => {
      for (let one = queue.pop(); one !== undefined; one = queue.pop()) await work(one);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, drain));
  }
  return (people.length * rounds) / ((performance.now() - started) / 1000);
}

async function byPassword(one: Person) {
  const { answer, cookie } = await ask(
    'POST',
    '/api/admin/login',
    { email: one.email, password: PASSWORD },
    one.cookie === '' ? {} : { cookie: one.cookie },
  );
  if (cookie !== '') one.cookie = cookie;
  return answer;
}

async function nextCode(one: Person): Promise<string> {
  const now = Math.floor(Date.now() / 1000 / STEP_S);
  one.step = Math.max(one.step + 1, now - 1);
  return generate({ secret: one.secret, epoch: one.step * STEP_S });
}

async function addPerson(owner: string, index: number): Promise<Person> {
  const email = `bench-${index}@haris.test`;
  // A national ID of Egypt: century, birth date, governorate, number.
  const nationalId = `2990101${String(index).padStart(7, '0')}`;
  const body = { name: `Bench ${index}`, email, password: PASSWORD, nationalId };
  const { answer } = await ask('POST', '/api/admin/create-admin', body, bearer(owner));
  const { _id: id } = answer.admin as unknown as { _id: string };
  await ask('POST', `/api/admin/mark-verified/${id}`, undefined, bearer(owner));
  const one: Person = { email, cookie: '', token: '', secret: '', step: 0 };
  one.token = String((await byPassword(one)).token);
  return one;
}

async function addApp(one: Person): Promise<void> {
  const begun = await ask('POST', '/api/account/factors/app', { name: 'Bench' }, bearer(one.token));
  one.secret = String(begun.answer.secret);
  const path = `/api/account/factors/app/${begun.answer._id}/confirm`;
  await ask('POST', path, { code: await nextCode(one) }, bearer(one.token));
}

async function withApp(one: Person): Promise<void> {
  const { challenge } = await byPassword(one);
  await ask('POST', '/api/session/second-factor', { challenge, code: await nextCode(one) });
}

try {
  const stored = await hashPassword(PASSWORD);
  const { answer } = await ask('POST', '/api/admin/login', {
    email: nurseryStaff.ADMIN_EMAIL,
    password: nurseryStaff.ADMIN_PASSWORD,
  });
  const owner = String(answer.token);
  const people: Person[] = [];
  for (let index = 0; index < ACCOUNTS; index++) people.push(await addPerson(owner, index));

  const bare = await measure(people, PASSWORD_ROUNDS, async () => {
    if (!(await passwordMatches(stored, PASSWORD))) throw new Error('the password does not match');
  });
  const alone = await measure(people, PASSWORD_ROUNDS, async (one) => void (await byPassword(one)));
  for (const one of people) await addApp(one);
  const both = await measure(people, APP_ROUNDS, withApp);

  const line = (what: string, rate: number) =>
    process.stdout.write(
      `${what.padEnd(28)} ${rate.toFixed(1).padStart(6)} per second  ${Math.round((rate / bare) * 100)} %\n`,
    );
  line('argon2id alone', bare);
  line('sign-in by password', alone);
  line('sign-in with app', both);
} finally {
  server.kill('SIGTERM');
  await server.ended;
  rmSync(dataDir, { recursive: true, force: true });
}
