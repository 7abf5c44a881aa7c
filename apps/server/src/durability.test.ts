/** What was answered with 200 survives `kill -9` (contract §5). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshDb, testDialect } from './testing/database.ts';
import { runKillRounds } from './testing/kill-rounds.ts';

/**
 * Many rounds are the bench's (`npm run bench:durability`). PostgreSQL is not killed here and sees to its own disk: what
 * is left is that nothing is acknowledged early.
 */
const ROUNDS = testDialect === 'sqlite' ? 20 : 3;

test(`no acknowledged check-in is lost in ${ROUNDS} kills at random moments`, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'haris-kill-'));
  const database = await freshDb();
  try {
    const report = await runKillRounds({ dataDir, databaseUrl: database.url, rounds: ROUNDS });
    expect(report.lost).toEqual([]);
    expect(report.wrong).toEqual([]);
    // That it was really at work when it died.
    expect(report.acknowledged).toBeGreaterThan(ROUNDS * 5);
    expect(report.repeated).toBeGreaterThan(ROUNDS);
  } finally {
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}, 180_000);
