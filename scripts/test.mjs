// Everything a change has to pass, from a clean clone on: preparation, static checks, Vitest, Playwright.
// Its last line is `N passed, N failed`. A file that fails is run again alone, and named UNSTABLE if it then passes.
// It never hangs: each step and the whole have an end.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { endGroups, endGroupsOnSignal, root } from './run.mjs';
import { makePlaywright, makeVitest } from './runners.mjs';
import { makeSecondLook } from './second-look.mjs';
import { installSystemPackages } from './system-packages.mjs';
import { endLeftovers, runProgram } from './test-programs.mjs';

const minuteMs = 60_000;
/** Ends a run that hangs. A run on a busy machine takes three times as long as on a quiet one. */
const wholeMs = 80 * minuteMs;
const reports = join(root, 'test-results');
let passed = 0;
let failed = 0;
/** @type {string[]} */
const problems = [];
/** @type {import('./second-look.mjs').Unstable[]} */
const unstable = [];

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
  for (const { file, test, cause } of unstable) say(`UNSTABLE: ${file}${test && ` > ${test}`} (${cause})`);
  if (unstable.length > 0)
    writeFileSync(join(reports, 'unstable.json'), `${JSON.stringify(unstable, null, 2)}\n`);
  for (const problem of problems) say(`FAILED: ${problem}`);
  if (passed + failed === 0) say('FAILED: nothing was tested.');
  say(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}

/** @type {import('./runners.mjs').RunProgram} */
async function runAndTidy(...options) {
  const ended = await runProgram(...options);
  await endLeftovers(say);
  return ended;
}

const secondLook = makeSecondLook(say);

/**
 * Runs all tests of a runner, and those files again that failed.
 * @param {import('./runners.mjs').Runner} runner
 */
async function runTests(runner) {
  const result = await secondLook(runner, await runner.all(45 * minuteMs));
  passed += result.passed;
  failed += result.failed;
  problems.push(...result.problems);
  unstable.push(...result.unstable);
  if (result.skipped > 0) say(`${runner.name}: ${result.skipped} skipped`);
}

async function runChecks() {
  const { code, timedOut } = await runAndTidy('scripts/check.mjs', [], { timeoutMs: 15 * minuteMs });
  if (code === 0) passed++;
  else addFailure(timedOut ? 'check did not end in time' : 'check, see above');
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

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
try {
  await prepare();
  await installSystemPackages(say);
  await runChecks();
  await runTests(makeVitest({ runProgram: runAndTidy, reports }));
  await runTests(makePlaywright({ runProgram: runAndTidy, reports }));
} catch (error) {
  addFailure(error instanceof Error ? error.message : String(error));
}
printSummary();
