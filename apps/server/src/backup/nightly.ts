/** Backups by themselves: one each night, by one of the servers, in a process of its own (decision 054). */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describeFailure } from '@haris/runtime/log';
import type { Context } from '../context.ts';
import { writeLastBackup } from '../data-folder.ts';
import { inTransactionUnder, type Lease, LeaseLostError } from '../db/leases.ts';
import { readSettings } from '../db/settings.ts';
import { backupName } from './keep.ts';
import { isAlive } from './make.ts';
import { type Job, lastOutcome, type Outcome, readProgress } from './nightly-job.ts';
import {
  isDue,
  isTrialDue,
  type Night,
  type NightlyState,
  nightOf,
  readNightly,
  writeNightly,
} from './nightly-state.ts';
import { sparingly, type TellProgress } from './progress.ts';
import { removeTrials } from './trial.ts';

const LOOK_EVERY_MS = 60_000;
const LEASE = 'nightly backup';
/** Another server may try this long after the server that makes the backup has died. Milliseconds. */
const LEASE_MS = 60_000;
/** A share that hangs must not end the nightly backups without a word. */
const MOST_HOURS = 3;
/** A process that waits for such a share does not end even when it is killed. Milliseconds. */
const ENDS_WITHIN_MS = 2_000;
/** Uptime after which a clock far behind the last backup is believed, unless the clock guard doubts it. Milliseconds. */
const SURE_AFTER_MS = 15 * 60_000;
/** Pause after a try whose result could not be written, so that a full database does not fill the folder too. Milliseconds. */
const UNWRITTEN_PAUSE_MS = 3_600_000;
/** How often the progress is noted for the health page, which examines as often. Milliseconds. */
const NOTED_EVERY_MS = 10_000;

const program = fileURLToPath(new URL('./nightly-run.ts', import.meta.url));

type Parts = Pick<
  Context,
  'config' | 'log' | 'clock' | 'clockGuard' | 'db' | 'leases' | 'vault' | 'integrity'
>;

export interface NightlyBackups {
  /** Makes the backup of this night if there is none and no other server makes it. */
  look(): Promise<void>;
  /** Starts to look every minute. */
  start(): void;
  /** Aborts a backup that is being made; the next start makes it. */
  stop(): Promise<void>;
}

