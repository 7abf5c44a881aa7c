// Checks docs/spec-coverage.md: every file and test that it names must exist, and every line of the specification
// needs an answer.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkNamedTests } from './named-tests.mjs';
import { root } from './run.mjs';

const page = 'docs/spec-coverage.md';
/** A row: number, line of the specification, code, tests. */
const row = /^\| (\d+\.\d+) \| (.+) \| (.+) \| (.+) \|$/;
/** @type {string[]} */
const problems = [];
const counts = { held: 0, differ: 0, 'not yet': 0 };
const text = readFileSync(join(root, page), 'utf8');
/** @type {Set<string>} */
const numbers = new Set();

for (const line of text.split('\n')) {
  // Headings and separators of the tables.
  if (!line.startsWith('|') || /^\|(?: # |-)/.test(line)) continue;
  const [, number = '', , code = '', held = ''] = row.exec(line) ?? [];
  if (number === '') {
    problems.push(`not a row of four cells: ${line.slice(0, 80)}`);
    continue;
  }
  if (numbers.has(number)) problems.push(`${number}: the number stands twice`);
  numbers.add(number);
  const files = [...code.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
  const tests = checkNamedTests(held);
  for (const path of files)
    if (!existsSync(join(root, path))) problems.push(`${number}: there is no file ${path}`);
  problems.push(...tests.problems.map((problem) => `${number}: ${problem}`));
  if (/^not yet: \S/.test(held)) counts['not yet']++;
  else if (/^differs: \S/.test(held)) counts.differ++;
  else if (files.length > 0 && tests.count > 0) counts.held++;
  else problems.push(`${number}: neither code with a test, nor a reason, nor “not yet”`);
}

const said = `**${counts.held} held, ${counts.differ} differ, ${counts['not yet']} not yet.**`;
if (!text.includes(said)) problems.push(`the counts must say ${said}`);
for (const problem of problems) process.stdout.write(`${page}: ${problem}\n`);
process.stdout.write(`Lines of the specification: ${said.replaceAll('*', '')}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
