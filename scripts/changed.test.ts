import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { chooseAmong, specsOfFeatures } from './changed.mjs';

const importers = new Map([
  ['apps/server/src/db/stays.ts', ['apps/server/src/features/reports/service.ts']],
  ['apps/server/src/features/reports/service.ts', ['apps/server/src/app.ts']],
  ['apps/server/src/app.ts', ['apps/server/src/features/cameras/cameras.test.ts']],
  ['e2e/harness/person.ts', ['e2e/undo.spec.ts']],
]);
const all = [
  'apps/server/src/db/stays.test.ts',
  'apps/server/src/features/reports/reports.test.ts',
  'apps/server/src/features/cameras/cameras.test.ts',
];

describe('the tests of a change', () => {
  test('are those of its folder and of the folders that import it, and no others', () => {
    expect(chooseAmong(['apps/server/src/db/stays.ts'], all, importers)).toEqual({
      tests: ['apps/server/src/db/stays.test.ts', 'apps/server/src/features/reports/reports.test.ts'],
      specs: ['e2e/exports.spec.ts'],
    });
  });

  test('are the browser tests that import a changed file of theirs', () => {
    expect(chooseAmong(['e2e/harness/person.ts'], all, importers).specs).toEqual(['e2e/undo.spec.ts']);
  });

  test('are none for a page of the documents', () => {
    expect(chooseAmong(['docs/design.md'], all, importers)).toEqual({ tests: [], specs: [] });
  });
});

test('every browser test that a feature names exists', () => {
  const specs = readdirSync(new URL('../e2e/', import.meta.url));
  const missing = Object.values(specsOfFeatures)
    .flat()
    .filter((name) => !specs.includes(`${name}.spec.ts`));
  expect(missing).toEqual([]);
});
