/**
 * Measures what row-level security costs at the desk: the same server and calls on PostgreSQL with a superuser, whom no
 * policy limits, and with the role that the policies limit, in the same run: `npm run bench:row-security`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeNursery, nurseryStaff } from '../apps/server/src/testing/nursery.ts';
import { NO_VISION, startProgram } from '../apps/server/src/testing/program.ts';
import { startPostgres } from '../scripts/postgres.ts';
import { CONNECTIONS, children, load, settle, signIn, workloads } from './desk-load.ts';
import { quantile } from './quantile.ts';

const CHILDREN = 500;
const INSIDE = 50;
const ROUNDS = 6;
const WARM_UP_S = 1;
const MEASURE_S = 3;

const postgres = await startPostgres();
const folder = mkdtempSync(join(tmpdir(), 'haris-bench-'));

function asSuperuser(statement: string): void {
  execFileSync('psql', [
    '--no-psqlrc',
    '--quiet',
    '--set=ON_ERROR_STOP=1',
    `--command=${statement}`,
    postgres.url,
  ]);
}

/** Fills a database of the role, and starts a server on it. */
async function startServer(name: 'superuser' | 'limited') {
  const url = new URL(postgres.url);
  if (name === 'limited') url.username = 'nursery';
  url.pathname = `/${name}`;
  asSuperuser(`create database ${name} owner ${name === 'limited' ? 'nursery' : 'haris'}`);
  const env = {
    ...{ DATA_DIR: join(folder, name), DATABASE_URL: url.href, LOG_LEVEL: 'error' },
    ...nurseryStaff,
    ...NO_VISION,
  };
  const ids = await makeNursery(env, CHILDREN);
  const server = await startProgram(env);
  const token = await signIn(server.url);
  const headers = { authorization: `Bearer ${token}` };
  for (const id of ids.slice(0, INSIDE))
    await fetch(`${server.url}${children}/checkin-child/${id}`, { method: 'POST', headers });
  return { name, server, token, desk: ids.slice(INSIDE) };
}

asSuperuser(`create role nursery login password '${new URL(postgres.url).password}'`);
const [superuser, limited] = [await startServer('superuser'), await startServer('limited')];
try {
  for (const workload of workloads) {
    const figures = { superuser: [] as number[], limited: [] as number[] };
    for (let round = 0; round < ROUNDS; round++)
      for (const { name, server, token, desk } of round % 2 === 0
        ? [superuser, limited]
        : [limited, superuser]) {
        await load(server.url, token, workload, WARM_UP_S, desk.slice(0, CONNECTIONS));
        const own = desk.slice(CONNECTIONS, 2 * CONNECTIONS);
        const { answers, seconds } = await load(server.url, token, workload, MEASURE_S, own);
        if (workload === 'check-in + checkout')
          await settle(server.url, token, desk.slice(0, 2 * CONNECTIONS));
        figures[name].push(answers / seconds);
      }
    const median = (name: 'superuser' | 'limited') =>
      quantile(
        figures[name].toSorted((a, b) => a - b),
        0.5,
      );
    console.log(`\n${workload}, ${CONNECTIONS} connections, median of ${ROUNDS} rounds`);
    console.table({
      'superuser req/s': Math.round(median('superuser')),
      'limited req/s': Math.round(median('limited')),
      'limited ÷ superuser': Number((median('limited') / median('superuser')).toFixed(2)),
    });
  }
} finally {
  for (const { server } of [superuser, limited]) {
    server.kill('SIGTERM');
    await server.ended;
  }
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
