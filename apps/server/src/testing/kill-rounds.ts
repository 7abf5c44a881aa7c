/**
 * Desks check children in and out at a real server that is killed (SIGKILL) at random moments and restarted. Everything
 * that the server acknowledged must still be there. Tests and the bench run the same rounds.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@haris/runtime/log';
import { openEmbeddedReadOnly } from '../db/embedded.ts';
import { connectPostgres } from '../db/postgres.ts';
import { makeNursery, nurseryStaff } from './nursery.ts';
import { NO_VISION, startProgram } from './program.ts';
import { createPromises, type Promises } from './promises.ts';

const CHILDREN = 40;
const DESKS = 8;
/** Minimum number of acknowledged requests before the server is killed, also on a busy machine. */
const LEAST_ANSWERS = 6;

export interface KillReport {
  readonly rounds: number;
  readonly acknowledged: number;
  /** Acknowledged check-ins and checkouts that were missing after a restart: must be empty. */
  readonly lost: string[];
  /** Requests that a kill interrupted and that were sent again with the same key. */
  readonly repeated: number;
  /** Descriptions of all other errors: must be empty. */
  readonly wrong: string[];
  /** Milliseconds from each start to ready. */
  readonly startMs: number[];
}

interface Act {
  readonly child: string;
  readonly kind: 'checkin' | 'checkout';
  readonly key: string;
}

export interface KillOptions {
  /** Empty folder. */
  readonly dataDir: string;
  /** An empty database; the embedded one by default. */
  readonly databaseUrl?: string | undefined;
  readonly rounds: number;
  /** A server is killed at a random moment until this long after its start, in milliseconds; 300 by default. */
  readonly aliveMs?: number;
  readonly onRound?: (round: number, acknowledged: number) => void;
}

type Send = (
  method: string,
  path: string,
  init?: { readonly json?: unknown; readonly headers?: Readonly<Record<string, string>> },
) => Promise<{ status: number; body: Record<string, never> }>;

/** Sends requests to one run of the server. */
function createSend(url: string, token: string): Send {
  return async (method, path, { json, headers = {} } = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...headers,
        ...(json ? { 'content-type': 'application/json' } : {}),
      },
      ...(json ? { body: JSON.stringify(json) } : {}),
    });
    return { status: response.status, body: (await response.json()) as Record<string, never> };
  };
}

async function signIn(url: string): Promise<string> {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = nurseryStaff;
  const { body } = await createSend(url, '')('POST', '/api/admin/login', { json: { email, password } });
  return body.token ?? '';
}

/** Sends a check-in or checkout, and notes what the server acknowledges. Rejects if the connection breaks. */
async function perform(act: Act, send: Send, promises: Promises): Promise<void> {
  const before = promises.stayOf(act.child);
  const { status, body } = await send('POST', `/api/children/${act.kind}-child/${act.child}`, {
    headers: { 'idempotency-key': act.key },
  });
  if (status !== 200) promises.wrong.push(`${act.kind} answered ${status} ${JSON.stringify(body)}`);
  else if (act.kind === 'checkout') promises.noteEnded(act.child, before);
  else {
    const { uniqueEntryId } = body.child as unknown as { uniqueEntryId: string };
    promises.noteBegun(act.child, uniqueEntryId);
  }
}

/** The children inside, with the ids of their stays. */
async function findInside(send: Send): Promise<Map<string, string>> {
  const { body } = await send('GET', '/api/children/get-all-children?inside=true&limit=200');
  const children = body.children as unknown as { _id: string; uniqueEntryId: string }[];
  return new Map(children.map(({ _id, uniqueEntryId }) => [_id, uniqueEntryId]));
}

/** Desks at work until their server is killed. */
function startDesks(children: readonly string[], send: Send, promises: Promises) {
  const flying = new Map<string, Act>();
  let isDead = false;

  async function work(): Promise<void> {
    while (!isDead) {
      const free = children.filter((child) => !flying.has(child));
      const child = free[Math.floor(Math.random() * free.length)];
      if (child === undefined) throw new Error('more desks than children');
      const kind = promises.stayOf(child) === undefined ? 'checkin' : 'checkout';
      const act: Act = { child, kind, key: randomUUID() };
      flying.set(child, act);
      try {
        await perform(act, send, promises);
      } catch {
        // The connection broke, so it is unknown whether the server has executed the request.
        return;
      }
      flying.delete(child);
    }
  }

  const desks = Array.from({ length: DESKS }, work);
  return {
    /** Call it once the server has ended. Resolves with the requests that got no response. */
    async stop(): Promise<Act[]> {
      isDead = true;
      await Promise.all(desks);
      return [...flying.values()];
    },
  };
}

/** Runs the server a last time, stops it cleanly, and reads the remaining rows. */
async function readStays(
  env: Readonly<Record<string, string>>,
  { dataDir, databaseUrl }: KillOptions,
  wrong: string[],
) {
  const last = await startProgram(env);
  last.kill('SIGTERM');
  const { code } = await last.ended;
  if (code !== 0) wrong.push(`the last server ended with ${code}`);
  const database = databaseUrl
    ? connectPostgres(databaseUrl, 1, createLogger('kill-rounds', 'fatal'))
    : openEmbeddedReadOnly(dataDir);
  const stays = await database.db.selectFrom('stays').selectAll().execute();
  await database.close();
  return stays;
}

export async function runKillRounds(options: KillOptions): Promise<KillReport> {
  const { dataDir, databaseUrl, rounds, aliveMs = 300, onRound } = options;
  const env: Record<string, string> = {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    ...nurseryStaff,
    ...NO_VISION,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  };
  const children = await makeNursery(env, CHILDREN);
  const promises = createPromises();
  const startMs: number[] = [];
  let interrupted: Act[] = [];
  let repeated = 0;
  let token = '';

  for (let round = 1; round <= rounds; round++) {
    const startedAt = performance.now();
    const server = await startProgram(env);
    startMs.push(performance.now() - startedAt);
    token ||= await signIn(server.url);
    const send = createSend(server.url, token);
    // Repeat the interrupted requests, like the web app after a broken connection.
    for (const act of interrupted) await perform(act, send, promises);
    repeated += interrupted.length;
    promises.compareInside(children, await findInside(send), `round ${round}`);

    const before = promises.acknowledged();
    const desks = startDesks(children, send, promises);
    await sleep(30 + Math.random() * aliveMs);
    // Wait for some acknowledgements: on a busy machine there may be none yet, and the kill would prove nothing.
    while (promises.acknowledged() < before + LEAST_ANSWERS && server.child.exitCode === null) await sleep(1);
    server.kill('SIGKILL');
    await server.ended;
    interrupted = await desks.stop();
    onRound?.(round, promises.acknowledged());
  }

  promises.compareStays(await readStays(env, options, promises.wrong), interrupted.length);
  const { lost, wrong } = promises;
  return { rounds, acknowledged: promises.acknowledged(), lost, repeated, wrong, startMs };
}
