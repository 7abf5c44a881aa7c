// Looks up the tests that a docs page names as `file`: *title*, and reports missing ones.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const testReference = /`([^`]+\.(?:test|spec)\.tsx?)`: \*([^*]+)\*/g;
/** `test('…'`, `it.each(…)('…'`, `describe('…'`, `test.step('…'`, also with the title on the next line. */
const title =
  /(?:\b(?:test|it|describe)(?:\.\w+)*\(|\]\)\(|\)\)\(|\)\()\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`([^`]*)`)/g;

/** @type {Map<string, Set<string>>} */
const titles = new Map();

/** @param {string} path relative to the root */
function titlesIn(path) {
  let known = titles.get(path);
  if (!known) {
    const found = readFileSync(join(root, path), 'utf8').matchAll(title);
    known = new Set(
      [...found].map(([, single, double, template]) =>
        (single ?? double ?? template ?? '').replace(/\\(.)/g, '$1'),
      ),
    );
    titles.set(path, known);
  }
  return known;
}

/**
 * Reads the tests named in a table cell.
 * @param {string} cell
 * @returns {{ count: number, problems: string[] }} number of named tests, and their problems
 */
export function checkNamedTests(cell) {
  const tests = [...cell.matchAll(testReference)].map(([, path = '', name = '']) => ({ path, name }));
  /** @type {string[]} */
  const problems = [];
  for (const { path, name } of tests)
    if (!existsSync(join(root, path))) problems.push(`there is no file ${path}`);
    else if (!titlesIn(path).has(name)) problems.push(`${path} has no test “${name}”`);
  // Every test file in the cell must belong to a named test, so that a typo is detected.
  if (tests.length !== (cell.match(/`[^`]+\.(?:test|spec)\.tsx?`/g) ?? []).length)
    problems.push('a test is not named as `file`: *title*');
  return { count: tests.length, problems };
}
