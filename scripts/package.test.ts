import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { copyPapers } from './package-papers.mjs';
import {
  packageManifest,
  packageUnit,
  papers,
  productionFolders,
  toJavaScript,
  workspaceManifest,
} from './package-steps.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const own = (path: string) => readFileSync(join(root, path), 'utf8');

describe('the packages of production', () => {
  const lock = {
    'apps/server': { dependencies: { a: '1', '@haris/contract': '*' } },
    'packages/contract': { dependencies: { b: '1' } },
    'node_modules/@haris/contract': { link: true, resolved: 'packages/contract' },
    'node_modules/a': {
      dependencies: { b: '2', made: '1' },
      optionalDependencies: { 'a-here': '1', 'a-elsewhere': '1' },
      peerDependencies: { peer: '1', unwanted: '1' },
      peerDependenciesMeta: { unwanted: { optional: true } },
    },
    'node_modules/a/node_modules/b': { dependencies: { c: '1' } },
    'node_modules/a-here': {},
    'node_modules/a-elsewhere': {},
    'node_modules/b': {},
    'node_modules/c': { dependencies: { a: '1' } },
    'node_modules/made': {},
    'node_modules/peer': {},
    'node_modules/unwanted': {},
    'node_modules/vitest': {},
  };
  const isThere = (folder: string) => folder !== 'node_modules/a-elsewhere';

  test('are those that Node finds from the programs on, once each, and no others', () => {
    expect(productionFolders(lock, ['apps/server'], { without: ['made'], isThere })).toEqual([
      'apps/server',
      'node_modules/a',
      'node_modules/a-here',
      'node_modules/a/node_modules/b',
      'node_modules/b',
      'node_modules/c',
      'node_modules/peer',
      'packages/contract',
    ]);
  });

  test('are refused when one is missing', () => {
    const without = (name: string) => () =>
      productionFolders(lock, ['apps/server'], { without: [], isThere: (folder) => folder !== name });
    expect(without('node_modules/c')).toThrow('c is not installed');
    expect(without('node_modules/peer')).toThrow('peer is not installed');
  });
});

test('a module imports and starts JavaScript, and names the commands of the package', () => {
  const source = `import { a } from './a.ts';
import type { b } from "../b.ts";
import { c } from '@haris/contract/c';
const program = new URL('./program.ts', import.meta.url);
const other = join(import.meta.dirname, '../other-main.ts');
const later = () => import('./later.ts');
const clip = ['.mp4', '.ts'];
const text = 'run npm run restore -- FILE, npm run backup, npm run audit:verify, npm run doctor or npm run admin:recover -- --email X';
`;
  expect(toJavaScript(source, (text) => text)).toBe(`import { a } from './a.js';
import type { b } from "../b.js";
import { c } from '@haris/contract/c';
const program = new URL('./program.js', import.meta.url);
const other = join(import.meta.dirname, '../other-main.js');
const later = () => import('./later.js');
const clip = ['.mp4', '.ts'];
const text = 'run haris restore FILE, haris backup, haris audit-verify, haris doctor or haris admin recover --email X';
`);
});

test('manifests name no dependencies, so that npm has nothing to fetch or to run', () => {
  const root = {
    name: 'haris',
    version: '1.2.3',
    description: 'D',
    license: 'L',
    dependencies: { node: '24' },
  };
  expect(packageManifest(root, { os: 'linux', cpu: 'x64' })).toEqual({
    name: 'haris',
    version: '1.2.3',
    description: 'D',
    license: 'L',
    type: 'module',
    bin: { haris: 'bin/haris' },
    os: ['linux'],
    cpu: ['x64'],
    libc: ['glibc'],
  });
  const workspace = {
    name: '@haris/contract',
    license: 'L',
    exports: { './*': './src/*.ts' },
    dependencies: {},
  };
  expect(workspaceManifest(workspace)).toEqual({
    name: '@haris/contract',
    license: 'L',
    type: 'module',
    exports: { './*': './src/*.js' },
  });
});

