// Runs Vitest and Playwright: all of their files, or one file again by itself. Each run ends with a verdict on each file.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './run.mjs';

/**
 * One failed test of a file; `test` is empty for a hook or anything else outside of a test.
 * @typedef {{ test: string, cause: string }} Failure
 * One test file of one project.
 * @typedef {{ project: string, file: string, passed: number, skipped: number, failures: Failure[] }} FileVerdict
 * What a runner said. `outside`: what failed outside of the files' tests, such as an unhandled rejection, a crash, or a
 * file that could not be loaded.
 * @typedef {{ files: FileVerdict[], outside: string[] }} Verdict
 * How a program ended. `hung`: its report was complete, and it did not exit.
 * @typedef {{ code: number, timedOut: boolean, hung: boolean }} Ended
 * `verdict` is undefined if there is no report.
 * @typedef {{ ended: Ended, verdict: Verdict | undefined }} Run
 * @typedef {(program: string, args: string[], options: { timeoutMs: number, env?: NodeJS.ProcessEnv, report?: string }) => Promise<Ended>} RunProgram
 * @typedef {object} Runner
 * @property {string} name
 * @property {(timeoutMs: number, chosen?: string[]) => Promise<Run>} all
 * @property {(file: FileVerdict, timeoutMs: number) => Promise<Run>} alone one file, with one worker
 */

const causeLength = 200;

/**
 * The beginning of an error in one line, without colours.
 * @param {{ message?: string | undefined, stack?: string | undefined }} error
 */
export function describeCause({ message = '', stack = '' }) {
  const lines = stripVTControlCharacters(message || stack).split('\n');
  // Playwright's messages go on with the lines of the test.
  const source = lines.findIndex((line) => /^\s*>?\s*\d+ \|/.test(line));
  const text = (source < 0 ? lines : lines.slice(0, source)).map((line) => line.trim()).filter(Boolean);
  return text.slice(0, 3).join(' ').slice(0, causeLength);
}

/** @param {string} path */
function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * @typedef {{ message?: string, stack?: string }} Cause
 * @typedef {{ status: string, expectedStatus: string, projectName: string, annotations: { type: string }[], results: { errors: Cause[] }[] }} PlaywrightTest
 * @typedef {{ title: string, tests: PlaywrightTest[] }} PlaywrightSpec
 * @typedef {{ title: string, file: string, suites?: PlaywrightSuite[], specs?: PlaywrightSpec[] }} PlaywrightSuite
 */

/** @param {PlaywrightSuite} suite @param {string[]} titles @returns {{ name: string, test: PlaywrightTest }[]} */
function testsOf({ suites = [], specs = [] }, titles = []) {
  return [
    ...specs.flatMap(({ title, tests }) =>
      tests.map((test) => ({ name: [...titles, title].join(' > '), test })),
    ),
    ...suites.flatMap((suite) => testsOf(suite, [...titles, suite.title])),
  ];
}

/** A worker that died says so in place of the test's own error. */
const crash = /^(Error: )?worker process exited unexpectedly/;

/**
 * Reads the JSON report of Playwright.
 * @param {any} report
 * @returns {Verdict}
 */
function judgePlaywright(report) {
  /** @type {Map<string, FileVerdict>} */
  const files = new Map();
  /** @type {string[]} */
  const outside = report.errors.map(describeCause);
  /** @type {PlaywrightSuite[]} */
  const suites = report.suites;
  // The file of the outermost suite: a test may be written in another one, which cannot be run.
  const tests = suites.flatMap((suite) => testsOf(suite).map((one) => ({ ...one, file: suite.file })));
  for (const { name, file, test } of tests) {
    const key = `${test.projectName}\0${file}`;
    /** @type {FileVerdict} */
    const verdict = files.get(key) ?? {
      project: test.projectName,
      file,
      passed: 0,
      skipped: 0,
      failures: [],
    };
    files.set(key, verdict);
    const cause = describeCause(test.results.at(-1)?.errors[0] ?? {});
    if (crash.test(cause)) outside.push(`${file} > ${name}: ${cause}`);
    if (test.status === 'expected') verdict.passed++;
    else if (test.status !== 'skipped')
      verdict.failures.push({ test: name, cause: cause || 'no reason given' });
    else if (
      test.expectedStatus === 'skipped' ||
      test.annotations.some(({ type }) => /^(skip|fixme)$/.test(type))
    )
      verdict.skipped++;
    // Had no turn: an earlier test of a serial group failed, or the run was ended.
    else verdict.failures.push({ test: name, cause: 'it was not run' });
  }
  return { files: [...files.values()], outside };
}

/**
 * @param {object} options
 * @param {RunProgram} options.runProgram
 * @param {string} options.reports folder for reports
 * @param {string} [options.folder] with the configuration and the tests
 * @returns {Runner}
 */
export function makeVitest({ runProgram, reports, folder = root }) {
  const program = join(root, 'node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts/vitest/verdicts.ts')}`];
  const common = ['run', `--root=${folder}`, ...reporters, '--silent=passed-only'];
  /** @param {string} report @param {string[]} args @param {number} timeoutMs @returns {Promise<Run>} */
  const start = async (report, args, timeoutMs) => {
    rmSync(report, { force: true });
    const env = { HARIS_VERDICTS: report };
    const ended = await runProgram(program, [...common, ...args], { timeoutMs, env, report });
    return { ended, verdict: readJson(report) };
  };
  return {
    name: 'vitest',
    all: (timeoutMs, chosen = []) => start(join(reports, 'vitest-verdicts.json'), chosen, timeoutMs),
    alone: ({ project, file }, timeoutMs) => {
      // The whole path, because a filter of Vitest matches any part of one.
      const which = [...(project === '' ? [] : [`--project=${project}`]), join(folder, file)];
      const args = ['--maxWorkers=1', '--no-file-parallelism', ...which];
      return start(join(reports, 'vitest-alone.json'), args, timeoutMs);
    },
  };
}

/**
 * @param {object} options
 * @param {RunProgram} options.runProgram
 * @param {string} options.reports folder for reports
 * @param {string} [options.folder] with the configuration
 * @param {string} [options.tests] folder that the names of files are relative to
 * @returns {Runner}
 */
export function makePlaywright({ runProgram, reports, folder = root, tests = join(folder, 'e2e') }) {
  const program = join(root, 'node_modules/@playwright/test/cli.js');
  let runs = 0;
  /** @param {string} report @param {string[]} args @param {number} timeoutMs @returns {Promise<Run>} */
  const start = async (report, args, timeoutMs) => {
    rmSync(report, { force: true });
    // This variable overrides the file that the configuration names.
    const env = { FORCE_COLOR: '0', PLAYWRIGHT_JSON_OUTPUT_FILE: report };
    const common = ['test', `--config=${join(folder, 'playwright.config.ts')}`];
    const ended = await runProgram(program, [...common, ...args], { timeoutMs, env, report });
    const found = readJson(report);
    return { ended, verdict: found && judgePlaywright(found) };
  };
  return {
    name: 'playwright',
    all: (timeoutMs, chosen = []) => start(join(reports, 'e2e.json'), chosen, timeoutMs),
    alone: ({ file }, timeoutMs) => {
      runs++;
      // The argument is a regular expression. Each run empties its output folder, so the first one's pictures are kept.
      const path = `${join(tests, file).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;
      const args = ['--workers=1', `--output=${join(reports, `e2e-alone-${runs}`)}`, path];
      return start(join(reports, 'e2e-alone.json'), args, timeoutMs);
    },
  };
}
