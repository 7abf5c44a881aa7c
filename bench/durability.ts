/**
 * Kills the server (SIGKILL) at random moments while desks check children in and out, restarts it, and looks for
 * everything it had acknowledged: `npm run bench:durability`. Exits with 1 if anything is lost.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runKillRounds } from '../apps/server/src/testing/kill-rounds.ts';

const rounds = Number(process.argv[2] ?? 200);
const dataDir = mkdtempSync(join(tmpdir(), 'haris-durability-'));
const began = performance.now();
try {
  const report = await runKillRounds({
    dataDir,
    rounds,
    aliveMs: 600,
    onRound(round, acknowledged) {
      if (round % 20 === 0) console.log(`${round} kills, ${acknowledged} acknowledged`);
    },
  });
  const starts = report.startMs.toSorted((a, b) => a - b);
  const median = starts[Math.floor(starts.length / 2)] ?? 0;
  console.table({
    'kills (SIGKILL)': report.rounds,
    'acknowledged check-ins and checkouts': report.acknowledged,
    lost: report.lost.length,
    'otherwise wrong': report.wrong.length,
    'cut off and asked for again': report.repeated,
    'start to ready, median ms': Math.round(median),
    'start to ready, longest ms': Math.round(starts.at(-1) ?? 0),
    seconds: Math.round((performance.now() - began) / 1000),
  });
  for (const line of [...report.lost, ...report.wrong].slice(0, 20)) console.log(line);
  if (report.lost.length + report.wrong.length > 0) process.exitCode = 1;
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
