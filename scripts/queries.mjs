// Keeps queries in one place: in the server's product code, only apps/server/src/db queries the database.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const server = 'apps/server/src';

/**
 * Places that still contain queries, as path prefixes. Delete a line when its queries have moved into db/; an entry
 * without queries fails the check, so the list only shrinks.
 * @type {readonly string[]}
 */
const EXCEPTED = [];

/** Test code may read and corrupt rows. */
const isTest = (/** @type {string} */ path) => /\.test\.ts$|(?:^|\/)testing\//.test(path);

const RULES = [
  {
    what: 'a value from kysely or a database driver',
    found:
      /^(?:import|export) (?!type\b)[^;']*from '(?:kysely|pg|node:sqlite)(?:\/[^']*)?'|\bimport\('(?:kysely|pg|node:sqlite)/gm,
  },
  {
    what: 'a query',
    found:
      /\b(?:selectFrom|selectNoFrom|insertInto|replaceInto|mergeInto|updateTable|deleteFrom|executeQuery|executeTakeFirst(?:OrThrow)?)\b|\.execute\(/g,
  },
];

/** Type imports are allowed anywhere: `import { type Kysely } from 'kysely'`. */
const onlyTypes = (/** @type {string} */ text) =>
  /^(?:import|export) \{((?: type \w+(?: as \w+)?,?)+) \} from/.test(text.replaceAll(/\s+/g, ' '));

/**
 * Database uses in a file outside db/.
 * @param {string} text
 * @returns {{ line: number, what: string, text: string }[]}
 */
export function findQueries(text) {
  return RULES.flatMap(({ what, found }) =>
    [...text.matchAll(found)]
      .filter(([match]) => !onlyTypes(match))
      .map((match) => ({
        line: text.slice(0, match.index).split('\n').length,
        what,
        text: match[0].replaceAll(/\s+/g, ' '),
      })),
  );
}

/** The condition "inside" is written only in db/stays.ts. Migrations are never edited. */
const INSIDE = /\bexit_time'?,\s*'is(?: not)?',\s*null|\bexit_time is (?:not )?null/;
const mayWriteInside = (/** @type {string} */ path) => /^db\/(?:stays\.ts$|migrations\/)/.test(path);

/**
 * The column that ties a child to its first guardian, which the schema does not have, is named only in
 * db/guardians/conditions.ts, and the table of guardians is queried only in db/guardians/.
 */
const GUARDIAN = /\bchildren\.parent_id\b/;
const GUARDIANS = /(?:From|Into|Table|Join|using)\(\s*'guardians\b|\b(?:from|join|into|update)\s+guardians\b/;
const mayNameGuardian = (/** @type {string} */ path) =>
  /^db\/(?:guardians\/conditions\.ts$|migrations\/)/.test(path);
const mayQueryGuardians = (/** @type {string} */ path) => /^db\/(?:guardians|migrations)\//.test(path);

/**
 * Problems found in a set of files.
 * @param {readonly { path: string, text: string }[]} files with paths from the server's source folder
 * @param {readonly string[]} excepted
 */
export function checkRooms(files, excepted) {
  const problems = [];
  const used = new Set();
  for (const { path, text } of files) {
    if (isTest(path)) continue;
    if (INSIDE.test(text) && !mayWriteInside(path))
      problems.push(`${path}: says what being inside means: use isOpenStay of db/stays.ts`);
    if (GUARDIAN.test(text) && !mayNameGuardian(path))
      problems.push(
        `${path}: names the column of a child's parent: use guardianOf of db/guardians/conditions.ts`,
      );
    if (GUARDIANS.test(text) && !mayQueryGuardians(path))
      problems.push(
        `${path}: queries the guardians of children: use isGuardedBy of db/guardians/conditions.ts`,
      );
    if (path.startsWith('db/')) continue;
    const queries = findQueries(text);
    if (queries.length === 0) continue;
    const exception = excepted.find((place) => path.startsWith(place));
    if (exception !== undefined) used.add(exception);
    else
      problems.push(
        ...queries.map((query) => `${path}:${query.line}: ${query.what} outside db/: ${query.text}`),
      );
  }
  for (const place of excepted)
    if (!used.has(place))
      problems.push(`${place} holds no queries any more: delete it from EXCEPTED in scripts/queries.mjs`);
  return problems;
}

if (import.meta.main) {
  const files = readdirSync(join(root, server), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path, text: readFileSync(join(root, server, path), 'utf8') }));
  const problems = checkRooms(files, EXCEPTED);
  for (const problem of problems) process.stdout.write(`${server}/${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