/** `uptime`: milliseconds of a monotonic clock. */
export function openNightlyBackups(
  context: Parts,
  uptime: () => number = () => performance.now(),
): NightlyBackups {
  const { config, log, clock, clockGuard, db, leases, vault, integrity } = context;
  const settings = config.nightlyBackup;
  const openedAt = uptime();
  /** Uptime of a try whose result is not written yet. */
  let triedAt: number | null = null;
  let abort: (() => void) | null = null;
  let isStopped = false;

  async function findDue(): Promise<{ state: NightlyState | null; night: Night; zone: string } | null> {
    if (settings === null) return null;
    const zone = (await readSettings(db, config)).timeZone;
    const state = await readNightly(db);
    const night = nightOf(clock.now(), settings.at, zone);
    const isSure = uptime() - openedAt >= SURE_AFTER_MS && clockGuard.state() === 'ok';
    return isDue(state, clock.now(), night, isSure) ? { state, night, zone } : null;
  }

  /** Never throws: the next job tries again, and fails where it cannot. */
  function removeTrialsOf(isLeft: (pid: number) => boolean): void {
    try {
      removeTrials(config.dataDir, isLeft);
    } catch (error) {
      log.warn(describeFailure(error), 'what a trial restore left could not be removed');
    }
  }

  /** Null if it was aborted. */
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

  async function make(lease: Lease): Promise<void> {
    // Another server may have made it meanwhile.
    const due = await findDue();
    if (due === null || settings === null) return;
    const now = clock.now();
    const before = { ...(due.state ?? neverMade(now)), running: null };
    if (due.state === null) await writeNightly(db, before);
    const isAhead = await clockGuard.look();
    const { folder } = settings;
    triedAt = uptime();
    let noting = Promise.resolve();
    const note = sparingly(
      NOTED_EVERY_MS,
      (progress) => {
        const running = { ...progress, at: clock.now() };
        noting = noting
          .then(() =>
            inTransactionUnder(context, lease, ({ trx }) => writeNightly(trx, { ...before, running })),
          )
          // The backup goes on unseen; what became of it is written all the same.
          .catch((error: unknown) =>
            log.warn(describeFailure(error), 'the progress of a backup was not noted'),
          );
      },
      uptime,
    );
    const outcome = await run(
      {
        dataDir: config.dataDir,
        databaseUrl: config.databaseUrl,
        logLevel: config.logLevel,
        folder,
        name: backupName(now, due.zone),
        mark: vault.mac('backup folder', ''),
        isKnown: before.folder === folder,
        mustTry: isTrialDue(
          before,
          due.night,
          before.triedAt === null ? null : nightOf(before.triedAt, settings.at, due.zone),
        ),
        // What is damaged or out of its time may be the only reason to look for an old one.
        mayDelete: !isAhead && integrity.state() !== 'damaged',
      },
      lease,
      note,
    );
    // Or it would come after the outcome, and undo it.
    await noting;
    if (outcome === null) {
      triedAt = null;
      return;
    }
    // From the end on: after a try that hung for hours the next one would follow at once, and hang beside it.
    triedAt = uptime();
    const after = outcome.made
      ? {
          ...before,
          night: due.night.day,
          madeAt: now,
          failedAt: null,
          missing: outcome.without.length,
          folder,
          ...(outcome.trial.state === 'passed' ? { triedAt: now, trialFailedAt: null } : {}),
          ...(outcome.trial.state === 'failed' ? { trialFailedAt: now } : {}),
        }
      : { ...before, failedAt: clock.now() };
    await inTransactionUnder(context, lease, ({ trx }) => writeNightly(trx, after));
    triedAt = null;
    if (!outcome.made) return log.error({ reason: outcome.reason }, 'the nightly backup was not made');
    writeLastBackup(config.dataDir, now);
    tell(outcome);
  }

  function tell(outcome: Extract<Outcome, { made: true }>): void {
    const { made, without, trial, undeleted, isOnSameDisk, ...counts } = outcome;
    log.info(counts, 'the nightly backup was made and read back');
    if (trial.state === 'passed')
      log.info({ rows: trial.rows, photos: trial.photos }, 'the nightly backup was restored for a trial');
    if (trial.state === 'failed')
      log.error({ reason: trial.reason }, 'the nightly backup could not be restored');
    if (without.length > 0) log.warn({ photos: without }, 'the nightly backup is without these photos');
    if (undeleted > 0) log.warn({ undeleted }, 'old nightly backups could not be deleted');
    if (isOnSameDisk)
      log.warn('BACKUP_DIR lies on the disk of the data: a backup there is lost together with the disk');
  }

  async function look(): Promise<void> {
    if (isStopped || (triedAt !== null && uptime() - triedAt < UNWRITTEN_PAUSE_MS)) return;
    if ((await findDue()) === null) return;
    const lease = await leases.acquire(LEASE, LEASE_MS);
    if (lease === null) return;
    try {
      await make(lease);
    } catch (error) {
      if (!(error instanceof LeaseLostError)) throw error;
      log.warn('another server makes the nightly backup now');
    } finally {
      await leases.release(lease).catch((error: unknown) => {
        // The lease expires on its own.
        log.warn(describeFailure(error), 'a lease could not be given back');
      });
    }
  }

  let looking: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  return {
    look,
    start() {
      // A crash or a power cut left them.
      removeTrialsOf((pid) => !isAlive(pid));
      if (settings === null) return;
      log.info(
        { at: settings.at },
        'a backup is made each night: it can be read only with the recovery key (npm run backup -- --recovery-key)',
      );
      timer = setInterval(() => {
        looking ??= look()
          .catch((error: unknown) =>
            log.error(describeFailure(error), 'a look for the nightly backup failed'),
          )
          .finally(() => {
            looking = null;
          });
      }, LOOK_EVERY_MS);
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      abort?.();
      await looking;
    },
  };
}

function neverMade(now: number): NightlyState {
  return {
    night: null,
    madeAt: null,
    failedAt: null,
    missing: 0,
    triedAt: null,
    trialFailedAt: null,
    folder: null,
    since: now,
    running: null,
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
