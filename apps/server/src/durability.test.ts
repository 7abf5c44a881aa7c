/** Requests that got a 200 survive `kill -9` (contract §5). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshDb, testDialect } from './testing/database.ts';
import { runKillRounds } from './testing/kill-rounds.ts';

/**
 * `npm run bench:durability` makes many rounds. PostgreSQL is not killed here and takes care of its own disk: its rounds
 * show that nothing is acknowledged early.
 */
const ROUNDS = testDialect === 'sqlite' ? 6 : 3;

test(`no acknowledged check-in is lost in ${ROUNDS} kills at random moments`, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'haris-kill-'));
  const database = await freshDb();
  try {
    const report = await runKillRounds({ dataDir, databaseUrl: database.url, rounds: ROUNDS });
    expect(report.lost).toEqual([]);
    expect(report.wrong).toEqual([]);
    // Proves that writes were in progress when it was killed.
    expect(report.acknowledged).toBeGreaterThan(ROUNDS * 5);
    expect(report.repeated).toBeGreaterThan(ROUNDS);
  } finally {
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}, 180_000);
