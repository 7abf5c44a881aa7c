// Runs all tests, starting from a clean clone: preparation, static checks, Vitest, Playwright. With `--changed [ref]`
// it runs only tests that a change can affect. Its last line is `N passed, N failed`. Each step and the whole run
// have a time limit. A file that fails is run again alone, and named UNSTABLE if it then passes.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseTests } from './changed.mjs';
import { prepare } from './prepare.mjs';
import { endGroups, endGroupsOnSignal, root } from './run.mjs';
import { makePlaywright, makeVitest } from './runners.mjs';
import { makeSecondLook } from './second-look.mjs';
import { installSystemPackages } from './system-packages.mjs';
import { endLeftovers, runProgram } from './test-programs.mjs';
import {
  describeSlowest,
  readPlaywrightFailures,
  readPlaywrightTimes,
  readVitestTimes,
} from './test-reports.mjs';

const minuteMs = 60_000;
/** Only ends a hanging run: a busy machine may take several times as long as an idle one. */
const wholeMs = 85 * minuteMs;
const stepMs = 60 * minuteMs;
const slowestFiles = 10;
const reports = join(root, 'test-results');
/** Causes of Vitest's failures; with Playwright's they are repeated at the end of the log. */
const failures = join(reports, 'vitest-failures.txt');
const playwrightReport = join(reports, 'e2e.json');

let passed = 0;
let failed = 0;
/** @type {string[]} */
const problems = [];
/** @type {import('./second-look.mjs').Unstable[]} */
const unstable = [];
/** @type {import('./test-reports.mjs').FileTime[]} */
const files = [];
/** @type {string[]} */
const steps = [];

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
  if (files.length > 0) {
    say('Slowest test files:');
    for (const line of describeSlowest(files, slowestFiles)) say(line);
  }
  if (steps.length > 0) say(`Steps: ${steps.join(', ')}`);
  const causes = existsSync(failures) ? readFileSync(failures, 'utf8').trimEnd() : '';
  for (const text of [causes, ...readPlaywrightFailures(playwrightReport)]) if (text !== '') say(text);
  for (const { file, test, cause } of unstable) say(`UNSTABLE: ${file}${test && ` > ${test}`} (${cause})`);
  if (unstable.length > 0)
    writeFileSync(join(reports, 'unstable.json'), `${JSON.stringify(unstable, null, 2)}\n`);
  for (const problem of problems) say(`FAILED: ${problem}`);
  if (passed + failed === 0) say('FAILED: nothing was tested.');
  say(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}

/**
 * Runs one step and records its duration.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 */
async function step(name, work) {
  const started = Date.now();
  try {
    return await work();
  } finally {
    const seconds = ((Date.now() - started) / 1000).toFixed(0);
    steps.push(`${name} ${seconds} s`);
    say(`--- ${name}: ${seconds} s`);
  }
}

const secondLook = makeSecondLook(say);

/**
 * Counts a run of a runner, after a second look at the files that failed. Call it when nothing else is running.
 * @param {import('./runners.mjs').Runner} runner
 * @param {import('./runners.mjs').Run} first
 * @param {import('./test-reports.mjs').FileTime[]} times
 */
async function judge(runner, first, times) {
  const result = await secondLook(runner, first);
  passed += result.passed;
  failed += result.failed;
  problems.push(...result.problems);
  unstable.push(...result.unstable);
  files.push(...times);
  if (result.skipped > 0) say(`${runner.name}: ${result.skipped} skipped`);
}

let isChecking = false;

async function runChecks() {
  isChecking = true;
  const { code, timedOut } = await runProgram('scripts/check.mjs', [], { timeoutMs: stepMs });
  isChecking = false;
  if (code === 0) passed++;
  else addFailure(timedOut ? 'check did not end in time' : 'check, see above');
}

/** @type {import('./runners.mjs').RunProgram} */
async function runAndTidy(...options) {
  const ended = await runProgram(...options);
  // Not while the checks run beside it, whose processes would be taken for leftovers.
  if (!isChecking) await endLeftovers(say);
  return ended;
}

const vitest = makeVitest({ runProgram: runAndTidy, reports });
const playwright = makePlaywright({ runProgram: runAndTidy, reports });

/** @param {string[]} chosen projects and files; empty for all */
async function runVitest(chosen = []) {
  const json = ['--reporter=json', `--outputFile.json=${join(reports, 'vitest.json')}`];
  process.env.HARIS_TEST_FAILURES = failures;
  const first = await vitest.all(stepMs, [...json, '--reporter=scripts/vitest/failures.ts', ...chosen]);
  delete process.env.HARIS_TEST_FAILURES;
  return first;
}

/** @param {string[]} specs empty for all */
async function runPlaywright(specs = []) {
  const first = await playwright.all(stepMs, specs);
  await judge(playwright, first, readPlaywrightTimes(playwrightReport));
}

/** @param {string[]} [chosen] */
async function runChecksAndVitest(chosen) {
  // Some tests mostly wait, so the checks run meanwhile.
  const [, first] = await Promise.all([step('checks', runChecks), step('vitest', () => runVitest(chosen))]);
  await endLeftovers(say);
  await judge(vitest, first, readVitestTimes(join(reports, 'vitest.json')));
}

async function runAll() {
  await runChecksAndVitest();
  await step('playwright', () => runPlaywright());
}

/** @param {import('./changed.mjs').Choice} choice */
async function runChosen({ vitest, playwright, remarks }) {
  for (const remark of remarks) say(remark);
  if (vitest.length > 0) await runChecksAndVitest(vitest);
  else await step('checks', runChecks);
  if (playwright.length > 0) await step('playwright', () => runPlaywright(playwright));
}

/**
 * @returns {{ ref: string | null }} null: the whole suite
 * @throws Error for unknown arguments
 */
function readArguments() {
  const [first, ref = 'HEAD', ...others] = process.argv.slice(2);
  if (first === undefined) return { ref: null };
  if (first !== '--changed' || others.length > 0 || ref.startsWith('-'))
    throw new Error('Unknown arguments. Use `npm test` or `npm test -- --changed [ref]`.');
  return { ref };
}

endGroupsOnSignal(async () => {
  await endLeftovers(say);
  addFailure('interrupted');
  printSummary();
});
setTimeout(async () => {
  await endGroups();
  await endLeftovers(say);
  addFailure(`gave up after ${wholeMs / minuteMs} minutes`);
  printSummary();
  process.exit(1);
}, wholeMs).unref();

try {
  const { ref } = readArguments();
  const choice = ref === null ? null : chooseTests(ref);
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  await step('preparation', async () => {
    await prepare();
    await installSystemPackages(say);
  });
  await (choice === null ? runAll() : runChosen(choice));
  await endLeftovers(say);
} catch (error) {
  addFailure(error instanceof Error ? error.message : String(error));
}
printSummary();
