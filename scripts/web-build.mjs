// Builds the web app if its sources have changed since the last build, and replaces the old build in one step.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pinnedNode, root, run, shorten } from './run.mjs';

const web = join(root, 'apps/web');
const dist = join(web, 'dist');
const stampName = '.built-from';

/**
 * Adds a file, or all files below a folder in a fixed order, to a hash.
 * @param {import('node:crypto').Hash} hash
 * @param {string} path relative to the root
 */
function addToHash(hash, path) {
  const full = join(root, path);
  if (!existsSync(full)) return;
  const entries = readdirSync(full, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.name === 'node_modules' || entry.name === 'dist' || /\.test\.tsx?$/.test(entry.name)) continue;
    const child = `${path}/${entry.name}`;
    if (entry.isDirectory()) addToHash(hash, child);
    else if (entry.isFile()) addFileToHash(hash, child);
  }
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} path relative to the root
 */
function addFileToHash(hash, path) {
  const content = readFileSync(join(root, path));
  hash.update(`${path}\0${content.length}\0`).update(content);
}

/** A hash of all inputs of the web build. */
function hashSources() {
  const hash = createHash('sha256');
  addToHash(hash, 'apps/web');
  addToHash(hash, 'packages/contract/src');
  for (const file of ['package-lock.json', 'packages/contract/package.json', 'tsconfig.base.json']) {
    addFileToHash(hash, file);
  }
  // The web app shows the version; nothing else of this file goes into it.
  hash.update(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
  return hash.digest('hex');
}

/**
 * Builds the web app unless the existing build is from the same sources.
 * @param {(line: string) => void} say
 * @throws Error with Vite's output
 */
export async function buildWeb(say) {
  if (!existsSync(join(web, 'index.html'))) {
    say('apps/web has no index.html: the web app is not built.');
    return;
  }
  const sources = hashSources();
  const stamp = join(dist, stampName);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return;
  say('Building the web app ...');
  const started = Date.now();
  const cache = join(root, '.cache');
  const fresh = join(cache, 'web-new');
  const old = join(cache, 'web-old');
  mkdirSync(cache, { recursive: true });
  for (const leftover of [fresh, old]) rmSync(leftover, { recursive: true, force: true });
  const args = ['build', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn'];
  const { code, output, timedOut } = await run(
    pinnedNode,
    [join(root, 'node_modules/vite/bin/vite.js'), ...args],
    {
      cwd: web,
      // A NODE_ENV from outside, such as that of a test run, would create a development build.
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: 'pipe',
      timeoutMs: 5 * 60_000,
    },
  );
  if (code !== 0) {
    throw new Error(
      `vite build ${timedOut ? 'did not end in time' : 'failed'}. It said:\n${shorten(output)}`,
    );
  }
  writeFileSync(join(fresh, stampName), sources);
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
  rmSync(old, { recursive: true, force: true });
  say(`Web app built in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
}
