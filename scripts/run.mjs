// Runs other programs in process groups of their own, so that a timeout or Ctrl-C ends everything they started. Plain
// JavaScript without dependencies: it also runs on the system's Node 20, before anything is installed.
import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

/** The project folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The pinned Node, which exists once packages are installed. */
export const pinnedNode = join(root, 'node_modules/.bin/node');

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
/** True once all groups are being ended: a pending `run` then never resolves, and the process exits. */
let ending = false;

/**
 * Sends a signal to a child and to everything in its process group.
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function signalGroup(child, signal) {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group has already ended.
  }
}

/**
 * Starts a program in a process group of its own, without stdin.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, stdio?: 'inherit' | 'pipe' }} [options]
 */
export function start(command, args, { cwd = root, env = process.env, stdio = 'inherit' } = {}) {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', stdio, stdio], detached: true });
  running.add(child);
  child.once('close', () => running.delete(child));
  child.once('error', () => running.delete(child));
  return child;
}

/**
 * How long ago a file was written, in milliseconds; below 0 if there is none.
 * @param {string} file
 */
function ageOf(file) {
  return Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY);
}

/**
 * Runs a program to its end. With `stdio: 'pipe'` the result contains its output, stdout and stderr mixed. `code` is
 * never 0 after a timeout, a signal or a failed start. With `report`, the file that the program writes last, the program
 * is ended once the file is older than `exitMs` (one minute): `hung` is then true.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, stdio?: 'inherit' | 'pipe', timeoutMs?: number, report?: string, exitMs?: number, onStart?: (pid: number) => void }} [options]
 * @returns {Promise<{ code: number, output: string, timedOut: boolean, hung: boolean }>}
 */
export function run(command, args, { timeoutMs, report, exitMs = 60_000, onStart, ...options } = {}) {
  return new Promise((resolve) => {
    const child = start(command, args, options);
    if (child.pid !== undefined) onStart?.(child.pid);
    let output = '';
    let timedOut = false;
    let hung = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    /** @type {NodeJS.Timeout | undefined} */
    let killTimer;
    const timer = timeoutMs
      ? setTimeout(() => {
          timedOut = true;
          signalGroup(child, 'SIGTERM');
          killTimer = setTimeout(() => signalGroup(child, 'SIGKILL'), 10_000);
        }, timeoutMs)
      : undefined;
    const watch =
      report === undefined
        ? undefined
        : setInterval(
            () => {
              if (ageOf(report) < exitMs) return;
              hung = true;
              signalGroup(child, 'SIGKILL');
            },
            Math.min(exitMs, 5_000),
          );
    /** @param {number} code */
    const finish = (code) => {
      clearInterval(watch);
      clearTimeout(timer);
      clearTimeout(killTimer);
      if (!ending) resolve({ code: timedOut && code === 0 ? 124 : code, output, timedOut, hung });
    };
    child.once('error', (error) => {
      output += `${error.message}\n`;
      finish(127);
    });
    child.once('close', (code, signal) => finish(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

/**
 * On Ctrl-C or SIGTERM: ends every running group (SIGKILL after 10 s), calls back, and exits like a process ended by
 * that signal.
 * @param {() => void | Promise<void>} [beforeExit]
 */
export function endGroupsOnSignal(beforeExit) {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.once(signal, () => {
      const exit = async () => {
        await beforeExit?.();
        process.exit(128 + constants.signals[signal]);
      };
      endGroups().then(exit, exit);
    });
  }
}

/** Ends every running group: SIGTERM, then SIGKILL after 10 s. Pending `run` calls never resolve; the caller exits. */
export async function endGroups() {
  ending = true;
  const ended = [...running].map((child) => new Promise((resolve) => child.once('close', resolve)));
  for (const child of running) signalGroup(child, 'SIGTERM');
  const killTimer = setTimeout(() => {
    for (const child of running) signalGroup(child, 'SIGKILL');
  }, 10_000);
  await Promise.all(ended);
  clearTimeout(killTimer);
}

/**
 * Removes npm's warnings from a program's output, and the middle if it is long: a failure names its cause at the
 * beginning or at the end.
 * @param {string} output
 * @param {number} [lines]
 */
export function shorten(output, lines = 40) {
  const all = stripVTControlCharacters(output)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^npm (warn (Unknown|EBADENGINE)|error( {2}|$))/.test(line));
  if (all.length <= lines) return all.join('\n');
  const half = Math.floor(lines / 2);
  return [...all.slice(0, half), '...', ...all.slice(-half)].join('\n');
}
