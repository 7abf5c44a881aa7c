// Installs node_modules according to the lock file, once per change of it.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pinnedNode, root, run, shorten } from './run.mjs';

const stampPath = join(root, 'node_modules/.haris-installed');
const timeoutMs = 15 * 60_000;

/**
 * Fields of package.json that npm install depends on. Scripts are left out, because a changed script needs no new
 * installation.
 */
const installFields = [
  'name',
  'version',
  'workspaces',
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'overrides',
  'allowScripts',
  'bin',
];

/** @param {string} path */
function readManifest(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Folders of the root and of every workspace. */
function findPackageFolders() {
  const folders = [root];
  for (const group of ['packages', 'apps']) {
    for (const name of readdirSync(join(root, group)).sort()) {
      if (existsSync(join(root, group, name, 'package.json'))) folders.push(join(root, group, name));
    }
  }
  return folders;
}

/** A hash of everything that determines the installation. */
function hashWanted() {
  const hash = createHash('sha256');
  for (const name of ['package-lock.json', '.npmrc']) hash.update(readFileSync(join(root, name)));
  for (const folder of findPackageFolders()) {
    const manifest = readManifest(join(folder, 'package.json'));
    hash.update(JSON.stringify(installFields.map((field) => manifest[field])));
  }
  return hash.digest('hex');
}

/** A hash of npm's own record of its latest installation, which a manual `npm install` or `npm prune` changes. */
function hashFound() {
  const record = join(root, 'node_modules/.package-lock.json');
  return existsSync(record) ? createHash('sha256').update(readFileSync(record)).digest('hex') : 'nothing';
}

function isInstalled() {
  if (!existsSync(stampPath) || !existsSync(pinnedNode)) return false;
  return readFileSync(stampPath, 'utf8') === `${hashWanted()} ${hashFound()}\n`;
}

/**
 * An environment in which npm ignores the npm script around it and uses the system's Node, because it is about to
 * delete the pinned one.
 */
function makeNpmEnvironment() {
  /** @type {NodeJS.ProcessEnv} */
  const env = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (/^npm_(package|lifecycle|command|config_local_prefix)/.test(name)) continue;
    env[name] = value;
  }
  env.PATH = (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.startsWith(join(root, 'node_modules')))
    .join(delimiter);
  return env;
}

/**
 * Installs the packages unless they are up to date. A stamp, written last, distinguishes a complete installation from
 * a broken one.
 * @param {(line: string) => void} say
 * @param {(pid: number) => void} onStart called with npm's pid
 * @throws Error with npm's output
 */
export async function installPackages(say, onStart) {
  if (isInstalled()) return;
  say('Installing packages (once, about half a minute) ...');
  const started = Date.now();
  // The web app is built here, so production needs development packages too. A user's `ignore-scripts` setting would
  // leave out the pinned Node.
  const args = ['ci', '--include=dev', '--ignore-scripts=false', '--loglevel=warn', '--no-progress'];
  const env = makeNpmEnvironment();
  let result = await run('npm', args, { env, stdio: 'pipe', timeoutMs, onStart });
  if (result.code !== 0 && !result.timedOut) {
    say('The installation failed; trying once more ...');
    result = await run('npm', args, { env, stdio: 'pipe', timeoutMs, onStart });
  }
  if (result.code !== 0) {
    throw new Error(
      `npm ci ${result.timedOut ? 'did not end in time' : 'failed'}. It said:\n${shorten(result.output)}`,
    );
  }
  const wanted = readManifest(join(root, 'package.json')).dependencies.node;
  const { output } = await run(pinnedNode, ['--version'], { stdio: 'pipe' });
  if (output.trim() !== `v${wanted}`) {
    throw new Error(
      `npm ci ended well, but node_modules/.bin/node is not Node ${wanted}: ${shorten(output, 3)}`,
    );
  }
  writeFileSync(stampPath, `${hashWanted()} ${hashFound()}\n`);
  say(`Packages installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}
