// `npm run release -- major|minor|patch|X.Y.Z [--dry-run]`: checks that this can be released, moves CHANGELOG.md's
// "Unreleased" below the version, sets the version, builds the package and its bill of materials (CycloneDX) into
// release/, commits and tags. It pushes nothing. Until the commit, a failure leaves the files as they were.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withLock } from './lock.mjs';
import { prepare } from './prepare.mjs';
import {
  findProblems,
  nextVersion,
  releaseChangelog,
  setLockVersion,
  setManifestVersion,
  unreleased,
} from './release-steps.mjs';
import { endGroupsOnSignal, pinnedNode, root, run, shorten } from './run.mjs';
import { buildWeb } from './web-build.mjs';

const folder = join(root, 'release');
const files = ['CHANGELOG.md', 'package.json', 'package-lock.json'];

/** @param {string} line */
const say = (line) => process.stdout.write(`${line}\n`);
/** @param {string} name */
const read = (name) => readFileSync(join(root, name), 'utf8');
/** @param {string[]} args */
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });

/** The bill of materials of everything that the product contains, by the lock file. */
function makeBillOfMaterials() {
  return execFileSync(
    'npm',
    ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--omit=dev', '--package-lock-only'],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 },
  );
}

/** The web app shows the version, so it is built again. */
async function buildPackage() {
  const onWait = () => say('Another process is preparing this folder; waiting for it ...');
  await withLock(join(root, '.cache/prepare.lock'), { onWait }, () => buildWeb(say));
  const packing = await run(pinnedNode, ['scripts/package.mjs', '--out', folder], {
    stdio: 'pipe',
    timeoutMs: 15 * 60_000,
  });
  if (packing.code !== 0) throw new Error(`Packing failed:\n${shorten(packing.output)}`);
  say(packing.output.trim());
}

/** @param {string} version @param {string} day */
async function makeRelease(version, day) {
  // Before the version changes: with another lock file, packages would be installed again.
  await prepare({ web: false });
  try {
    writeFileSync(join(root, 'CHANGELOG.md'), releaseChangelog(read('CHANGELOG.md'), version, day));
    writeFileSync(join(root, 'package.json'), setManifestVersion(read('package.json'), version));
    writeFileSync(join(root, 'package-lock.json'), setLockVersion(read('package-lock.json'), version));
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    await buildPackage();
    const bill = join(folder, `haris-${version}.cdx.json`);
    writeFileSync(bill, makeBillOfMaterials());
    say(`Written ${bill}`);
    git('commit', '--quiet', '--message', `Release ${version}`, '--', ...files);
  } catch (error) {
    git('checkout', 'HEAD', '--', ...files);
    throw error;
  }
  try {
    git('tag', '--annotate', `v${version}`, '--message', `Haris ${version}`);
  } catch {
    // A second run would not release: the version is in CHANGELOG.md.
    throw new Error(
      `Committed, but not tagged. To finish: git tag --annotate v${version} --message "Haris ${version}"`,
    );
  }
  say(`Committed and tagged v${version}. To publish: git push --follow-tags, and the files in release/.`);
}

let hasBegun = false;
endGroupsOnSignal(() => {
  // Only what this program writes, and only if it was clean before.
  if (hasBegun) git('checkout', 'HEAD', '--', ...files);
});
try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false } },
  });
  const version = nextVersion(positionals[0], JSON.parse(read('package.json')).version);
  const day = new Date().toISOString().slice(0, 10);
  const changelog = read('CHANGELOG.md');
  const problems = findProblems({
    status: git('status', '--porcelain'),
    branch: git('branch', '--show-current').trim(),
    tags: git('tag', '--list').split('\n'),
    changelog,
    version,
  });
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (values['dry-run']) {
    say(
      `CHANGELOG.md: ${unreleased(changelog).split('\n').length} lines go below "## [${version}] – ${day}".`,
    );
    say(`package.json, package-lock.json: version ${version}.`);
    say(
      `release/haris-${version}-….tgz: the package for this kind of machine. release/haris-${version}.cdx.json: its bill of materials.`,
    );
    say(`git: the commit "Release ${version}" and the tag v${version}. Nothing is pushed.`);
  }
  if (problems.length > 0)
    throw new Error(`${version} ${values['dry-run'] ? 'would be' : 'is'} not released.`);
  if (!values['dry-run']) {
    hasBegun = true;
    await makeRelease(version, day);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
