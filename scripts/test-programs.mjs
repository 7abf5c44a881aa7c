// Runs the test programs of one run, and ends any processes they leave behind.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pinnedNode, run } from './run.mjs';
import { makeScratch } from './test-scratch.mjs';

/** Marks the processes of this run in their environment, to tell those that it leaves behind from others. */
const runMark = `HARIS_TEST_RUN=${process.pid}-${Date.now()}`;
/** Folder for all temporary files of this run: databases, data folders, browser profiles, Node's compile cache. */
const scratch = makeScratch();
process.once('exit', scratch.remove);

/**
 * Process groups of the programs that were run. They contain everything the programs started except browsers and their
 * servers, which carry the mark.
 * @type {string[]}
 */
const groups = [];

/**
 * Runs one of our programs to its end and shows its output.
 * @param {string} program
 * @param {string[]} args
 * @param {{ timeoutMs: number, env?: NodeJS.ProcessEnv, report?: string }} options `report`: the file it writes last
 */
export async function runProgram(program, args, { timeoutMs, env = {}, report }) {
  const [name = '', value = ''] = runMark.split('=');
  const { NO_COLOR, FORCE_COLOR, ...outside } = process.env;
  return run(pinnedNode, [program, ...args], {
    env: {
      ...outside,
      [name]: value,
      TMPDIR: scratch.folder,
      NODE_COMPILE_CACHE: join(scratch.folder, 'compiled'),
      // Plain text. Node warns if both variables are set, and Playwright sets the other one.
      ...(env.FORCE_COLOR === undefined ? { NO_COLOR: '1' } : {}),
      ...env,
    },
    timeoutMs,
    ...(report === undefined ? {} : { report }),
    onStart: (pid) => groups.push(String(pid)),
  });
}

/** The pids of this run's processes, including grandchildren and detached ones. */
function findRunning() {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc').filter((pid) => {
    try {
      if (!/^\d+$/.test(pid)) return false;
      // State, parent and group follow the name, which may contain blanks and brackets.
      const [state, , group = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      if (state === 'Z') return false;
      if (groups.includes(group)) return true;
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(runMark);
    } catch {
      return false; // The process has ended, or belongs to another user.
    }
  });
}

/**
 * Ends and names the processes of this run that outlive their program by more than three seconds. Call it when none
 * of the programs is running.
 * @param {(line: string) => void} say
 */
export async function endLeftovers(say) {
  for (let tries = 0; tries < 30 && findRunning().length > 0; tries++) await sleep(100);
  for (const pid of findRunning()) {
    try {
      const [command = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').split('\n');
      process.kill(Number(pid), 'SIGKILL');
      say(`A process was left behind and has been ended: ${pid} ${command.slice(0, 120)}`);
    } catch {
      // The process ended by itself meanwhile.
    }
  }
}
