// `npm run package [-- --out FOLDER] [--fast]`: packs haris-X-OS-CPU.tgz for this kind of machine, which
// `npm install --global` installs without a build or a network. It holds the server as JavaScript, the built web app, the
// face models, the packages of production and the pinned Node; and beside them the pages for the operator. Needs the pinned Node, and what prepare.mjs makes.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { arch, platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyPapers } from './package-papers.mjs';
import {
  packageManifest,
  packageUnit,
  papers,
  productionFolders,
  toJavaScript,
  workspaceManifest,
} from './package-steps.mjs';
import { root } from './run.mjs';

const programs = ['apps/server', 'apps/vision'];
/** The models are made from them, and packed ready-made. */
const without = ['@vladmandic/human', '@vladmandic/face-api'];

/** @param {string} path */
const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
/** @param {string} path @param {unknown} value */
const writeJson = (path, value) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);

/**
 * Copies the modules of a workspace as JavaScript.
 * @param {string} from @param {string} to
 */
function copyWorkspace(from, to) {
  mkdirSync(to, { recursive: true });
  writeJson(join(to, 'package.json'), workspaceManifest(readJson(join(from, 'package.json'))));
  const sources = readdirSync(join(root, from, 'src'), { recursive: true, encoding: 'utf8' });
  for (const path of sources) {
    if (!path.endsWith('.ts') || path.endsWith('.test.ts') || /(^|\/)testing\//.test(path)) continue;
    const file = join(to, 'src', path.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      toJavaScript(readFileSync(join(root, from, 'src', path), 'utf8'), stripTypeScriptTypes),
    );
  }
}

/**
 * Copies a package without the packages inside it, types, and programs for other machines.
 * @param {string} from @param {string} to
 */
function copyPackage(from, to) {
  const own = join(root, from);
  const foreign = join(own, 'bin/napi-v6');
  cpSync(own, to, {
    recursive: true,
    dereference: true,
    filter: (path) => {
      const rest = path.slice(own.length + 1);
      if (/^node_modules(\/|$)/.test(rest) || /\.(map|d\.[cm]?ts)$/.test(rest)) return false;
      if (!path.startsWith(`${foreign}/`)) return true;
      const [os, cpu] = path.slice(foreign.length + 1).split('/');
      return os === platform() && (cpu === undefined || cpu === arch());
    },
  });
}

/** @param {string} app the folder to fill */
function fill(app) {
  mkdirSync(join(app, 'apps'), { recursive: true });
  // The server reads its version there.
  writeJson(join(app, 'package.json'), { version: readJson('package.json').version, type: 'module' });
  const folders = productionFolders(readJson('package-lock.json').packages, programs, {
    without,
    isThere: (folder) => existsSync(join(root, folder)),
  });
  for (const folder of folders) {
    if (folder.startsWith('apps/')) copyWorkspace(folder, join(app, folder));
    else if (folder.startsWith('packages/'))
      copyWorkspace(folder, join(app, 'node_modules/@haris', basename(folder)));
    else copyPackage(folder, join(app, folder));
  }
  for (const needed of ['apps/web/dist', '.cache/models']) {
    if (!existsSync(join(root, needed)))
      throw new Error(`${needed} is not there: run node scripts/prepare.mjs`);
    cpSync(join(root, needed), join(app, needed), { recursive: true });
  }
  const node = realpathSync(process.execPath);
  copyFileSync(node, join(app, 'node'));
  chmodSync(join(app, 'node'), 0o755);
  for (const folder of readdirSync(join(root, 'node_modules/node/node_modules'))) {
    const licence = join(root, 'node_modules/node/node_modules', folder, 'LICENSE');
    if (existsSync(licence)) copyFileSync(licence, join(app, 'node.LICENSE'));
  }
  return folders.filter((folder) => folder.includes('node_modules/')).length;
}

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(root, 'release') },
    // A larger file, sooner: for tests.
    fast: { type: 'boolean', default: false },
  },
});
const manifest = readJson('package.json');
if (process.version !== `v${manifest.dependencies.node}`)
  throw new Error(`Run it with node_modules/.bin/node: this is Node ${process.version}.`);
mkdirSync(values.out, { recursive: true });
const started = Date.now();
const staged = mkdtempSync(join(values.out, '.package-'));
try {
  const inner = join(staged, 'package');
  const count = fill(join(inner, 'app'));
  mkdirSync(join(inner, 'bin'));
  copyFileSync(join(root, 'bin/haris'), join(inner, 'bin/haris'));
  copyPapers(papers, { from: root, to: inner });
  const unit = join(inner, 'deploy/haris.service');
  writeFileSync(unit, packageUnit(readFileSync(unit, 'utf8')));
  writeJson(join(inner, 'package.json'), packageManifest(manifest, { os: platform(), cpu: arch() }));
  const file = join(values.out, `haris-${manifest.version}-${platform()}-${arch()}.tgz`);
  // Packed by tar and not by npm, which leaves out folders named node_modules.
  const { status } = spawnSync(
    'tar',
    [
      '--create',
      `--use-compress-program=gzip -${values.fast ? 1 : 9}`,
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '--sort=name',
      `--file=${file}`,
      `--directory=${staged}`,
      'package',
    ],
    { stdio: 'inherit' },
  );
  if (status !== 0) throw new Error('tar could not pack it.');
  const megabytes = (statSync(file).size / 1e6).toFixed(0);
  const seconds = ((Date.now() - started) / 1000).toFixed(0);
  process.stdout.write(`${file}: ${megabytes} MB, ${count} packages, packed in ${seconds} s\n`);
} finally {
  rmSync(staged, { recursive: true, force: true });
}
