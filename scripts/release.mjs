// `npm run release -- major|minor|patch|X.Y.Z [--dry-run]`: checks that this can be released, moves CHANGELOG.md's
// "Unreleased" below the version, sets the version, commits, runs `npm test` and `npm run bench:stop` on that commit, builds the
// package and its bill of materials (CycloneDX) into release/, and tags the commit. It pushes nothing. Until the tag, a failure
// takes the commit back.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  findProblems,
  nextVersion,
  releaseChangelog,
  setLockVersion,
  setManifestVersion,
  unreleased,
} from './release-steps.mjs';
import { endGroupsOnSignal, pinnedNode, root, run, shorten } from './run.mjs';

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

/** Of what `npm test` prepared: the packages of this lock file, the models, and the web app, which shows the version. */
async function buildPackage() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const packing = await run(pinnedNode, ['scripts/package.mjs', '--out', folder], {
    stdio: 'pipe',
    timeoutMs: 15 * 60_000,
  });
  if (packing.code !== 0) throw new Error(`Packing failed:\n${shorten(packing.output)}`);
  say(packing.output.trim());
}

const head = () => git('rev-parse', 'HEAD').trim();

/**
 * Throws unless the commit is the newest one and its files are as it has them: only that was tested and may be tagged.
 * @param {string} commit
 */
function requireUnchanged(commit) {
  const status = git('status', '--porcelain').trimEnd();
  if (head() !== commit || status !== '')
    throw new Error(
      `Something was changed during the release${status === '' ? ': there is another commit.' : `:\n${status}`}`,
    );
}

/** Takes back the release's own commit or files; whatever somebody else changed meanwhile stays. */
let takeBack = () => {};

/** @param {string} version @param {string} day */
async function makeRelease(version, day) {
  const before = head();
  takeBack = () => git('checkout', before, '--', ...files);
  writeFileSync(join(root, 'CHANGELOG.md'), releaseChangelog(read('CHANGELOG.md'), version, day));
  writeFileSync(join(root, 'package.json'), setManifestVersion(read('package.json'), version));
  writeFileSync(join(root, 'package-lock.json'), setLockVersion(read('package-lock.json'), version));
  git('commit', '--quiet', '--message', `Release ${version}`, '--', ...files);
  const commit = head();
  takeBack = () => {
    if (head() !== commit)
      throw new Error(`The commit ${commit} stays, because there is another one after it.`);
    // Refuses where a file of the commit was changed since.
    git('reset', '--quiet', '--keep', before);
  };
  say(`Committed ${commit}. Testing it ...`);
  // By the same Node as `npm test`: its preparation installs the pinned one anew.
  const tests = await run(process.execPath, ['scripts/test.mjs']);
  if (tests.code !== 0) throw new Error('`npm test` failed on the commit of the release, see above.');
  // A promise of the contract about time, which no test measures: a verdict of theirs does not depend on speed.
  say('Measuring how long the server takes to stop ...');
  const stops = await run(pinnedNode, ['bench/stop.ts'], { timeoutMs: 15 * 60_000 });
  if (stops.code !== 0)
    throw new Error(
      'The server does not exit with 0 within 10 s of SIGTERM: `npm run bench:stop`, see above.',
    );
  requireUnchanged(commit);
  await buildPackage();
  const bill = join(folder, `haris-${version}.cdx.json`);
  writeFileSync(bill, makeBillOfMaterials());
  say(`Written ${bill}`);
  requireUnchanged(commit);
  git('tag', '--annotate', `v${version}`, '--message', `Haris ${version}`, commit);
  takeBack = () => {};
  say(
    `Committed, tested and tagged v${version}. To publish: git push --follow-tags, and the files in release/.`,
  );
}

function takeBackSafely() {
  try {
    takeBack();
  } catch (error) {
    process.stderr.write(`Not taken back: ${error instanceof Error ? error.message : error}\n`);
  }
  takeBack = () => {};
}

endGroupsOnSignal(takeBackSafely);
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
    say(
      `git: the commit "Release ${version}", and the tag v${version} if npm test and npm run bench:stop pass on it. Nothing is pushed.`,
    );
  }
  if (problems.length > 0)
    throw new Error(`${version} ${values['dry-run'] ? 'would be' : 'is'} not released.`);
  if (!values['dry-run']) await makeRelease(version, day);
} catch (error) {
  takeBackSafely();
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
