/** The machine: free disk space of the data folder, a damaged database, and backups that are overdue or failed. */
import { judgeBackup } from '../../../backup/due.ts';
import { isLate, LATE_AFTER_HOURS, readNightly } from '../../../backup/nightly-state.ts';
import type { Context } from '../../../context.ts';
import { type DiskSpace, FULL, isBelow, readLastBackup, WELL } from '../../../data-folder.ts';
import { readSettings } from '../../../db/settings.ts';
import type { Detector } from '../detection.ts';

/** How often the free space is read. Milliseconds. */
const LOOK_EVERY_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A missed night is made up soon after a start or a sleep, so nobody is told of it before. Milliseconds. */
const MADE_UP_WITHIN_MS = 4 * HOUR_MS;

export function detectDisk(disk: () => Promise<DiskSpace>): Detector {
  let lookedAt = Number.NEGATIVE_INFINITY;
  return async (now) => {
    if (Math.abs(now - lookedAt) < LOOK_EVERY_MS) return null;
    lookedAt = now;
    const space = await disk();
    const finding = {
      kind: 'disk' as const,
      condition: 'disk',
      value: space.freeBytes,
      limit: Math.max(FULL.bytes, FULL.part * space.totalBytes),
    };
    return {
      kinds: ['disk'],
      findings: isBelow(space, FULL) ? [finding] : [],
      goingOn: new Set(isBelow(space, WELL) ? ['disk'] : []),
    };
  };
}

export function detectDamage({ integrity }: Pick<Context, 'integrity'>): Detector {
  return async () => ({
    kinds: ['database'],
    findings: integrity.state() === 'damaged' ? [{ kind: 'database', condition: 'database' }] : [],
  });
}

export function detectBackup({ db, config }: Pick<Context, 'db' | 'config'>): Detector {
  return async (now) => {
    const { backupDueDays } = await readSettings(db, config);
    const { age, days, ...judged } = judgeBackup(now, readLastBackup(config.dataDir), backupDueDays);
    // Of backups that are made each night, one kind tells, and earlier.
    const isDue = judged.isDue && config.nightlyBackup === null;
    return {
      kinds: ['backup'],
      findings: isDue
        ? [
            {
              kind: 'backup',
              condition: 'backup',
              value: age === null ? null : Math.floor(age / DAY_MS),
              limit: days,
            },
          ]
        : [],
    };
  };
}

/**
 * The last nightly backup failed, is without some photos or could not be restored, or there was none for too long.
 * `uptime`: milliseconds of a monotonic clock.
 */
export function detectFailedBackup(
  { db, config }: Pick<Context, 'db' | 'config'>,
  uptime: () => number = () => performance.now(),
): Detector {
  /** When this process first saw that it is late. Not its start: `uptime` stands still while the machine sleeps. */
  let lateSince: number | null = null;
  return async (now) => {
    const state = config.nightlyBackup === null ? null : await readNightly(db);
    const late = state !== null && isLate(state, now);
    lateSince = late ? (lateSince ?? uptime()) : null;
    const isTold = lateSince !== null && uptime() - lateSince >= MADE_UP_WITHIN_MS;
    const isBad =
      state !== null && (state.failedAt !== null || state.missing > 0 || state.trialFailedAt !== null);
    const madeAt = state?.madeAt ?? null;
    return {
      kinds: ['backup_failed'],
      findings:
        isTold || isBad
          ? [
              {
                kind: 'backup_failed',
                condition: 'backup_failed',
                value: madeAt === null ? null : Math.floor((now - madeAt) / HOUR_MS),
                limit: LATE_AFTER_HOURS,
              },
            ]
          : [],
      goingOn: new Set(late ? ['backup_failed'] : []),
    };
  };
}
