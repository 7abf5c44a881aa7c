// Selects the tests of `npm test -- --changed`: those in and near the changed folders. This gives a quick first
// result; the whole suite decides.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from './run.mjs';

/**
 * A change to a widely used file would select nearly all tests. Only the nearest ones are run, and the output reports
 * how many are left out.
 */
const mostTestFiles = 30;
const mostSpecs = 6;
/** Files with imports, including tests. */
const source = /^(apps|packages|scripts|e2e)\/.*\.(tsx?|mjs)$/;
const test = /\.test\.tsx?$/;
const spec = /^e2e\/.*\.spec\.ts$/;
/** Composition roots: they import everything, so the paths through them say nothing about relatedness. */
const compositionRoot =
  /^apps\/server\/src\/((app|start|main|context)\.ts|testing\/)|^apps\/web\/src\/(app\/|main\.tsx)/;

/**
 * Browser tests of each feature. Features have the same folder names in the server and the web app.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const specsOfFeatures = {
  accounts: ['first-steps', 'own-password', 'vouching', 'account-language'],
  'add-child': ['face-refused', 'camera'],
  audit: ['exports', 'proof'],
  auth: ['first-steps', 'session-ends', 'proof'],
  cameras: ['cameras'],
  'check-face': ['check-face'],
  children: ['confirm-photo', 'day-at-the-desk'],
  dashboard: ['register-entry', 'undo', 'two-desks', 'dialogs'],
  'device-camera': ['cameras'],
  employees: ['own-password'],
  'entry-slip': ['entry-slip'],
  environment: ['sensors', 'alarms'],
  events: ['two-desks', 'server-restart'],
  home: ['routes'],
  imports: ['import'],
  incidents: ['alarms', 'evacuation'],
  legal: ['routes'],
  live: ['live-feed'],
  'live-feed': ['live-feed'],
  notices: ['notices'],
  notifications: ['notices'],
  password: ['own-password', 'proof'],
  photos: ['confirm-photo'],
  profile: ['first-steps', 'confirm-photo'],
  recognition: ['recognition'],
  reports: ['exports'],
  settings: ['notices'],
  staff: ['own-password'],
  stays: ['undo', 'register-entry', 'times-up'],
  tickets: ['live-feed'],
};

/**
 * Changed, uncommitted and new files since `ref`, as paths from the project root.
 * @param {string} ref
 * @throws Error when git does not know the commit
 */
function findChangedFiles(ref) {
  /** @param {string[]} args */
  const git = (...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
      .split('\n')
      .filter(Boolean);
  let base = '';
  try {
    [base = ''] = git('merge-base', ref, 'HEAD');
  } catch {
    throw new Error(`git knows no commit "${ref}" to compare with.`);
  }
  const files = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
  return [...new Set(files)];
}

/**
 * The files that a file imports, as paths from the project root.
 * @param {string} path
 * @param {string} text
 */
function importsOf(path, text) {
  const found = text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g);
  return [...found].flatMap(([, name = '']) => {
    const [, pack, file] = /^@haris\/([\w-]+)\/(.+)$/.exec(name) ?? [];
    if (pack !== undefined) return [`packages/${pack}/src/${file}.ts`];
    return name.startsWith('.') ? [normalize(join(dirname(path), name))] : [];
  });
}

/**
 * Maps each file to the files that import it.
 * @param {readonly string[]} paths
 */
function readImporters(paths) {
  /** @type {Map<string, string[]>} */
  const importers = new Map();
  for (const path of paths) {
    for (const imported of importsOf(path, readFileSync(join(root, path), 'utf8'))) {
      importers.set(imported, [...(importers.get(imported) ?? []), path]);
    }
  }
  return importers;
}

/**
 * The files and their direct and indirect importers, nearest first. Composition roots are not followed.
 * @param {readonly string[]} changed
 * @param {Map<string, string[]>} importers
 */
function findNear(changed, importers) {
  const near = new Set(changed);
  // Iteration over a set also visits elements added meanwhile.
  for (const path of near) {
    if (compositionRoot.test(path)) continue;
    for (const importer of importers.get(path) ?? []) if (!compositionRoot.test(importer)) near.add(importer);
  }
  return [...near];
}

/** @param {string} path */
function folderOf(path) {
  return /^(apps\/\w+\/src\/features\/[\w-]+)\//.exec(path)?.[1] ?? dirname(path);
}

/**
 * Selects among the given files; exported for its test.
 * @param {readonly string[]} changed
 * @param {readonly string[]} all
 * @param {Map<string, string[]>} importers
 */
export function chooseAmong(changed, all, importers) {
  const near = findNear(changed, importers);
  const folders = [...new Set(near.filter((path) => source.test(path)).map(folderOf))];
  const tests = new Set(near.filter((path) => test.test(path)));
  for (const folder of folders)
    for (const path of all) if (test.test(path) && folderOf(path) === folder) tests.add(path);
  const features = folders.flatMap((folder) => /\/features\/([\w-]+)$/.exec(folder)?.[1] ?? []);
  const specs = new Set([
    ...near.filter((path) => spec.test(path)),
    ...features.flatMap((feature) => (specsOfFeatures[feature] ?? []).map((name) => `e2e/${name}.spec.ts`)),
  ]);
  return { tests: [...tests], specs: [...specs] };
}

/**
 * Arguments for Vitest and Playwright (empty if none of their tests is near the change), and lines for the output.
 * @typedef {{ vitest: string[], playwright: string[], remarks: string[] }} Choice
 */

/**
 * @param {string} ref the commit to compare with
 * @returns {Choice}
 * @throws Error when git does not know the commit
 */
export function chooseTests(ref) {
  const changed = findChangedFiles(ref).filter((path) => existsSync(join(root, path)));
  const all = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => source.test(path) && existsSync(join(root, path)));
  const { tests, specs } = chooseAmong(changed, all, readImporters(all));
  /** @type {string[]} */
  const remarks = [
    `${changed.length} changed files: ${tests.length} test files and ${specs.length} browser tests.`,
  ];
  const omitted = [...tests.slice(mostTestFiles), ...specs.slice(mostSpecs)];
  if (omitted.length > 0)
    remarks.push(`Left out, further away (\`npm test\` runs them): ${omitted.join(' ')}`);
  const usesSql = changed.some((path) => /^apps\/server\/src\/(db|erasure|backup|vault)\//.test(path));
  const onePerTest = usesSql ? [] : ['--project=!server-postgres'];
  return {
    vitest: tests.length === 0 ? [] : [...onePerTest, ...tests.slice(0, mostTestFiles)],
    playwright: specs.slice(0, mostSpecs),
    remarks,
  };
}
