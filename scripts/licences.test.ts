import { describe, expect, test } from 'vitest';
import { EXCEPTIONS, findLicences, isAllowed } from './licences.mjs';

describe('an expression', () => {
  test.each([
    'MIT',
    '(MIT OR CC0-1.0)',
    'MIT AND ISC AND BSD-3-Clause',
    'MIT OR LicenseRef-Own',
    'GPL-2.0-only OR (MIT AND ISC)',
  ])('that is allowed: %s', (expression) => {
    expect(isAllowed(expression)).toBe(true);
  });

  test.each([
    '',
    'UNLICENSED',
    'GPL-2.0-only',
    'SEE LICENSE IN LICENSE',
    'MIT AND GPL-2.0-only',
    'MIT AND (GPL-2.0-only OR SSPL-1.0)',
    'GPL-2.0-only WITH Classpath-exception-2.0',
    '(MIT',
    'MIT)',
    'MIT ISC',
    'MIT OR',
  ])('that is not: %s', (expression) => {
    expect(isAllowed(expression)).toBe(false);
  });
});

/** Packages that need the exceptions, and one more. */
const lockWith = (path: string, entry: { license?: string; dev?: boolean; link?: boolean }) => ({
  '': { license: 'AGPL-3.0-or-later' },
  'apps/server': { license: 'AGPL-3.0-or-later' },
  'node_modules/@shinyoshiaki/jspack': {},
  'node_modules/@seydx/node-av-linux-x64': { license: 'MIT' },
  [path]: entry,
});
const none = () => undefined;

test('a production package is named with its licence, wherever it lies; ours and those of the development are not', () => {
  expect(findLicences(lockWith('node_modules/a', { license: 'MIT' }), none)).toEqual([]);
  expect(findLicences(lockWith('node_modules/a/node_modules/@b/c', { license: 'SSPL-1.0' }), none)).toEqual([
    '@b/c: SSPL-1.0 is not an allowed licence',
  ]);
  expect(findLicences(lockWith('node_modules/a', {}), none)).toEqual(['a: says no licence']);
  expect(findLicences(lockWith('node_modules/a', { license: 'SSPL-1.0', dev: true }), none)).toEqual([]);
  expect(findLicences(lockWith('node_modules/@haris/x', { link: true }), none)).toEqual([]);
});

test('what is installed counts as well as what the lock file says', () => {
  const lock = lockWith('node_modules/a', { license: 'MIT' });
  const installed = (path: string) => (path === 'node_modules/a' ? 'SSPL-1.0' : undefined);
  expect(findLicences(lock, installed)).toEqual(['a: SSPL-1.0 is not an allowed licence']);
  expect(findLicences(lock, () => ({ type: 'MIT' }))).toContain(
    'a: {"type":"MIT"} is not an allowed licence',
  );
});

test('an exception has a reason, and goes with the package that needs it', () => {
  for (const { reason } of EXCEPTIONS) expect(reason.length).toBeGreaterThan(20);
  expect(findLicences({}, none)).toHaveLength(EXCEPTIONS.length);
});
