/** The process that makes the nightly backup: it gets its job, is listened to, and is killed once it must not go on. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describeFailure } from '@haris/runtime/log';
import type { Context } from '../context.ts';
import type { Lease } from '../db/leases.ts';
import { type Job, lastOutcome, type Outcome, readProgress } from './nightly-job.ts';
import type { TellProgress } from './progress.ts';
import { removeTrials } from './trial.ts';

/** Another server may try this long after the server that makes the backup has died. Milliseconds. */
export const LEASE_MS = 60_000;
/** A share that hangs must not end the nightly backups without a word. */
const MOST_HOURS = 3;
/** A process that waits for such a share does not end even when it is killed. Milliseconds. */
const ENDS_WITHIN_MS = 2_000;

const program = fileURLToPath(new URL('./nightly-run.ts', import.meta.url));

export interface BackupProcess {
  /** Runs the job while the lease is held. Null if it was aborted, or another server has the lease now. */
  run(job: Job, lease: Lease, tellProgress: TellProgress): Promise<Outcome | null>;
  /** Removes what trial restores of ended processes left. Never throws: the next job tries again, and fails where it cannot. */
  removeTrialsOf(isLeft: (pid: number) => boolean): void;
  /** Aborts the job that runs; none is run afterwards. */
  stop(): void;
}

export function openBackupProcess({
  config,
  log,
  leases,
}: Pick<Context, 'config' | 'log' | 'leases'>): BackupProcess {
  let abort: (() => void) | null = null;
  let isStopped = false;

  function removeTrialsOf(isLeft: (pid: number) => boolean): void {
    try {
      removeTrials(config.dataDir, isLeft);
    } catch (error) {
      log.warn(describeFailure(error), 'what a trial restore left could not be removed');
    }
  }

  async function run(job: Job, lease: Lease, tellProgress: TellProgress): Promise<Outcome | null> {
    if (isStopped) return null;
    const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'ignore'] });
    let end: (outcome: Outcome | null) => void = () => {};
    const ended = new Promise<Outcome | null>((resolve) => {
      end = resolve;
    });
    let killed: Outcome | null | undefined;
    const kill = (outcome: Outcome | null): void => {
      killed = outcome;
      child.kill('SIGKILL');
      setTimeout(() => end(outcome), ENDS_WITHIN_MS).unref();
    };
    abort = () => kill(null);
    const told = hear(child, job, tellProgress, (outcome) => end(killed === undefined ? outcome : killed));
    const limit = setTimeout(
      () => kill(told() ?? { made: false, reason: `It was not finished within ${MOST_HOURS} hours.` }),
      MOST_HOURS * 3_600_000,
    );
    const renewal = setInterval(async () => {
      // A failure says nothing about the lease.
      const isHeld = await leases.renew(lease, LEASE_MS).catch(() => true);
      if (isHeld) return;
      log.warn('another server makes the nightly backup now');
      kill(null);
    }, LEASE_MS / 4);
    return ended.finally(() => {
      abort = null;
      clearTimeout(limit);
      clearInterval(renewal);
      // It was killed, perhaps.
      removeTrialsOf((pid) => pid === child.pid);
    });
  }

  return {
    run,
    removeTrialsOf,
    stop() {
      isStopped = true;
      abort?.();
    },
  };
}

/** Gives the program its job, and calls back once with what it said last. Returns what it has said last until now. */
function hear(
  child: ChildProcess,
  job: Job,
  tellProgress: TellProgress,
  end: (outcome: Outcome) => void,
): () => Outcome | null {
  const { stdin, stdout } = child;
  let said = '';
  let unfinished = '';
  const told = (): Outcome | null => lastOutcome(said);
  stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (unfinished + text).split('\n');
    unfinished = lines.pop() ?? '';
    for (const line of lines) {
      const progress = readProgress(line);
      if (progress === null) said += `${line}\n`;
      else tellProgress(progress);
    }
  });
  // A program that has ended before it read its job says so by its status.
  stdin?.on('error', () => {});
  // Left open: its end tells the program that the server is gone.
  stdin?.write(`${JSON.stringify(job)}\n`);
  child.once('error', () => end({ made: false, reason: 'Its program could not be started.' }));
  child.once('close', (code, signal) =>
    end(told() ?? { made: false, reason: `Its program ended with ${code ?? signal}.` }),
  );
  return told;
}