describe('the papers of the package', () => {
  const isPacked = (path: string) => papers.some((paper) => path === paper || path.startsWith(`${paper}/`));
  const pages = papers.flatMap((paper) =>
    paper.endsWith('.md')
      ? [paper]
      : paper.includes('.') || paper === 'LICENSE'
        ? []
        : readdirSync(join(root, paper), { recursive: true, encoding: 'utf8' })
            .filter((name) => name.endsWith('.md'))
            .map((name) => posix.join(paper, name)),
  );

  test('lead nowhere outside of the package', () => {
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/operating.md', 'docs/privacy.md']));
    const links = pages.flatMap((page) =>
      [...own(page).matchAll(/\]\((?![a-z]+:|#)([^)\s#]+)/g)].map(([, link = '']) =>
        posix.normalize(posix.join(posix.dirname(page), link)),
      ),
    );
    expect(links).toEqual(expect.arrayContaining(['.env.example', 'deploy/Caddyfile']));
    expect(links.filter((link) => !isPacked(link) || !existsSync(join(root, link)))).toEqual([]);
  });

  test('have every file of deploy/ that a page or a unit names', () => {
    const named = [...pages.map(own), own('deploy/haris.service')].flatMap((text) =>
      [...text.matchAll(/\bdeploy\/[\w.-]*\w/g)].map(([path]) => path),
    );
    expect(named).toEqual(expect.arrayContaining(['deploy/haris.service', 'deploy/postgres-role.sql']));
    expect([...new Set(named)].filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('have a systemd unit that starts the package, and is as strict as that of a checkout', () => {
    const unit = own('deploy/haris.service');
    const packed = packageUnit(unit);
    const changed = packed.split('\n').filter((line, at) => line !== unit.split('\n')[at]);
    expect(changed).toEqual([
      expect.stringMatching(/^# .*--prefix \/opt\/haris/),
      'Documentation=file:///opt/haris/lib/node_modules/haris/docs/operating.md',
      'ExecStart=/opt/haris/bin/haris',
    ]);
    expect(() => packageUnit(packed)).toThrow('no longer');
  });
});

describe('the papers are copied', () => {
  let scratch: string;
  beforeEach(() => {
    scratch = mkdtempSync(join(tmpdir(), 'haris-papers-'));
    for (const folder of ['checkout/deploy', 'checkout/docs/decisions', 'package'])
      mkdirSync(join(scratch, folder), { recursive: true });
    for (const name of ['README.md', 'deploy/Caddyfile', 'docs/a page.md', 'docs/decisions/001-ü.md'])
      writeFileSync(join(scratch, 'checkout', name), name);
    writeFileSync(join(scratch, 'checkout/.gitignore'), '.env\n*.log\n');
  });
  afterEach(() => rmSync(scratch, { recursive: true, force: true }));

  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: join(scratch, 'checkout'), stdio: 'ignore' });
  const copy = (...papers: string[]) =>
    copyPapers(papers, { from: join(scratch, 'checkout'), to: join(scratch, 'package') });

  test('without files that git ignores or does not know', () => {
    git('init');
    git('add', '.');
    for (const local of ['deploy/.env', 'docs/x.log', 'docs/draft.md'])
      writeFileSync(join(scratch, 'checkout', local), 'secret');
    copy('README.md', 'deploy', 'docs');
    const copied = readdirSync(join(scratch, 'package'), { recursive: true, encoding: 'utf8' });
    expect(copied.sort()).toEqual(
      [
        'README.md',
        ...['deploy', 'deploy/Caddyfile'],
        ...['docs', 'docs/a page.md', 'docs/decisions', 'docs/decisions/001-ü.md'],
      ].sort(),
    );
    expect(readFileSync(join(scratch, 'package/docs/decisions/001-ü.md'), 'utf8')).toBe(
      'docs/decisions/001-ü.md',
    );
  });

  test('from a checkout alone, and none may be missing', () => {
    expect(() => copy('README.md')).toThrow('is made from a checkout');
    git('init');
    git('add', '.');
    expect(() => copy('README.md', 'LICENSE')).toThrow('git knows no LICENSE');
  });
});
