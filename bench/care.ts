/**
 * Measures how long the signs of allergies take that every list of children shows, if all 200 children have a card: on
 * both databases, beside the list of the same children: `npm run bench:care`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EMPTY_CARE_CARD } from '@haris/contract/care-card';
import { makeNursery, nurseryStaff } from '../apps/server/src/testing/nursery.ts';
import { NO_VISION, startProgram } from '../apps/server/src/testing/program.ts';
import { startPostgres } from '../scripts/postgres.ts';
import { children, signIn } from './desk-load.ts';
import { quantile } from './quantile.ts';

const CHILDREN = 200;
const ROUNDS = 100;
const allergy = {
  allergen: 'peanut',
  substance: 'Peanut butter',
  severity: 'severe',
  reaction: '',
  action: '',
};
const card = { ...EMPTY_CARE_CARD, allergies: [allergy], note: 'x'.repeat(1500) };

const postgres = await startPostgres();
const folder = mkdtempSync(join(tmpdir(), 'haris-bench-'));
try {
  for (const [name, database] of [
    ['SQLite', {}],
    ['PostgreSQL', { DATABASE_URL: postgres.url }],
  ] as const) {
    const env = {
      ...{ DATA_DIR: join(folder, name), LOG_LEVEL: 'error', ...database },
      ...nurseryStaff,
      ...NO_VISION,
    };
    const ids = await makeNursery(env, CHILDREN);
    const server = await startProgram(env);
    const headers = {
      authorization: `Bearer ${await signIn(server.url)}`,
      'content-type': 'application/json',
    };
    const ask = async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(server.url + path, { headers, ...init });
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
      return answer.text();
    };
    for (const id of ids)
      await ask(`/api/children/${id}/care-card`, {
        method: 'PUT',
        body: JSON.stringify({ version: 0, card }),
      });
    for (const path of ['/api/care-signs', `${children}/get-all-children?limit=200`]) {
      const took: number[] = [];
      let bytes = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const start = performance.now();
        bytes = (await ask(path)).length;
        took.push(performance.now() - start);
      }
      const ms = (share: number) => quantile(took, share).toFixed(1);
      process.stdout.write(`${name} ${path}: median ${ms(0.5)} ms, p95 ${ms(0.95)} ms, ${bytes} bytes\n`);
    }
    server.kill('SIGTERM');
    await server.ended;
  }
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
