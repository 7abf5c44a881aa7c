import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  findProblems,
  nextVersion,
  releaseChangelog,
  setLockVersion,
  setManifestVersion,
  unreleased,
} from './release-steps.mjs';

const changelog = `# Changelog

Words.

## [Unreleased]

Read this first.

### Added

- A thing.

## [0.2.0] – 2026-11-22

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
    expect(released).toContain('## [Unreleased]\n\n## [0.3.0] – 2026-11-26\n\nRead this first.\n');
    expect(unreleased(released)).toBe('');
    expect(released.replace('\n## [0.3.0] – 2026-11-26\n', '')).toBe(changelog);
  });

  test('of this repository is understood', () => {
    const released = releaseChangelog(own('CHANGELOG.md'), '99.0.0', '2026-11-26');
    expect(released).toMatch(/^## \[99\.0\.0\] – 2026-11-26$/m);
    expect(unreleased(released)).toBe('');
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
