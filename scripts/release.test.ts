import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  findProblems,
  NOTE,
  nextVersion,
  releaseChangelog,
  sectionsWithoutNote,
  setLockVersion,
  setManifestVersion,
  unreleased,
} from './release-steps.mjs';

const changelog = `# Changelog

Words.

## [Unreleased]

${NOTE}read this first.

### Added

- A thing.

## [0.2.0] – 2026-11-22

${NOTE}nothing.

- An older thing.
`;
const own = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

describe('the version of a release', () => {
  test('is the next one of a kind, or one above the current one', () => {
    expect(nextVersion('patch', '0.2.9')).toBe('0.2.10');
    expect(nextVersion('minor', '0.2.9')).toBe('0.3.0');
    expect(nextVersion('major', '0.2.9')).toBe('1.0.0');
    expect(nextVersion('0.10.0', '0.9.9')).toBe('0.10.0');
    expect(nextVersion('1.0.0', '0.9.9')).toBe('1.0.0');
  });

  test.each([undefined, '', 'v0.3.0', '0.3', '0.3.0-rc.1', '0.03.0', '0.2.0', '0.1.9', '--dry-run'])(
    'is never %s after 0.2.0',
    (wanted) => {
      expect(() => nextVersion(wanted, '0.2.0')).toThrow();
    },
  );
});

