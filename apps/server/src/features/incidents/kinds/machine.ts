/** The machine: free disk space of the data folder, a damaged database, and the age of the last backup. */
import type { Context } from '../../../context.ts';
import { readLastBackup } from '../../../data-folder.ts';
import { readSettings } from '../../../db/settings.ts';
import type { Detector } from '../detection.ts';
import type { DiskSpace } from '../sources.ts';

const GIB = 1024 ** 3;
/**
 * Limits of free space, as a part of the disk and as bytes. The disk is nearly full below either limit of `FULL`, and well
 * again above both limits of `WELL`.
 */
const FULL = { part: 0.1, bytes: GIB };
const WELL = { part: 0.12, bytes: 1.2 * GIB };
/** How often the free space is read. Milliseconds. */
const LOOK_EVERY_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
/** Default number of days without a backup, after the first one, that open an incident. */
const DUE_DAYS = 7;

function isBelow({ freeBytes, totalBytes }: DiskSpace, mark: { part: number; bytes: number }): boolean {
  return freeBytes < mark.bytes || freeBytes < mark.part * totalBytes;
}

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
    const last = readLastBackup(config.dataDir);
    const days = backupDueDays ?? (last === null ? null : DUE_DAYS);
    const age = last === null ? null : now - last;
    const isDue = days !== null && (age === null || age > days * DAY_MS);
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
