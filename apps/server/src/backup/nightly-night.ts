/** The backup of one night: its job, its progress, and what is written and told of its outcome. */
import { describeFailure } from '@haris/runtime/log';
import type { Context } from '../context.ts';
import { writeLastBackup } from '../data-folder.ts';
import { inTransactionUnder, type Lease } from '../db/leases.ts';
import { backupName } from './keep.ts';
import type { Job, Outcome } from './nightly-job.ts';
import type { BackupProcess } from './nightly-process.ts';
import { isTrialDue, type Night, type NightlyState, nightOf, writeNightly } from './nightly-state.ts';
import { sparingly, type TellProgress } from './progress.ts';

/** How often the progress is noted for the health page, which examines as often. Milliseconds. */
const NOTED_EVERY_MS = 10_000;

export type NightlyParts = Pick<
  Context,
  'config' | 'log' | 'clock' | 'clockGuard' | 'db' | 'leases' | 'vault' | 'integrity'
>;

/** A night without a backup yet. */
export interface DueNight {
  readonly state: NightlyState | null;
  readonly night: Night;
  /** Time zone of the facility. */
  readonly zone: string;
  readonly settings: NonNullable<Context['config']['nightlyBackup']>;
}

/** What is needed to make the backup of a night. */
interface NightMaker {
  readonly runner: BackupProcess;
  /** Milliseconds of a monotonic clock. */
  readonly uptime: () => number;
  /** `at`: uptime of a try whose result is not written yet. */
  readonly tried: { at: number | null };
}

/** Makes the backup and writes what became of it. Throws `LeaseLostError` if another server makes it now. */
export async function makeNight(
  context: NightlyParts,
  { runner, uptime, tried }: NightMaker,
  due: DueNight,
  lease: Lease,
): Promise<void> {
  const { config, log, clock, clockGuard, db, integrity } = context;
  const now = clock.now();
  const before = { ...(due.state ?? neverMade(now)), running: null };
  if (due.state === null) await writeNightly(db, before);
  const isAhead = await clockGuard.look();
  tried.at = uptime();
  const noted = noteProgress(context, lease, before, uptime);
  const job = jobOf(context, due, before, now);
  // What is damaged or out of its time may be the only reason to look for an old one.
  const mayDelete = !isAhead && integrity.state() !== 'damaged';
  const outcome = await runner.run({ ...job, mayDelete }, lease, noted.note);
  // Or it would come after the outcome, and undo it.
  await noted.settled();
  if (outcome === null) {
    tried.at = null;
    return;
  }
  // From the end on: after a try that hung for hours the next one would follow at once, and hang beside it.
  tried.at = uptime();
  const after = outcome.made
    ? { ...before, ...madeOf(outcome, due, now) }
    : { ...before, failedAt: clock.now() };
  await inTransactionUnder(context, lease, ({ trx }) => writeNightly(trx, after));
  tried.at = null;
  if (!outcome.made) return log.error({ reason: outcome.reason }, 'the nightly backup was not made');
  writeLastBackup(config.dataDir, now);
  tell(log, outcome);
}

/** Notes the progress for the health page, now and then. `settled` resolves once all of it is written or has failed. */
function noteProgress(
  context: NightlyParts,
  lease: Lease,
  before: NightlyState,
  uptime: () => number,
): { readonly note: TellProgress; readonly settled: () => Promise<void> } {
  let noting = Promise.resolve();
  const note = sparingly(
    NOTED_EVERY_MS,
    (progress) => {
      const running = { ...progress, at: context.clock.now() };
      noting = noting
        .then(() =>
          inTransactionUnder(context, lease, ({ trx }) => writeNightly(trx, { ...before, running })),
        )
        // The backup goes on unseen; what became of it is written all the same.
        .catch((error: unknown) =>
          context.log.warn(describeFailure(error), 'the progress of a backup was not noted'),
        );
    },
    uptime,
  );
  return { note, settled: () => noting };
}

/** What the process has to do, but for whether it may delete. */
function jobOf(
  { config, vault }: NightlyParts,
  { night, zone, settings }: DueNight,
  before: NightlyState,
  now: number,
): Omit<Job, 'mayDelete'> {
  const { folder } = settings;
  const triedIn = before.triedAt === null ? null : nightOf(before.triedAt, settings.at, zone);
  return {
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    logLevel: config.logLevel,
    folder,
    name: backupName(now, zone),
    mark: vault.mac('backup folder', ''),
    isKnown: before.folder === folder,
    mustTry: isTrialDue(before, night, triedIn),
  };
}

type Made = Extract<Outcome, { made: true }>;

/** What a backup that was made changes in the state. */
function madeOf(outcome: Made, { night, settings }: DueNight, now: number): Partial<NightlyState> {
  return {
    night: night.day,
    madeAt: now,
    failedAt: null,
    missing: outcome.without.length,
    folder: settings.folder,
    ...(outcome.trial.state === 'passed' ? { triedAt: now, trialFailedAt: null } : {}),
    ...(outcome.trial.state === 'failed' ? { trialFailedAt: now } : {}),
  };
}

function tell(log: Context['log'], outcome: Made): void {
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
