/** Measures the search over families with many children, on SQLite, in this process: `npm run bench:search -- [children]`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@haris/runtime/log';
import { loadConfig } from '../apps/server/src/config.ts';
import { findFamilies, findMatchingParents } from '../apps/server/src/db/people-search.ts';
import { openContext } from '../apps/server/src/start.ts';
import { makeNursery } from '../apps/server/src/testing/nursery.ts';
import { createVisionClient } from '../apps/server/src/vision/client.ts';
import { quantile } from './quantile.ts';

const CHILDREN = Number(process.argv[2] ?? 2000);
const ROUNDS = 20;
const FIRST = [
  'Layla',
  'Adam',
  'Youssef',
  'Mariam',
  'Omar',
  'Nour',
  'محمد',
  'فاطمة',
  'عبد الرحمن',
  'ياسمين',
  'كريم',
  'حسين',
];
const LAST = [
  'Hassan',
  'Ibrahim',
  'El Sayed',
  'Mansour',
  'Girgis',
  'الشريف',
  'زيدان',
  'فؤاد',
  'Abdelaziz',
  'يحيى',
];
const TYPED = [
  'a',
  'ad',
  'layla',
  'lyala',
  'mohamed',
  'ليلى',
  'yousef mansour',
  '4567',
  'abdelrahmn zidan',
  'zzzzzz',
];

const folder = mkdtempSync(join(tmpdir(), 'haris-search-'));
const env = { DATA_DIR: folder };
await makeNursery(env, CHILDREN, CHILDREN);
const { context, close } = await openContext({
  config: loadConfig(env, { demo: false, base: process.cwd() }),
  log: createLogger('bench', 'fatal'),
  vision: createVisionClient(() => null),
  publicUrl: () => 'http://localhost',
});
const nameOf = (n: number) =>
  `${FIRST[n % FIRST.length]} ${LAST[Math.floor(n / FIRST.length) % LAST.length]} ${n % 97}`;
await context.db.transaction().execute(async (trx) => {
  for (const table of ['children', 'parents'] as const) {
    const rows = await trx.selectFrom(table).select('id').execute();
    for (const [n, { id }] of rows.entries())
      await trx
        .updateTable(table)
        .set({ name: nameOf(n) })
        .where('id', '=', id)
        .execute();
  }
});

for (const [what, search] of [
  ['search over everything', (typed: string) => findFamilies(context.db, typed, 10)],
  ['ids of a list', (typed: string) => findMatchingParents(context.db, typed)],
] as const) {
  await search('warm');
  const ms: number[] = [];
  const cpu = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round++)
    for (const typed of TYPED) {
      const before = performance.now();
      await search(typed);
      ms.push(performance.now() - before);
    }
  const { user, system } = process.cpuUsage(cpu);
  const each = (user + system) / 1000 / ms.length;
  const [median, most] = [quantile(ms, 0.5), quantile(ms, 0.95)].map((value) => value.toFixed(1));
  process.stdout.write(
    `${what}, ${CHILDREN} children: ${each.toFixed(1)} ms of processor time each; median ${median} ms, 95 % ${most} ms\n`,
  );
}
await close();
rmSync(folder, { recursive: true, force: true });
