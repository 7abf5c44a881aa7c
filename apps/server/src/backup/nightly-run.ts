/** The program that makes one nightly backup: reads the job from standard input, and prints what became of it, a line each. */
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { doJob, jobSchema, type Outcome } from './nightly-job.ts';

// Files are readable for this user only.
process.umask(0o077);
// Low priority, so that the desk stays fast.
setPriority(10);

const tell = (outcome: Outcome, then?: () => void): void => {
  process.stdout.write(`${JSON.stringify(outcome)}\n`, then);
};

const lines = createInterface({ input: process.stdin });
lines.once('line', async (line) => {
  const outcome = await doJob(jobSchema.parse(JSON.parse(line)), (sofar) => tell(sofar));
  tell(outcome, () => process.exit(0));
});
// The server has ended, so nobody would note the backup, and the next one makes it again.
lines.once('close', () => process.exit(1));
