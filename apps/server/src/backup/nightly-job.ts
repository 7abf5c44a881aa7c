/**
 * One nightly backup: looks at the folder, makes the backup, restores it for a trial if that is due, and removes old ones.
 * Runs in a process of its own.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile, realpath, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLogger, type Logger } from '@haris/runtime/log';
import { z } from 'zod';
import { areApart } from '../data-folder.ts';
import { DatabaseFileError } from '../db/damage.ts';
import { DataFolderError } from '../db/embedded.ts';
import { isStorageFull } from '../db/storage-full.ts';
import { MasterKeyError, openMasterKey } from '../vault/master-key.ts';
import { ArchiveError } from './archive.ts';
import { chooseOld, isUnfinished } from './keep.ts';
import { makeBackup, NoRoomError } from './make.ts';
import { type Progress, progressSchema, type TellProgress } from './progress.ts';
import { writeRecords } from './records.ts';
import { removeTrials, TrialError, tryRestore } from './trial.ts';

/** The file by which the folder is known; an empty one is taken over. */
const MARK = '.haris-backups';

/** The job, as the server writes it to the program. */
export const jobSchema = z.object({
  dataDir: z.string(),
  databaseUrl: z.string().nullable(),
  logLevel: z.string(),
  folder: z.string(),
  name: z.string(),
  /** What the mark of this installation says. */
  mark: z.string(),
  /** Whether a backup was made in this folder before, so that its mark must be there. */
  isKnown: z.boolean(),
  /** Whether the backup is to be restored for a trial. */
  mustTry: z.boolean(),
  mayDelete: z.boolean(),
});
export type Job = z.infer<typeof jobSchema>;

const trialSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('none') }),
  /** Counts of what was restored and compared. */
  z.object({ state: z.literal('passed'), rows: z.number(), photos: z.number() }),
  /** `isBegun`: false if there was no room, which says nothing against the backup. */
  z.object({ state: z.literal('failed'), reason: z.string(), isBegun: z.boolean() }),
]);
type Trial = z.infer<typeof trialSchema>;

/** What became of the job, as the program prints it. */
const outcomeSchema = z.discriminatedUnion('made', [
  z.object({
    made: z.literal(true),
    rows: z.number(),
    photos: z.number(),
    /** Ids of photos that are lost or cannot be opened. */
    without: z.array(z.string()),
    trial: trialSchema,
    deleted: z.number(),
    /** Old backups that could not be deleted. */
    undeleted: z.number(),
    /** A backup on the disk of the data is lost together with it. */
    isOnSameDisk: z.boolean(),
  }),
  z.object({ made: z.literal(false), reason: z.string() }),
]);
export type Outcome = z.infer<typeof outcomeSchema>;

/** The folder cannot be used; `message` is for the operator. */
class FolderError extends Error {
  override name = 'FolderError';
}

/**
 * The last outcome among the lines that the program printed, of which the last one may be cut off; null if there is none.
 * A program that ended during a trial has said before that the backup was made.
 */
