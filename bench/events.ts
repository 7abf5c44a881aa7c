/**
 * Measures how soon others receive a check-in, from the moment the call is sent: at 20 desks, with sequential
 * check-ins; and on the phones of 500 parents, each with a stream of their own, at 50 check-ins a second: `npm run
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

async function checkIn({ url, token }: Bench, id: string): Promise<void> {
  const answer = await fetch(`${url}/api/children/checkin-child/${id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`a check-in answered ${answer.status}`);
}

/** Resolves when every client has received `count` events. */
async function told(clients: readonly EventClient[], count: number): Promise<void> {
  while (clients.some((client) => client.events.length < count)) await pause(1);
}

/** Sequential check-ins, each until all desks have received it. */
async function measureDesks(bench: Bench, ids: readonly string[]): Promise<Record<string, object>> {
  const desks = await Promise.all(Array.from({ length: DESKS }, () => openEvents(bench.port, bench.token)));
  const answered: number[] = [];
  const everywhere: number[] = [];
  for (const [index, id] of ids.entries()) {
    const sent = performance.now();
    await checkIn(bench, id);
    answered.push(performance.now() - sent);
    await told(desks, index + 1);
    everywhere.push(performance.now() - sent);
  }
  for (const desk of desks) desk.close();
  return {
    'alone: call answered, ms': row(answered),
    [`alone: event at all ${DESKS} desks, ms`]: row(everywhere),
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
    console.table({
      ...(await measureDesks(bench, ids.slice(0, CHECK_INS))),
      ...(await measureParents(bench, ids.slice(CHECK_INS), tokens)),
    });
  } finally {
    program.kill('SIGTERM');
    await program.ended;
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
