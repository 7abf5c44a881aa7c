// A folder for the temporary files of one run of all tests: in memory where there is room, since the embedded database
// waits for the disk at every commit, and a start alone has dozens of them.
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
/** A run has been seen to need a quarter of this. */
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

/** Removes what a run that was killed could not remove: memory is too dear to keep it. */
function removeAbandoned() {
  for (const name of existsSync(memory) ? readdirSync(memory) : []) {
    const [pid = ''] = name.startsWith(prefix) ? name.slice(prefix.length).split('-') : [];
    if (/^\d+$/.test(pid) && !isRunning(pid)) rmSync(join(memory, name), { recursive: true, force: true });
  }
}

/** Makes the folder. `remove` does no harm twice. */
export function makeScratch() {
  removeAbandoned();
  const folder = mkdtempSync(join(hasRoomInMemory() ? memory : tmpdir(), `${prefix}${process.pid}-`));
  // As /tmp is: PostgreSQL runs as another user and has its folder in it.
  chmodSync(folder, 0o1777);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
