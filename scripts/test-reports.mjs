// Reads from the JSON reports of Vitest and Playwright how long each test file took, and causes of failures.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './run.mjs';

/** @typedef {{ name: string, ms: number }} FileTime */
/** @typedef {{ message?: string, stack?: string, location?: { file: string, line: number } }} Cause */

/** A log may be cut to its last 40 lines: the cause of one failure must fit. */
const linesOfTest = 25;

/** @param {string} path */
function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * The duration of each file; none if there is no report. A file that runs on both databases is there twice.
 * @param {string} path
 * @returns {FileTime[]}
 */
export function readVitestTimes(path) {
  /** @type {{ name: string, startTime: number, endTime: number }[]} */
  const files = readJson(path)?.testResults ?? [];
  return files.map(({ name, startTime, endTime }) => ({
    name: relative(root, name),
    ms: endTime - startTime,
  }));
}

/**
 * At most `most` lines: the beginning of the text, and its last line, which says where.
 * @param {string} text
 * @param {number} most
 */
function shorten(text, most) {
  const lines = stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => line.trim() !== '');
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 2), '...', ...lines.slice(-1)];
}

/**
 * The name of a failed test and the beginning of each of its causes, without colours. The causes share the lines.
 * @param {string} name
 * @param {string[]} causes
 */
export function describeFailure(name, causes) {
  const shown = causes.slice(0, 5);
  const most = Math.floor(linesOfTest / Math.max(1, shown.length));
  const lines = shown.flatMap((cause) => shorten(cause, most));
  if (causes.length > shown.length) lines.push(`and ${causes.length - shown.length} more errors, see above`);
  return [name, ...lines].join('\n  ');
}

/**
 * @typedef {{ duration: number, errors: Cause[] }} Result
 * @typedef {{ title: string, ok: boolean, tests: { results: Result[] }[] }} Spec
 * @typedef {{ title: string, file: string, suites?: Suite[], specs?: Spec[] }} Suite
 * @param {Suite} suite
 * @returns {number}
 */
function durationOf({ suites = [], specs = [] }) {
  const own = specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results));
  return (
    own.reduce((sum, { duration }) => sum + duration, 0) +
    suites.reduce((sum, suite) => sum + durationOf(suite), 0)
  );
}

/** @param {Cause} cause */
function textOf({ message = '', stack = '', location }) {
  const text = message || stack;
  return location ? `${text}\n    at ${relative(root, location.file)}:${location.line}` : text;
}

/**
 * @param {Suite} suite
 * @param {string} path titles of the suites around it
 * @returns {string[]}
 */
function failuresOf({ title, suites = [], specs = [] }, path = '') {
  const name = path === '' ? title : `${path} > ${title}`;
  const own = specs
    .filter(({ ok }) => !ok)
    .map((spec) => {
      const causes = spec.tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors.map(textOf)));
      return describeFailure(`${name} > ${spec.title}`, causes);
    });
  return [...own, ...suites.flatMap((suite) => failuresOf(suite, name))];
}

/**
 * One text of several lines for each failed test, and for each error outside of a test.
 * @param {string} path
 * @returns {string[]} empty if there is no report
 */
export function readPlaywrightFailures(path) {
  const report = readJson(path);
  if (report === undefined) return [];
  const outside = report.errors.map(
    /** @param {Cause} cause */ (cause) => describeFailure('e2e: outside of a test', [textOf(cause)]),
  );
  return [
    ...report.suites.flatMap(/** @param {Suite} suite */ (suite) => failuresOf(suite, 'e2e')),
    ...outside,
  ];
}

/**
 * The duration of each file; none if there is no report.
 * @param {string} path
 * @returns {FileTime[]}
 */
export function readPlaywrightTimes(path) {
  /** @type {Suite[]} */
  const suites = readJson(path)?.suites ?? [];
  return suites.map((suite) => ({ name: `e2e/${suite.file}`, ms: durationOf(suite) }));
}

/**
 * One line per file, slowest first.
 * @param {FileTime[]} files
 * @param {number} most
 */
export function describeSlowest(files, most) {
  return [...files]
    .sort((a, b) => b.ms - a.ms)
    .slice(0, most)
    .map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`);
}
