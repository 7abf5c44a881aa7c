// Runs all static checks together: format and lint, types, import arrows, queries outside db/, texts, licences, unused
// files and exports.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { endGroupsOnSignal, pinnedNode, root, run } from './run.mjs';

/** Folders with our code. The linter fails if a folder does not exist. */
const folders = ['packages', 'apps', 'e2e', 'bench', 'scripts'].filter((folder) =>
  existsSync(join(root, folder)),
);

/** Name, program and arguments of each check; slow ones first. */
const checks = [
  ['types', 'typescript/bin/tsc', ['-p', 'tsconfig.json']],
  ['types of the web app', 'typescript/bin/tsc', ['-p', 'apps/web/tsconfig.json']],
  ['types of its build', 'typescript/bin/tsc', ['-p', 'apps/web/tsconfig.build.json']],
  ['texts', '../scripts/i18n-keys.ts', []],
  ['unused', 'knip/bin/knip.js', ['--no-progress', '--treat-config-hints-as-errors']],
  ['specification', '../scripts/spec-coverage.mjs', []],
  ['audit of packages', '../scripts/audit.mjs', []],
  ['licences of packages', '../scripts/licences.mjs', []],
  ['threats', '../scripts/threats.mjs', []],
  ['references', '../scripts/references.mjs', []],
  ['queries', '../scripts/queries.mjs', []],
  [
    'arrows',
    'dependency-cruiser/bin/dependency-cruiser.mjs',
    ['--config', '.dependency-cruiser.mjs', '--output-type', 'err-long', ...folders],
  ],
  [
    'format and lint',
    '@biomejs/biome/bin/biome',
    ['check', '--error-on-warnings', '--diagnostic-level=warn', '--colors=off', '.'],
  ],
];

endGroupsOnSignal();
try {
  // Types and unused code are judged by the packages of this lock file, not by those of an older checkout.
  await prepare({ models: false, web: false });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
const started = Date.now();
const results = await Promise.all(
  checks.map(async ([name, program, args]) => {
    const command = [join(root, 'node_modules', String(program)), ...(args ?? [])];
    const { code, output, timedOut } = await run(pinnedNode, command, { stdio: 'pipe', timeoutMs: 600_000 });
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    const state = code === 0 ? 'ok' : timedOut ? 'did not end in time' : 'FAILED';
    process.stdout.write(
      `${code === 0 && !output.startsWith('audit: skipped') ? '' : `${output.trim()}\n`}check: ${name}: ${state} (${seconds} s)\n`,
    );
    return code;
  }),
);
process.exitCode = results.every((code) => code === 0) ? 0 : 1;
