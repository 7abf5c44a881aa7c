/**
 * Two desks check children in and out at a real server that is killed (SIGKILL) at random moments and started again.
 * What it acknowledged must still be there. Knows no test runner: the bench runs the same rounds.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@haris/runtime/log';
import { connectPostgres, openEmbeddedReadOnly } from '../db/open.ts';
import { makeNursery, nurseryStaff } from './nursery.ts';
import { NO_VISION, startProgram } from './program.ts';

const CHILDREN = 40;
const DESKS = 8;

export interface KillReport {
  readonly rounds: number;
  readonly acknowledged: number;
  /** Acknowledged check-ins and checkouts that were missing after a restart: must be empty. */
  readonly lost: string[];
  /** Answers that the kill cut off, asked for again with the same key. */
  readonly repeated: number;
  /** Anything else that is not as it must be. */
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

export async function runKillRounds({
  dataDir,
  databaseUrl,
  rounds,
  aliveMs = 300,
  onRound,
}: KillOptions): Promise<KillReport> {
  const env: Record<string, string> = {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    ...nurseryStaff,
    ...NO_VISION,
  };
  if (databaseUrl) env.DATABASE_URL = databaseUrl;
  const children = await makeNursery(env, CHILDREN);
  const lost: string[] = [];
  const wrong: string[] = [];
  const startMs: number[] = [];
  /** Entry ids of stays that were acknowledged as begun, and as ended. */
  const begun = new Set<string>();
  const ended = new Set<string>();
  /** Entry id of the stay that a child is in, as the server has acknowledged. */
  const inside = new Map<string, string>();
  let cutOff: Act[] = [];
  let acknowledged = 0;
  let repeated = 0;
  let token = '';

  for (let round = 1; round <= rounds; round++) {
    const startedAt = performance.now();
    const server = await startProgram(env);
    startMs.push(performance.now() - startedAt);
    const ask = async (
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ) => {
      const response = await fetch(server.url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...headers,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return { status: response.status, body: (await response.json()) as Record<string, never> };
    };
    if (token === '') {
      const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = nurseryStaff;
      token = (await ask('POST', '/api/admin/login', { email, password })).body.token ?? '';
    }

    /** Makes a request and, if it is answered, takes note of what the server has promised. */
    const act = async (one: Act): Promise<void> => {
      const before = inside.get(one.child);
      const { status, body } = await ask('POST', `/api/children/${one.kind}-child/${one.child}`, undefined, {
        'idempotency-key': one.key,
      });
      if (status !== 200) {
        wrong.push(`round ${round}: ${one.kind} answered ${status} ${JSON.stringify(body)}`);
        return;
      }
      acknowledged++;
      if (one.kind === 'checkin') {
        const { uniqueEntryId } = body.child as unknown as { uniqueEntryId: string };
        begun.add(uniqueEntryId);
        inside.set(one.child, uniqueEntryId);
      } else {
        if (before) ended.add(before);
        inside.delete(one.child);
      }
    };

    // What the kill cut off is asked for again with the same key, as the web app does.
    for (const one of cutOff) {
      repeated++;
      await act(one);
    }
    cutOff = [];
    const seen = await ask('GET', '/api/children/get-all-children?inside=true&limit=200');
    const now = new Map(
      (seen.body.children as unknown as { _id: string; uniqueEntryId: string }[]).map((child) => [
        child._id,
        child.uniqueEntryId,
      ]),
    );
    for (const child of children)
      if (inside.get(child) !== now.get(child)) lost.push(`round ${round}: child ${child} after the restart`);

    const flying = new Map<string, Act>();
    let dead = false;
    const desk = async (): Promise<void> => {
      while (!dead) {
        const free = children.filter((child) => !flying.has(child));
        const child = free[Math.floor(Math.random() * free.length)];
        if (child === undefined) throw new Error('more desks than children');
        const one: Act = { child, kind: inside.has(child) ? 'checkout' : 'checkin', key: randomUUID() };
        flying.set(child, one);
        try {
          await act(one);
        } catch {
          // The connection is gone; whether the server did it, nobody knows.
          return;
        }
        flying.delete(child);
      }
    };
    const desks = Array.from({ length: DESKS }, desk);
    await sleep(30 + Math.random() * aliveMs);
    server.kill('SIGKILL');
    await server.ended;
    dead = true;
    await Promise.all(desks);
    cutOff = [...flying.values()];
    onRound?.(round, acknowledged);
  }

  // The last restart, a proper end, and then the rows themselves.
  const last = await startProgram(env);
  last.kill('SIGTERM');
  const { code } = await last.ended;
  if (code !== 0) wrong.push(`the last server ended with ${code}`);
  const database = databaseUrl
    ? connectPostgres(databaseUrl, 1, createLogger('kill-rounds', 'fatal'))
    : openEmbeddedReadOnly(dataDir);
  const stays = await database.db.selectFrom('stays').selectAll().execute();
  await database.close();
  const byEntry = new Map(stays.map((stay) => [stay.unique_entry_id, stay]));
  for (const id of begun) if (!byEntry.has(id)) lost.push(`check-in ${id}`);
  for (const id of ended) if (byEntry.get(id)?.exit_time == null) lost.push(`checkout of ${id}`);
  const open = Map.groupBy(
    stays.filter((stay) => stay.exit_time === null),
    (stay) => stay.child_id,
  );
  for (const [child, rows] of open) if (rows.length > 1) wrong.push(`${rows.length} open stays of ${child}`);
  // Each stay was acknowledged, but for those that the last kill cut off.
  if (stays.length > begun.size + cutOff.length)
    wrong.push(`${stays.length - begun.size} stays that nobody asked for`);
  return { rounds, acknowledged, lost, repeated, wrong, startMs };
}
