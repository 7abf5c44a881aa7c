// All static checks at once: format and lint, types, import arrows, texts, unused files, exports and dependencies.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { endGroupsOnSignal, pinnedNode, root, run } from './run.mjs';

/** Where our code lies; it cannot be asked for a folder that does not exist. */
const folders = ['packages', 'apps', 'e2e', 'bench', 'scripts'].filter((folder) =>
  existsSync(join(root, folder)),
);

/** Name, program and arguments of each check; the slow ones first. */
const checks = [
  ['types', 'typescript/bin/tsc', ['-p', 'tsconfig.json']],
  ['types of the web app', 'typescript/bin/tsc', ['-p', 'apps/web/tsconfig.json']],
  ['types of its build', 'typescript/bin/tsc', ['-p', 'apps/web/tsconfig.build.json']],
  ['texts', '../scripts/i18n-keys.ts', []],
  ['unused', 'knip/bin/knip.js', ['--no-progress', '--treat-config-hints-as-errors']],
  ['specification', '../scripts/spec-coverage.mjs', []],
  ['threats', '../scripts/threats.mjs', []],
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
if (!existsSync(pinnedNode)) {
  process.stderr.write('Packages are not installed: run `npm ci`, `npm start` or `npm test` first.\n');
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
      `${code === 0 ? '' : `${output.trim()}\n`}check: ${name}: ${state} (${seconds} s)\n`,
    );
    return code;
  }),
);
process.exitCode = results.every((code) => code === 0) ? 0 : 1;
