// Allows one preparation at a time, with a lock folder that names its owner and becomes free when the owner crashes.
import { mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** After this time an unfinished takeover counts as abandoned by a crash. */
const takeoverMs = 5_000;

/**
 * Identifies a process by its pid and start time, so that a reused pid is not taken for the old owner.
 * @param {number} pid
 * @returns {string | undefined} undefined when there is no such process
 */
function findIdentity(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH') return undefined;
  }
  try {
    // Field 22 is the start time. The name before it may contain blanks, so fields are counted from its closing
    // bracket.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return fields[0] === 'Z' ? undefined : `${pid} ${fields[19]}`;
  } catch {
    return `${pid} -`;
  }
}

/**
 * @param {string} path
 * @param {'owner' | 'helper'} role
 */
function readName(path, role) {
  try {
    return readFileSync(`${path}/${role}`, 'utf8');
  } catch {
    return undefined;
  }
}

/** @param {string | undefined} identity */
function isAlive(identity) {
  return identity !== undefined && findIdentity(Number.parseInt(identity, 10)) === identity;
}

/**
 * Whether the owner is alive, or a helper that a killed owner left running.
 * @param {string} path
 */
function isHeld(path) {
  return isAlive(readName(path, 'owner')) || isAlive(readName(path, 'helper'));
}

/**
 * Takes the lock if it is free or its owner is dead.
 * @param {string} path
 * @returns {boolean}
 */
function tryLock(path) {
  const mine = `${path}.${process.pid}`;
  rmSync(mine, { recursive: true, force: true });
  mkdirSync(mine);
  writeFileSync(`${mine}/owner`, findIdentity(process.pid) ?? '');
  try {
    // The atomic step: a folder can only replace an empty or missing one.
    renameSync(mine, path);
    return true;
  } catch {
    rmSync(mine, { recursive: true, force: true });
  }
  const owner = readName(path, 'owner');
  if (owner !== undefined && !isHeld(path)) clearStale(path, owner);
  return false;
}

/**
 * Removes the lock of a dead owner. Only one of several waiting processes does this, and never to a newer lock.
 * @param {string} path
 * @param {string} owner
 */
function clearStale(path, owner) {
  const claim = `${path}/takeover`;
  try {
    mkdirSync(claim);
  } catch {
    try {
      if (Date.now() - statSync(claim).mtimeMs > takeoverMs) rmdirSync(claim);
    } catch {
      // Another process was faster.
    }
    return;
  }
  if (readName(path, 'owner') !== owner) {
    rmdirSync(claim);
    return;
  }
  const stale = `${path}.stale.${process.pid}`;
  renameSync(path, stale);
  rmSync(stale, { recursive: true, force: true });
}

/**
 * Runs `work` while holding the lock; waits while a living process holds it.
 * @template T
 * @param {string} path
 * @param {{ onWait: () => void }} options `onWait` is called once, if there is a wait
 * @param {(addHelper: (pid: number) => void) => Promise<T>} work `addHelper` registers a child that must not run beside
 *   the next owner: if this process is killed, the lock stays taken until that child has ended
 * @returns {Promise<T>}
 */
export async function withLock(path, { onWait }, work) {
  mkdirSync(dirname(path), { recursive: true });
  let told = false;
  while (!tryLock(path)) {
    if (!told && isHeld(path)) {
      told = true;
      onWait();
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const release = () => rmSync(path, { recursive: true, force: true });
  process.once('exit', release);
  try {
    return await work((pid) => writeFileSync(`${path}/helper`, findIdentity(pid) ?? ''));
  } finally {
    process.off('exit', release);
    release();
  }
}
