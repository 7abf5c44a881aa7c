// Checks docs/threats.md: each threat or fault needs a test that exists, or a note of what is weaker or missing.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkNamedTests } from './named-tests.mjs';
import { root } from './run.mjs';

const page = 'docs/threats.md';
/** A row: id, threat or fault, defence, tests. */
const row = /^\| ([A-Z]\d+[a-z]?) \| (.+) \| (.+) \| (.+) \|$/;

/** @type {string[]} */
const problems = [];
/** @type {Set<string>} */
const ids = new Set();

for (const line of readFileSync(join(root, page), 'utf8').split('\n')) {
  if (!line.startsWith('|') || /^\|(?: id |-)/.test(line)) continue;
  const [, id = '', , , held = ''] = row.exec(line) ?? [];
  if (id === '') {
    problems.push(`not a row of four cells: ${line.slice(0, 80)}`);
    continue;
  }
  if (ids.has(id)) problems.push(`${id}: the id stands twice`);
  ids.add(id);
  const tests = checkNamedTests(held);
  problems.push(...tests.problems.map((problem) => `${id}: ${problem}`));
  if (tests.count === 0 && !/^(?:weaker|not held|by hand): \S/.test(held))
    problems.push(`${id}: neither a test nor a reason`);
}

for (const problem of problems) process.stdout.write(`${page}: ${problem}\n`);
process.stdout.write(`Threats and faults: ${ids.size} rows\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
