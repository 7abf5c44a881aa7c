// Everything a change has to pass, from a clean clone on: preparation, static checks, Vitest, Playwright.
// Its last line is `N passed, N failed`. It never hangs: each step and the whole have an end.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepare } from './prepare.mjs';
import { endGroups, endGroupsOnSignal, pinnedNode, root, run } from './run.mjs';
import { installSystemPackages } from './system-packages.mjs';
import { makeScratch } from './test-scratch.mjs';

const minuteMs = 60_000;
/** Ends a run that hangs. A run on a busy machine takes three times as long as on a quiet one. */
const wholeMs = 80 * minuteMs;
const reports = join(root, 'test-results');
/** Marks processes of this run in their environment, so that those left behind can be told from others. */
const runMark = `HARIS_TEST_RUN=${process.pid}-${Date.now()}`;
/** Every temporary file of this run: databases, data folders, browser profiles, what Node has compiled. */
const scratch = makeScratch();
process.once('exit', scratch.remove);

let passed = 0;
let failed = 0;
/** @type {string[]} */
const problems = [];

/** @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`);
}

/** @param {string} problem */
function addFailure(problem) {
  failed++;
  problems.push(problem);
}

function printSummary() {
  say('');
  for (const problem of problems) say(`FAILED: ${problem}`);
  if (passed + failed === 0) say('FAILED: nothing was tested.');
  say(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}

/**
 * The process groups of the programs that were run: what they start is in them, but for browsers, which have the mark.
 * @type {string[]}
 */
const groups = [];

/**
 * Runs a test program of node_modules with its output shown.
 * @param {string} program
 * @param {string[]} args
 * @param {number} timeoutMs
 * @param {NodeJS.ProcessEnv} [color] how to ask this program for plain text
 */
async function runProgram(program, args, timeoutMs, color = { NO_COLOR: '1' }) {
  const [name = '', value = ''] = runMark.split('=');
  const { NO_COLOR, FORCE_COLOR, ...outside } = process.env;
  const env = {
    ...outside,
    [name]: value,
    TMPDIR: scratch.folder,
    NODE_COMPILE_CACHE: join(scratch.folder, 'compiled'),
    ...color,
  };
  const result = await run(pinnedNode, [program, ...args], {
    env,
    timeoutMs,
    onStart: (pid) => groups.push(String(pid)),
  });
  await endLeftovers();
  return result;
}

/** The pids of this run's processes, children of children and detached ones too. */
function findRunning() {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc').filter((pid) => {
    try {
      if (!/^\d+$/.test(pid)) return false;
      // State, parent and group follow the name, which may hold blanks and brackets.
      const [state, , group = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      if (state === 'Z') return false;
      if (groups.includes(group)) return true;
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(runMark);
    } catch {
      return false; // It has ended, or is another user's.
    }
  });
}

/** Ends processes of this run that outlive the step that started them by more than a moment, and names them. */
async function endLeftovers() {
  for (let tries = 0; tries < 30 && findRunning().length > 0; tries++) await sleep(100);
  for (const pid of findRunning()) {
    try {
      const [command = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').split('\n');
      process.kill(Number(pid), 'SIGKILL');
      say(`A process was left behind and has been ended: ${pid} ${command.slice(0, 120)}`);
    } catch {
      // It ended by itself meanwhile.
    }
  }
}

/** @param {string} path */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Adds the counts of one step. A program that failed with no failed test (a file that cannot be loaded, an unhandled
 * rejection, a crash, a timeout) counts as one failure.
 * @param {string} name
 * @param {{ code: number, timedOut: boolean }} result
 * @param {{ passed: number, failed: number, skipped: number } | undefined} counts
 */
function addCounts(name, result, counts) {
  passed += counts?.passed ?? 0;
  failed += counts?.failed ?? 0;
  if (counts && counts.skipped > 0) say(`${name}: ${counts.skipped} skipped`);
  if (counts && counts.failed > 0) problems.push(`${name}: ${counts.failed} tests, see above`);
  if (result.timedOut) addFailure(`${name} did not end in time`);
  else if (counts === undefined) addFailure(`${name} made no report (exit code ${result.code})`);
  else if (counts.passed + counts.failed === 0) addFailure(`${name} found no test to run`);
  else if (result.code !== 0 && counts.failed === 0)
    addFailure(`${name} failed outside of a test, see above`);
}

async function runChecks() {
  const { code, timedOut } = await runProgram('scripts/check.mjs', [], 15 * minuteMs);
  if (code === 0) passed++;
  else addFailure(timedOut ? 'check did not end in time' : 'check, see above');
}

async function runVitest() {
  const path = join(reports, 'vitest.json');
  const args = [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${path}`,
    '--silent=passed-only',
  ];
  const result = await runProgram('node_modules/vitest/vitest.mjs', args, 45 * minuteMs);
  const report = readReport(path);
  const counts = report && {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  };
  addCounts('vitest', result, counts);
}

async function runPlaywright() {
  const result = await runProgram('node_modules/@playwright/test/cli.js', ['test'], 45 * minuteMs, {
    // It sets FORCE_COLOR for its workers, and Node warns where both are set.
    FORCE_COLOR: '0',
  });
  const stats = readReport(join(reports, 'e2e.json'))?.stats;
  const counts = stats && {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
  };
  if (stats?.flaky > 0) say(`playwright: ${stats.flaky} passed at the second try alone, see above`);
  addCounts('playwright', result, counts);
}

endGroupsOnSignal(async () => {
  await endLeftovers();
  addFailure('interrupted');
  printSummary();
});
setTimeout(async () => {
  await endGroups();
  await endLeftovers();
  addFailure(`gave up after ${wholeMs / minuteMs} minutes`);
  printSummary();
  process.exit(1);
}, wholeMs).unref();

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
try {
  await prepare();
  await installSystemPackages(say);
  await runChecks();
  await runVitest();
  await runPlaywright();
} catch (error) {
  addFailure(error instanceof Error ? error.message : String(error));
}
printSummary();
