// Creates a folder for the temporary files of one test run. It is in memory if there is room, because the embedded
// database waits for the disk at every commit, and one start alone has dozens of commits.
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
/** Four times the measured need of a run. */
const neededBytes = 2 * 1024 ** 3;
const prefix = 'haris-test-run-';

function hasRoomInMemory() {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= neededBytes;
  } catch {
    return false;
  }
}

/** @param {string} pid */
function isRunning(pid) {
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/** Removes folders of killed runs, because they occupy memory. */
function removeAbandoned() {
  for (const name of existsSync(memory) ? readdirSync(memory) : []) {
    const [pid = ''] = name.startsWith(prefix) ? name.slice(prefix.length).split('-') : [];
    if (/^\d+$/.test(pid) && !isRunning(pid)) rmSync(join(memory, name), { recursive: true, force: true });
  }
}

/** Creates the folder. A second call of `remove` does nothing. */
export function makeScratch() {
  removeAbandoned();
  const folder = mkdtempSync(join(hasRoomInMemory() ? memory : tmpdir(), `${prefix}${process.pid}-`));
  // Same mode as /tmp: PostgreSQL runs as another user and keeps its folder here.
  chmodSync(folder, 0o1777);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
