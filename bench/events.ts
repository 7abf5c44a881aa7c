/**
 * Measures how soon others receive a check-in and a move to another room, from the moment the call is sent: at 20 desks,
 * one call after the other; and check-ins on the phones of 500 parents, each with a stream of their own, at 50 check-ins a second: `npm run
 * bench:events`. Uses the empty PostgreSQL database of `DATABASE_URL`, or the embedded database by default.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeNursery, nurseryStaff, signParentsIn } from '../apps/server/src/testing/nursery.ts';
import { NO_VISION, startProgram } from '../apps/server/src/testing/program.ts';
import { type EventClient, openEvents } from '../apps/server/src/testing/sse.ts';
import { quantile } from './quantile.ts';

const DESKS = 20;
const CHECK_INS = 100;
const PARENTS = 500;
const PER_SECOND = 50;
/** An event that has not arrived after this time counts as lost. Milliseconds. */
const TOLD_WITHIN_MS = 30_000;

interface Bench {
  readonly url: string;
  readonly port: number;
  readonly token: string;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function row(values: readonly number[]): Record<string, number> {
  const rounded = (part: number): number => Number(quantile(values, part).toFixed(1));
  return { n: values.length, p50: rounded(0.5), p99: rounded(0.99), max: rounded(1) };
}

/** The answer as text. */
async function post({ url, token }: Bench, path: string, json?: object): Promise<string> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...(json ? { 'content-type': 'application/json' } : {}) },
    ...(json ? { body: JSON.stringify(json) } : {}),
  });
  const body = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${body}`);
  return body;
}

const checkIn = (bench: Bench, id: string) => post(bench, `/api/children/checkin-child/${id}`);

/** Resolves when every client has heard of the child. */
async function told(clients: readonly EventClient[], id: string): Promise<void> {
  const hasHeard = ({ events }: EventClient) => events.some(({ data }) => data.childId === id);
  while (!clients.every(hasHeard)) await pause(1);
}

/** A call for each child, the next one when all desks have received the last. */
async function measureDesks(
  bench: Bench,
  title: string,
  ids: readonly string[],
  call: (id: string) => Promise<unknown>,
): Promise<Record<string, object>> {
  const desks = await Promise.all(Array.from({ length: DESKS }, () => openEvents(bench.port, bench.token)));
  const answered: number[] = [];
  const everywhere: number[] = [];
  for (const id of ids) {
    const sent = performance.now();
    await call(id);
    answered.push(performance.now() - sent);
    await told(desks, id);
    everywhere.push(performance.now() - sent);
  }
  for (const desk of desks) desk.close();
  return {
    [`${title} alone: call answered, ms`]: row(answered),
    [`${title} alone: event at all ${DESKS} desks, ms`]: row(everywhere),
  };
}

/** One check-in every 20 ms, however long the earlier ones take; each is awaited at the parent's own stream. */
async function measureParents(
  bench: Bench,
  ids: readonly string[],
  tokens: readonly string[],
): Promise<Record<string, object>> {
  const sentAt = new Map<string, number>();
  const arrived = new Map<string, number>();
  const clients: EventClient[] = [];
  for (const token of tokens) {
    const client = await openEvents(bench.port, token, undefined, ({ data }) => {
      if (data.childId && !arrived.has(data.childId)) arrived.set(data.childId, performance.now());
    });
    if (client.status !== 200) throw new Error(`a stream answered ${client.status}`);
    clients.push(client);
  }
  const answered: number[] = [];
  const calls: Promise<void>[] = [];
  const began = performance.now();
  for (const [index, id] of ids.entries()) {
    await pause(Math.max(0, began + (index * 1_000) / PER_SECOND - performance.now()));
    const sent = performance.now();
    sentAt.set(id, sent);
    calls.push(checkIn(bench, id).then(() => void answered.push(performance.now() - sent)));
  }
  const seconds = (performance.now() - began) / 1_000;
  await Promise.all(calls);
  for (const until = performance.now() + TOLD_WITHIN_MS; arrived.size < ids.length; await pause(10))
    if (performance.now() > until) break;
  for (const client of clients) client.close();
  const latencies = [...arrived].map(([id, at]) => at - (sentAt.get(id) ?? at));
  const title = `${PARENTS} parents, ${(ids.length / seconds).toFixed(0)}/s`;
  return {
    [`${title}: call answered, ms`]: row(answered),
    [`${title}: event at the parent, ms`]: row(latencies),
    [`${title}: not told`]: { n: ids.length - latencies.length },
  };
}

const dataDir = mkdtempSync(join(tmpdir(), 'haris-events-'));
try {
  const env = {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'fatal',
    ...(process.env.DATABASE_URL ? { DATABASE_URL: process.env.DATABASE_URL } : {}),
    ...nurseryStaff,
    ...NO_VISION,
  };
  const ids = await makeNursery(env, CHECK_INS + PARENTS, PARENTS);
  const tokens = [...(await signParentsIn(env)).values()];
  const program = await startProgram(env);
  try {
    const login = await fetch(`${program.url}/api/admin/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: nurseryStaff.ADMIN_EMAIL, password: nurseryStaff.ADMIN_PASSWORD }),
    });
    const { token } = (await login.json()) as { token: string };
    const bench = { url: program.url, port: Number(new URL(program.url).port), token };
    const { room } = JSON.parse(await post(bench, '/api/rooms', { name: 'Garden' }));
    const some = ids.slice(0, CHECK_INS);
    const move = (id: string) => post(bench, '/api/children/move', { childIds: [id], roomId: room._id });
    console.table({
      ...(await measureDesks(bench, 'check-in', some, (id) => checkIn(bench, id))),
      ...(await measureDesks(bench, 'move', some, move)),
      ...(await measureParents(bench, ids.slice(CHECK_INS), tokens)),
    });
  } finally {
    program.kill('SIGTERM');
    await program.ended;
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
