/**
 * Measures the speed of the desk: check-in with checkout, and authenticated reads, compared with the same calls
 * written by hand on bare node:http and on Express 5, with the same database file in the same run: `npm run
 * bench:api`.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeNursery, nurseryStaff } from '../apps/server/src/testing/nursery.ts';
import { NO_VISION, startProgram } from '../apps/server/src/testing/program.ts';
import { CONNECTIONS, children, load, settle, signIn, workloads } from './desk-load.ts';
import { quantile } from './quantile.ts';

const CHILDREN = 500;
const INSIDE = 50;
const ROUNDS = 2;
const WARM_UP_S = 1;
const MEASURE_S = 3;

async function startPeer(
  kind: 'http' | 'express',
  dataDir: string,
): Promise<{ url: string; child: ChildProcess }> {
  const child = fork(import.meta.filename, [kind, dataDir]);
  const { port } = await new Promise<{ port: number }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { port: number }));
    child.once('exit', (code) => reject(new Error(`the ${kind} peer ended with ${code}`)));
  });
  return { url: `http://127.0.0.1:${port}`, child };
}

async function bench(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'haris-bench-'));
  const began = performance.now();
  const env = { DATA_DIR: dataDir, ...nurseryStaff, ...NO_VISION };
  const ids = await makeNursery(env, CHILDREN);
  const server = await startProgram(env);
  const token = await signIn(server.url);
  const peers = { http: await startPeer('http', dataDir), express: await startPeer('express', dataDir) };
  try {
    const headers = { authorization: `Bearer ${token}` };
    for (const id of ids.slice(0, INSIDE))
      await fetch(`${server.url}${children}/checkin-child/${id}`, { method: 'POST', headers });
    const urls = { Haris: server.url, 'node:http': peers.http.url, 'Express 5': peers.express.url };
    const names = Object.keys(urls) as (keyof typeof urls)[];
    for (const workload of workloads) {
      const figures = new Map(names.map((name) => [name, { answers: 0, seconds: 0, ms: [] as number[] }]));
      for (let round = 0; round < ROUNDS; round++)
        for (const name of round % 2 === 0 ? names : names.toReversed()) {
          const desk = ids.slice(INSIDE);
          await load(urls[name], token, workload, WARM_UP_S, desk.slice(0, CONNECTIONS));
          const measured = await load(
            urls[name],
            token,
            workload,
            MEASURE_S,
            desk.slice(CONNECTIONS, 2 * CONNECTIONS),
          );
          if (workload === 'check-in + checkout')
            await settle(server.url, token, desk.slice(0, 2 * CONNECTIONS));
          const sum = figures.get(name);
          if (!sum) continue;
          sum.answers += measured.answers;
          sum.seconds += measured.seconds;
          for (const one of measured.ms) sum.ms.push(one);
        }
      const row = (name: keyof typeof urls) => {
        const sum = figures.get(name) ?? { answers: 0, seconds: 1, ms: [] };
        const sorted = sum.ms.toSorted((a, b) => a - b);
        return {
          perSecond: sum.answers / sum.seconds,
          p50: quantile(sorted, 0.5),
          p99: quantile(sorted, 0.99),
        };
      };
      const ours = row('Haris');
      console.log(`\n${workload}, ${CONNECTIONS} connections`);
      console.table(
        Object.fromEntries(
          names.map((name) => {
            const { perSecond, p50, p99 } = row(name);
            return [
              name,
              {
                'req/s': Math.round(perSecond),
                'p50 ms': Number(p50.toFixed(2)),
                'p99 ms': Number(p99.toFixed(2)),
                'Haris req/s ÷ this': Number((ours.perSecond / perSecond).toFixed(2)),
                'Haris p50 ÷ this': Number((ours.p50 / p50).toFixed(2)),
                'Haris p99 ÷ this': Number((ours.p99 / p99).toFixed(2)),
              },
            ];
          }),
        ),
      );
    }
    console.log(
      `\nOne SQLite file, synchronous=FULL; ${Math.round((performance.now() - began) / 1000)} s in all.`,
    );
  } finally {
    peers.http.child.disconnect();
    peers.express.child.disconnect();
    server.kill('SIGTERM');
    await server.ended;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

// The peers run in child processes of this same program.
if (process.send) await (await import('./peer.ts')).serve();
else await bench();