export function lastOutcome(said: string): Outcome | null {
  const line =
    said
      .slice(0, said.lastIndexOf('\n') + 1)
      .trimEnd()
      .split('\n')
      .at(-1) ?? '';
  try {
    return outcomeSchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

const progressLineSchema = z.object({ progress: progressSchema });

export function formatProgress(progress: Progress): string {
  return JSON.stringify({ progress } satisfies z.infer<typeof progressLineSchema>);
}

/** The progress in a line that the program printed; null if it is none. */
export function readProgress(line: string): Progress | null {
  try {
    return progressLineSchema.parse(JSON.parse(line)).progress;
  } catch {
    return null;
  }
}

/**
 * Does the job. Never rejects. `tell` is called before a trial, with the outcome that counts if the trial does not come to
 * its end; `tellProgress` often, while the backup is made.
 */
export async function doJob(
  job: Job,
  tell: (outcome: Outcome) => void,
  tellProgress: TellProgress,
): Promise<Outcome> {
  try {
    return await makeIn(job, tell, tellProgress);
  } catch (error) {
    return { made: false, reason: explain(error, job.folder) };
  }
}

async function makeIn(
  job: Job,
  tell: (outcome: Outcome) => void,
  tellProgress: TellProgress,
): Promise<Outcome> {
  const { dataDir, databaseUrl, logLevel, folder, name } = job;
  // First, whatever happens after: they are readable.
  removeTrials(dataDir);
  await requireFolder(job);
  for (const left of (await filesIn(folder)).filter(isUnfinished))
    await rm(join(folder, left), { force: true });
  const file = join(folder, name);
  if (existsSync(file)) throw new FolderError(`${file} is there already.`);
  const log = createLogger('backup', logLevel);
  const { rows, photos, lost, unreadable } = await makeBackup(
    { dataDir, databaseUrl, log },
    file,
    tellProgress,
  );
  // After the backup, so that the copy has every erasure that the backup has.
  await writeRecords(dataDir, folder, openMasterKey(dataDir, false), Date.now());
  const without = [...lost, ...unreadable];
  const made = {
    made: true,
    rows,
    photos,
    without,
    trial: { state: 'none' },
    deleted: 0,
    undeleted: 0,
    isOnSameDisk: (await stat(folder)).dev === (await stat(dataDir)).dev,
  } as const;
  if (job.mustTry)
    tell({ ...made, trial: { state: 'failed', reason: 'The trial was not finished.', isBegun: true } });
  const trial = job.mustTry ? await tryIn(job, log) : made.trial;
  // An older one may be the last that has those photos, or that can be restored.
  const isDoubtful = trial.state === 'failed' && trial.isBegun;
  const mayDelete = job.mayDelete && without.length === 0 && !isDoubtful;
  return { ...made, trial, ...(mayDelete ? await removeOld(folder, name) : {}) };
}

async function tryIn({ dataDir, folder, name }: Job, log: Logger): Promise<Trial> {
  try {
    return { state: 'passed', ...(await tryRestore({ dataDir, log }, join(folder, name))) };
  } catch (error) {
    return { state: 'failed', reason: explain(error, folder), isBegun: !(error instanceof NoRoomError) };
  }
}

/** Throws {@link FolderError} unless backups of this installation may be written there. Never creates the folder. */
async function requireFolder({ dataDir, folder, mark, isKnown }: Job): Promise<void> {
  const real = await realpath(folder).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw new FolderError(`${folder} does not exist. Is its disk or share mounted?`);
  });
  if (!(await stat(real)).isDirectory()) throw new FolderError(`${folder} is not a folder.`);
  if (!areApart(real, await realpath(dataDir)))
    throw new FolderError(`${folder} must be a folder apart from the data folder.`);
  const file = join(folder, MARK);
  const found = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
    return null;
  });
  if (found === null && isKnown)
    throw new FolderError(
      `${folder} had backups, and now has no ${MARK}. Is its disk or share mounted? ` +
        'If it is a new disk, create an empty file of that name in it.',
    );
  if (found === null || found.trim() === '') {
    // Renamed, because the operator's empty file may belong to another user.
    await writeFile(`${file}.part`, `${mark}\n`, { mode: 0o600 });
    await rename(`${file}.part`, file);
  } else if (found.trim() !== mark)
    throw new FolderError(`${folder} has the backups of another installation. Choose another folder.`);
}

/** Names of regular files. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function removeOld(folder: string, made: string): Promise<{ deleted: number; undeleted: number }> {
  const counts = { deleted: 0, undeleted: 0 };
  for (const name of chooseOld(await filesIn(folder), made))
    await unlink(join(folder, name)).then(
      () => counts.deleted++,
      () => counts.undeleted++,
    );
  return counts;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function explain(error: unknown, folder: string): string {
  const known = [
    FolderError,
    NoRoomError,
    ArchiveError,
    DatabaseFileError,
    DataFolderError,
    MasterKeyError,
    TrialError,
  ];
  if (error instanceof Error && known.some((kind) => error instanceof kind)) return error.message;
  const code = codeOf(error);
  if (isStorageFull(error)) return `There is no room for it, in ${folder} or in DATA_DIR/backups.`;
  if (['EACCES', 'EPERM', 'EROFS'].includes(code))
    return `${folder} or DATA_DIR/backups cannot be written (${code}).`;
  return code === '' ? 'Something unexpected happened.' : `Something unexpected happened (${code}).`;
}