describe('the changelog', () => {
  test('gets the version and its day above what was unreleased, and "Unreleased" stays empty', () => {
    const released = releaseChangelog(changelog, '0.3.0', '2026-11-26');
    expect(released).toContain(
      '## [Unreleased]\n\n## [0.3.0] – 2026-11-26\n\n**What an operator has to do:** read this first.\n',
    );
    expect(unreleased(released)).toBe('');
    expect(released.replace('\n## [0.3.0] – 2026-11-26\n', '')).toBe(changelog);
  });

  test('of this repository is understood', () => {
    const released = releaseChangelog(own('CHANGELOG.md'), '99.0.0', '2026-11-26');
    expect(released).toMatch(/^## \[99\.0\.0\] – 2026-11-26$/m);
    expect(unreleased(released)).toBe('');
  });

  test('begins each version with what an operator has to do, also in this repository', () => {
    expect(sectionsWithoutNote(own('CHANGELOG.md'))).toEqual([]);
    expect(sectionsWithoutNote(changelog)).toEqual([]);
    expect(sectionsWithoutNote(releaseChangelog(changelog, '0.3.0', '2026-11-26'))).toEqual([]);
    expect(sectionsWithoutNote(changelog.replaceAll(NOTE, ''))).toEqual(['Unreleased', '0.2.0']);
    // Further down nobody looks for it.
    expect(sectionsWithoutNote(`${changelog.replace(`${NOTE}nothing.\n\n`, '')}\n${NOTE}nothing.\n`)).toEqual(
      ['0.2.0'],
    );
  });
});

test('the version is set in package.json and twice in the lock file, and nothing else changes there', () => {
  for (const [name, set, times] of [
    ['package.json', setManifestVersion, 1],
    ['package-lock.json', setLockVersion, 2],
  ] as const) {
    const before = own(name).split('\n');
    const after = set(own(name), '99.0.0').split('\n');
    expect(after).toHaveLength(before.length);
    const changed = after.filter((line, at) => line !== before[at]);
    expect(changed.map((line) => line.trim())).toEqual(Array(times).fill('"version": "99.0.0",'));
  }
});

describe('a release is refused', () => {
  const good = { status: '', branch: 'main', tags: ['v0.2.0'], changelog, version: '0.3.0' };
  test('by nothing on a clean main with entries', () => expect(findProblems(good)).toEqual([]));

  test.each([
    ['changes without a commit', { status: ' M README.md\n' }, 'README.md'],
    ['a file that git does not know', { status: '?? new.ts\n' }, 'new.ts'],
    ['another branch', { branch: 'next' }, 'next'],
    ['no branch', { branch: '' }, 'not main'],
    ['a tag that exists', { tags: ['v0.3.0'] }, 'v0.3.0'],
    [
      'a changelog without entries',
      { changelog: releaseChangelog(changelog, '0.2.1', '2026-11-26') },
      'no entries',
    ],
    ['a changelog without the heading', { changelog: '# Changelog\n\n- A thing.\n' }, 'no entries'],
    [
      'a changelog that does not say what an operator has to do',
      { changelog: changelog.replace(`${NOTE}read this first.`, 'Read this first.') },
      'What an operator has to do',
    ],
    ['a version that is in the changelog', { version: '0.2.0', tags: [] }, '0.2.0'],
  ])('by %s', (_name, changed, named) => {
    const problems = findProblems({ ...good, ...changed });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(named);
  });

  test('by all of them at once', () => {
    expect(findProblems({ ...good, status: ' M a\n', branch: 'next', changelog: '' })).toHaveLength(3);
  });
});

/** The command in a repository of its own, whose tests, measurement and package are stand-ins. */
describe('npm run release', () => {
  let scratch: string;
  let repository: string;
  beforeEach(() => {
    scratch = mkdtempSync(join(tmpdir(), 'haris-release-'));
    repository = join(scratch, 'repository');
    for (const folder of ['scripts', 'bench']) mkdirSync(join(repository, folder), { recursive: true });
    mkdirSync(join(repository, 'node_modules/.bin'), { recursive: true });
    symlinkSync(process.execPath, join(repository, 'node_modules/.bin/node'));
    for (const name of ['release.mjs', 'release-steps.mjs', 'run.mjs'])
      copyFileSync(fileURLToPath(new URL(name, import.meta.url)), join(repository, 'scripts', name));
    const manifest = { name: 'haris', version: '0.2.0', type: 'module' };
    const lock = { ...manifest, lockfileVersion: 3, requires: true, packages: { '': manifest } };
    write('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
    write('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
    write('CHANGELOG.md', changelog);
    write('.gitignore', 'node_modules/\n/release/\n');
    // What they find is kept outside of the repository, which has to stay clean.
    write(
      'scripts/test.mjs',
      `import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
appendFileSync(process.env.TESTED, [version, git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag', '--list')].join(' ') + '\\n');
if (process.env.TESTS === 'fail') process.exitCode = 1;
if (process.env.TESTS === 'write') writeFileSync('left-behind.txt', '');
if (process.env.TESTS === 'commit') git('commit', '--allow-empty', '--message', 'Another one');
`,
    );
    write(
      'scripts/package.mjs',
      `import { writeFileSync } from 'node:fs';
if (process.env.PACKAGE === 'fail') throw new Error('no room for the package');
writeFileSync(process.argv[3] + '/haris.tgz', '');
`,
    );
    write('bench/stop.ts', "if (process.env.STOP === 'slow') process.exitCode = 1;\n");
    git('init', '--quiet', '--initial-branch=main');
    git('add', '.');
    git('commit', '--quiet', '--message', 'Begin');
  });
  afterEach(() => rmSync(scratch, { recursive: true, force: true }));

  const identity = { GIT_AUTHOR_NAME: 'T', GIT_AUTHOR_EMAIL: 't@haris.test' };
  const env = () => ({
    ...{ PATH: process.env.PATH ?? '', HOME: scratch, npm_config_cache: join(scratch, 'cache') },
    ...{ ...identity, GIT_COMMITTER_NAME: 'T', GIT_COMMITTER_EMAIL: 't@haris.test' },
    TESTED: join(scratch, 'tested'),
  });
  const write = (name: string, text: string) => writeFileSync(join(repository, name), text);
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: repository, env: env(), encoding: 'utf8' }).trim();
  const tested = () =>
    existsSync(join(scratch, 'tested')) ? readFileSync(join(scratch, 'tested'), 'utf8') : '';
  function release(words: string[], more: Record<string, string> = {}) {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/release.mjs', ...words], {
      cwd: repository,
      env: { ...env(), ...more },
      encoding: 'utf8',
    });
    return { code: status, text: stdout + stderr };
  }
  /** All that a release could have changed. */
  const state = () => [git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag', '--list')];

  test('runs the tests on the clean commit that it tags, and then writes package and bill of materials', () => {
    const before = git('rev-parse', 'HEAD');
    const { code, text } = release(['minor']);
    expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining('tagged v0.3.0') });
    const commit = git('rev-parse', 'v0.3.0^{commit}');
    expect(tested()).toBe(`0.3.0 ${commit}  \n`);
    expect(state()).toEqual([commit, '', 'v0.3.0']);
    expect(git('rev-parse', 'v0.3.0^')).toBe(before);
    expect(git('show', 'v0.3.0:CHANGELOG.md')).toContain('## [0.3.0] – ');
    expect(readdirSync(join(repository, 'release')).sort()).toEqual(['haris-0.3.0.cdx.json', 'haris.tgz']);
    // Nothing is unreleased now.
    expect(release(['minor'])).toMatchObject({ code: 1, text: expect.stringContaining('no entries') });
  });

  test.each([
    ['tests that fail', { TESTS: 'fail' }, 'npm test'],
    ['a server that stops too slowly', { STOP: 'slow' }, 'within 10 s of SIGTERM'],
    ['a package that cannot be made', { PACKAGE: 'fail' }, 'no room for the package'],
  ])('takes the commit back after %s', (_what, more, named) => {
    const before = state();
    expect(release(['minor'], more)).toMatchObject({ code: 1, text: expect.stringContaining(named) });
    expect(tested()).toMatch(/^0\.3\.0 /);
    expect(state()).toEqual(before);
    expect(JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))).toMatchObject({
      version: '0.2.0',
    });
  });

  test('tags nothing if files appear meanwhile, and leaves what is not its own', () => {
    const before = git('rev-parse', 'HEAD');
    const { code, text } = release(['minor'], { TESTS: 'write' });
    expect({ code, text }).toMatchObject({ code: 1, text: expect.stringContaining('left-behind.txt') });
    expect(state()).toEqual([before, '?? left-behind.txt', '']);
  });

  test('tags nothing if somebody commits meanwhile, and says what stays', () => {
    const { code, text } = release(['minor'], { TESTS: 'commit' });
    expect({ code, text }).toMatchObject({ code: 1, text: expect.stringContaining('another commit') });
    expect(text).toContain('stays');
    expect(git('tag', '--list')).toBe('');
    expect(git('log', '-1', '--format=%s')).toBe('Another one');
  });

  test.each<[what: string, make: () => void, named: string]>([
    ['changes without a commit', () => write('CHANGELOG.md', `${changelog}\n`), 'CHANGELOG.md'],
    ['the tag there already', () => void git('tag', 'v0.3.0'), 'v0.3.0'],
    [
      'no entries in the changelog',
      () => {
        write('CHANGELOG.md', '# Changelog\n\n## [Unreleased]\n');
        git('commit', '--quiet', '--all', '--message', 'Nothing');
      },
      'no entries',
    ],
  ])('tests nothing where it finds %s', (_what, make, named) => {
    make();
    const before = state();
    expect(release(['minor'])).toMatchObject({ code: 1, text: expect.stringContaining(named) });
    expect(tested()).toBe('');
    expect(state()).toEqual(before);
  });
});
