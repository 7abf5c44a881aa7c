/** Backups by themselves: one each night, by one of the servers, in a process of its own (decision 054). */
import { describeFailure } from '@haris/runtime/log';
import { LeaseLostError } from '../db/leases.ts';
import { readSettings } from '../db/settings.ts';
import { isAlive } from './make.ts';
import { type DueNight, makeNight, type NightlyParts } from './nightly-night.ts';
import { LEASE_MS, openBackupProcess } from './nightly-process.ts';
import { isDue, nightOf, readNightly } from './nightly-state.ts';

const LOOK_EVERY_MS = 60_000;
const LEASE = 'nightly backup';
/** Uptime after which a clock far behind the last backup is believed, unless the clock guard doubts it. Milliseconds. */
const SURE_AFTER_MS = 15 * 60_000;
/** Pause after a try whose result could not be written, so that a full database does not fill the folder too. Milliseconds. */
const UNWRITTEN_PAUSE_MS = 3_600_000;

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
  context: NightlyParts,
  uptime: () => number = () => performance.now(),
): NightlyBackups {
  const { config, log, leases } = context;
  const openedAt = uptime();
  const runner = openBackupProcess(context);
  const tried: { at: number | null } = { at: null };
  let isStopped = false;

  const findNight = (): Promise<DueNight | null> => findDue(context, uptime() - openedAt >= SURE_AFTER_MS);

  async function look(): Promise<void> {
    if (isStopped || (tried.at !== null && uptime() - tried.at < UNWRITTEN_PAUSE_MS)) return;
    if ((await findNight()) === null) return;
    const lease = await leases.acquire(LEASE, LEASE_MS);
    if (lease === null) return;
    try {
      // Another server may have made it meanwhile.
      const due = await findNight();
      if (due !== null) await makeNight(context, { runner, uptime, tried }, due, lease);
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
      runner.removeTrialsOf((pid) => !isAlive(pid));
      if (config.nightlyBackup === null) return;
      log.info(
        { at: config.nightlyBackup.at },
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
      runner.stop();
      await looking;
    },
  };
}

/** The night whose backup is due; null if none is. `isLongUp`: the server has run for long enough to believe its clock. */
async function findDue(
  { config, clock, clockGuard, db }: NightlyParts,
  isLongUp: boolean,
): Promise<DueNight | null> {
  const settings = config.nightlyBackup;
  if (settings === null) return null;
  const zone = (await readSettings(db, config)).timeZone;
  const state = await readNightly(db);
  const night = nightOf(clock.now(), settings.at, zone);
  const isSure = isLongUp && clockGuard.state() === 'ok';
  return isDue(state, clock.now(), night, isSure) ? { state, night, zone, settings } : null;
}
