/**
 * How soon another desk is told of a check-in: from the moment the call is sent until the event is at 20 other clients,
 * beside the time the call itself takes: `npm run bench:events`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeNursery, nurseryStaff } from '../apps/server/src/testing/nursery.ts';
import { NO_VISION, startProgram } from '../apps/server/src/testing/program.ts';
import { type EventClient, openEvents } from '../apps/server/src/testing/sse.ts';
import { quantile } from './quantile.ts';

const CLIENTS = 20;
const CHECK_INS = 200;

const rounded = (values: readonly number[], part: number): number =>
  Number(quantile(values, part).toFixed(1));

/** Resolves when every client has been told of so many events. */
async function told(clients: readonly EventClient[], count: number): Promise<void> {
  while (clients.some((client) => client.events.length < count))
    await new Promise((resolve) => setTimeout(resolve, 1));
}

const dataDir = mkdtempSync(join(tmpdir(), 'haris-events-'));
try {
  const env = { DATA_DIR: dataDir, LOG_LEVEL: 'fatal', ...nurseryStaff, ...NO_VISION };
  const ids = await makeNursery(env, CHECK_INS);
  const program = await startProgram(env);
  try {
    const login = await fetch(`${program.url}/api/admin/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: nurseryStaff.ADMIN_EMAIL, password: nurseryStaff.ADMIN_PASSWORD }),
    });
    const { token } = (await login.json()) as { token: string };
    const port = Number(new URL(program.url).port);
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => openEvents(port, token)));
    const answered: number[] = [];
    const everywhere: number[] = [];
    for (const [index, id] of ids.entries()) {
      const sent = performance.now();
      const answer = await fetch(`${program.url}/api/children/checkin-child/${id}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      });
      if (answer.status !== 200) throw new Error(`a check-in answered ${answer.status}`);
      answered.push(performance.now() - sent);
      await told(clients, index + 1);
      everywhere.push(performance.now() - sent);
    }
    for (const client of clients) client.close();
    console.table({
      'call answered, ms': { p50: rounded(answered, 0.5), p99: rounded(answered, 0.99) },
      [`event at all ${CLIENTS} clients, ms`]: {
        p50: rounded(everywhere, 0.5),
        p99: rounded(everywhere, 0.99),
      },
    });
  } finally {
    program.kill('SIGTERM');
    await program.ended;
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
