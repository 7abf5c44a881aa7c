/**
 * Measures how long the server takes to stop on SIGTERM while five people sign in and a desk listens to events:
 * `npm run bench:stop [-- ROUNDS]`. Exits with 1 if one round is above the limit of the contract (§1) or ends otherwise.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_VISION, startProgram } from '../apps/server/src/testing/program.ts';
import { openEvents } from '../apps/server/src/testing/sse.ts';
import { quantile } from './quantile.ts';

const MOST_MS = 10_000;
const rounds = Number(process.argv[2] ?? 10);
const dataDir = mkdtempSync(join(tmpdir(), 'haris-stop-'));
const account = { ADMIN_EMAIL: 'boss@haris.test', ADMIN_PASSWORD: 'boss-password' };
const took: number[] = [];
let wrong = 0;
try {
  for (let round = 0; round < rounds; round++) {
    const program = await startProgram({ DATA_DIR: dataDir, ...NO_VISION, ...account });
    const signIn = (email: string, password: string) =>
      fetch(`${program.url}/api/admin/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password }),
      });
    const { token } = (await (await signIn(account.ADMIN_EMAIL, account.ADMIN_PASSWORD)).json()) as {
      token: string;
    };
    await openEvents(Number(new URL(program.url).port), token);
    const answers = Promise.allSettled(
      Array.from({ length: 5 }, (_, n) => signIn(`nobody${n}@haris.test`, 'wrong-password')),
    );
    const before = performance.now();
    program.kill('SIGTERM');
    const { code } = await program.ended;
    took.push(performance.now() - before);
    if (code !== 0) wrong++;
    await answers;
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
console.table({
  stops: took.length,
  'median, ms': Math.round(quantile(took, 0.5)),
  'longest, ms': Math.round(Math.max(...took)),
  'ended otherwise than with 0': wrong,
});
if (wrong > 0 || Math.max(...took) > MOST_MS) process.exitCode = 1;
