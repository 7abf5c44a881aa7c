// What goes into the package, as functions without files: `package.mjs` copies and packs.
import { posix } from 'node:path';

/**
 * @typedef {{ link?: boolean, resolved?: string, dependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string>, peerDependencies?: Record<string, string>,
 *   peerDependenciesMeta?: Record<string, { optional?: boolean }> }} LockEntry
 */

/**
 * Where Node finds a package, seen from another one.
 * @param {Record<string, LockEntry>} packages of package-lock.json
 * @param {string} from
 * @param {string} name
 */
function findPackage(packages, from, name) {
  for (let folder = from; ; folder = posix.dirname(folder)) {
    if (folder === '.') folder = '';
    const place = posix.join(folder, 'node_modules', name);
    const entry = packages[place];
    if (entry?.link) return entry.resolved;
    if (entry) return place;
    if (folder === '') return undefined;
  }
}

/**
 * The folders of everything that programs need in production: their workspaces, and the packages of those.
 * @param {Record<string, LockEntry>} packages of package-lock.json
 * @param {string[]} programs folders of workspaces
 * @param {{ without: string[], isThere: (folder: string) => boolean }} options `without`: packages that only a build
 *   needs. `isThere`: optional packages of other machines are not installed
 * @returns {string[]} sorted
 * @throws Error if a package that is needed is not there
 */
export function productionFolders(packages, programs, { without, isThere }) {
  const found = new Set(programs);
  for (const folder of found) {
    /** @type {LockEntry} */
    const entry = packages[folder] ?? {};
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = entry;
    const peers = Object.keys(peerDependencies).filter(
      (name) => !entry.peerDependenciesMeta?.[name]?.optional,
    );
    for (const name of [...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers]) {
      if (without.includes(name)) continue;
      const place = findPackage(packages, folder, name);
      if (place !== undefined && isThere(place)) found.add(place);
      else if (!(name in optionalDependencies))
        throw new Error(`${name} is not installed, and ${folder} needs it.`);
    }
  }
  return [...found].sort();
}

/** Commands of the checkout that messages name, and those of the installed package. */
const commands = [
  [/npm run (backup|restore)( --)?/g, 'haris $1'],
  [/npm run audit:verify( --)?/g, 'haris audit-verify'],
  [/npm run admin:recover( --)?/g, 'haris admin recover'],
  [/npm run doctor( --)?/g, 'haris doctor'],
];

/**
 * A module as JavaScript, because Node strips no types below node_modules: the paths of own modules and programs end in
 * `.js`, and messages name the commands of the package.
 * @param {string} source
 * @param {(source: string) => string} strip removes types
 */
export function toJavaScript(source, strip) {
  const code = strip(source).replace(/(['"])(\.{1,2}\/[^'"\n]*)\.ts\1/g, '$1$2.js$1');
  return commands.reduce((text, [from, to]) => text.replace(/** @type {RegExp} */ (from), String(to)), code);
}

/** Files and folders for the operator, who has no checkout: the pages, and what they say to copy or to fill in. */
export const papers = [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  '.env.example',
  'docs',
  'deploy',
];

/** Where `npm install --global --prefix /opt/haris` puts the package. */
const installedIn = '/opt/haris/lib/node_modules/haris';

/**
 * The systemd unit for the package in /opt/haris, of the one for a checkout there.
 * @param {string} unit
 * @throws Error if it is not as expected, because the unit would then start nothing
 */
export function packageUnit(unit) {
  return /** @type {const} */ ([
    [
      '# systemd unit of Haris, for a checkout in /opt/haris that was prepared once (docs/operating.md).',
      '# systemd unit of Haris, for a package that was installed with --prefix /opt/haris (docs/operating.md).',
    ],
    ['file:///opt/haris/docs/', `file://${installedIn}/docs/`],
    ['ExecStart=/opt/haris/node_modules/.bin/node apps/server/src/main.ts', 'ExecStart=/opt/haris/bin/haris'],
  ]).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`deploy/haris.service has no longer: ${from}`);
    return text.replace(from, to);
  }, unit);
}

/**
 * The package.json of a workspace in the package.
 * @param {{ name: string, license: string, exports?: unknown }} manifest
 */
export function workspaceManifest({ name, license, exports }) {
  return {
    name,
    license,
    type: 'module',
    ...(exports === undefined ? {} : { exports: { './*': './src/*.js' } }),
  };
}

/**
 * The package.json of the package. It has no dependencies: npm has nothing to fetch, to choose or to run.
 * @param {{ version: string, description: string, license: string }} manifest of the root
 * @param {{ os: string, cpu: string }} machine the only kind of machine that its programs run on
 */
export function packageManifest({ version, description, license }, { os, cpu }) {
  return {
    name: 'haris',
    version,
    description,
    license,
    type: 'module',
    bin: { haris: 'bin/haris' },
    os: [os],
    cpu: [cpu],
    ...(os === 'linux' ? { libc: ['glibc'] } : {}),
  };
}
