/** Puts restored data in the place of the present data of a data folder, which is moved aside and never deleted. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { embeddedFile } from '../db/embedded.ts';
import { KEPT_FILES } from '../kept-lines.ts';
import { masterKeyFile } from '../vault/master-key.ts';

/** What belongs to the database. Videos, automatic backups and other people's files stay where they are. */
const MOVED =
  /^(haris\.db(-wal|-shm|-journal)?|installation\.json|last-backup\.json|rows-sealed|outbox|photos|photos-migrated-.*)$/;
/** Files outside the database, so that they survive the restore of an older one. */
export const isSurvivor = (name: string): boolean => KEPT_FILES.includes(name);
const DATABASE = embeddedFile('');
const KEY = masterKeyFile('');
const LOCK = 'haris.lock';

/** Putting back has failed as well; `message` is for the operator. */
export class SwapError extends Error {
  override name = 'SwapError';
}

/** Copies the files that survive a restore into `stage`, and syncs them to disk. */
export function copySurvivors(dataDir: string, stage: string): void {
  for (const name of survivorsIn(dataDir)) copySynced(join(dataDir, name), join(stage, name));
}

/** Names of the files that survive a restore, also of those that are links to a file elsewhere. */
export function survivorsIn(folder: string): string[] {
  return KEPT_FILES.filter((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile());
}

/** A rename must not come to the disk before the bytes of the copy. */
function copySynced(from: string, to: string): void {
  copyFileSync(from, to);
  sync(to);
}

/** A new folder of the day; null if there is nothing to move aside. */
function makeAside(dataDir: string, now: number): string | null {
  if (!readdirSync(dataDir).some((name) => MOVED.test(name) || isSurvivor(name) || name === 'keys'))
    return null;
  const name = `replaced-${new Date(now).toISOString().slice(0, 10)}`;
  for (let count = 1; ; count++) {
    const aside = join(dataDir, count === 1 ? name : `${name}-${count}`);
    if (existsSync(aside)) continue;
    mkdirSync(aside, { mode: 0o700 });
    return aside;
  }
}

/**
 * Moves the present data of `dataDir` into a folder of its own below it, and what is in `stage` into its place. Hold the
 * data folder meanwhile. Files that survive and the master key are there at every moment (a key that is missing comes before
 * anything is moved) and the database comes last, so that no start after a crash in between begins a new, empty nursery, or forgets an erasure. After an error everything is
 * as before, or {@link SwapError} says where it is. Returns the folder; null if there was nothing to move. `now`:
 * milliseconds since 1970.
 */
export function swapIn(dataDir: string, stage: string, now: number): string | null {
  const aside = makeAside(dataDir, now);
  const undo: (() => void)[] = [];
  const move = (from: string, to: string): void => {
    renameSync(from, to);
    undo.push(() => renameSync(to, from));
  };
  try {
    const come = readdirSync(stage).filter((name) => ![LOCK, DATABASE, 'keys'].includes(name));
    const survivors = survivorsIn(dataDir);
    const replaced = survivors.filter((name) => come.includes(name));
    const hasKey = existsSync(join(dataDir, KEY));
    if (hasKey) replaced.push(KEY);
    // Logs of another installation, which were not taken over, go as well.
    const goes = (name: string): boolean =>
      MOVED.test(name) || (survivors.includes(name) && !come.includes(name));
    const put = (name: string): void => {
      const [from, to] = [join(stage, name), join(dataDir, name)];
      if (aside === null || !replaced.includes(name)) move(from, to);
      else {
        renameSync(from, to);
        undo.push(() => renameSync(join(aside, name), to));
      }
    };
    mkdirSync(join(dataDir, 'keys'), { recursive: true, mode: 0o700 });
    if (!hasKey) {
      // Without a key and without a database, a start would begin a new nursery.
      put(KEY);
      sync(join(dataDir, 'keys'));
      sync(dataDir);
    }
    if (aside !== null) {
      for (const name of replaced) {
        mkdirSync(dirname(join(aside, name)), { recursive: true, mode: 0o700 });
        copySynced(join(dataDir, name), join(aside, name));
      }
      sync(aside);
      for (const name of readdirSync(dataDir).filter(goes)) move(join(dataDir, name), join(aside, name));
    }
    for (const name of [...come, ...(hasKey ? [KEY] : []), DATABASE]) put(name);
  } catch (error) {
    putBack(undo, dataDir, aside, error);
    throw error;
  }
  for (const folder of [...(aside === null ? [] : [aside]), join(dataDir, 'keys'), dataDir]) sync(folder);
  return aside;
}

function putBack(undo: readonly (() => void)[], dataDir: string, aside: string | null, cause: unknown): void {
  try {
    for (const one of undo.toReversed()) one();
  } catch {
    throw new SwapError(
      `What was moved could not be put back: the data from before is in ${aside ?? dataDir}, and what is missing there is in ${dataDir}.`,
      { cause },
    );
  }
  // Only copies are left in it.
  if (aside !== null) rmSync(aside, { recursive: true, force: true });
}

/** Of a file or a folder. */
function sync(path: string): void {
  const handle = openSync(path, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
