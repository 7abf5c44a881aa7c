/**
 * The program that makes one nightly backup: reads the job from standard input, and prints how far it is and what became of
 * it, a line each.
 */
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { doJob, formatProgress, jobSchema, type Outcome } from './nightly-job.ts';
import { sparingly } from './progress.ts';
import { removeTrials } from './trial.ts';

// Files are readable for this user only.
process.umask(0o077);
// Low priority, so that the desk stays fast.
setPriority(10);

/** Milliseconds. */
const TOLD_EVERY_MS = 2_000;

const tell = (outcome: Outcome, then?: () => void): void => {
  process.stdout.write(`${JSON.stringify(outcome)}\n`, then);
};

let dataDir: string | null = null;
const lines = createInterface({ input: process.stdin });
lines.once('line', async (line) => {
  const job = jobSchema.parse(JSON.parse(line));
  dataDir = job.dataDir;
  const outcome = await doJob(
    job,
    (sofar) => tell(sofar),
    sparingly(TOLD_EVERY_MS, (progress) => void process.stdout.write(`${formatProgress(progress)}\n`)),
  );
  tell(outcome, () => process.exit(0));
});
// The server has ended, so nobody would note the backup, and the next one makes it again.
lines.once('close', () => {
  // The data of a trial is readable.
  if (dataDir !== null) removeTrials(dataDir, (pid) => pid === process.pid);
  process.exit(1);
});
