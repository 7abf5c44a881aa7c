/** What becomes of the list in a browser that has no database, or gives this page none. In a browser: e2e/desk-list.spec.ts. */
import { afterEach, expect, test } from 'vitest';
import { canStore, deleteRow, readRow } from './store.ts';

function giveDatabase(get: () => unknown): void {
  Object.defineProperty(globalThis, 'indexedDB', { configurable: true, get });
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'indexedDB');
});

test('without a database nothing is kept, found or deleted, and nothing fails', async () => {
  expect(canStore()).toBe(false);
  expect(await readRow()).toBeNull();
  await deleteRow();
});

test.each([
  ['says null', () => null],
  [
    'throws',
    () => {
      throw new DOMException('cookies are blocked', 'SecurityError');
    },
  ],
])('so it is where the browser %s instead of a database', async (_, get) => {
  giveDatabase(get);
  expect(canStore()).toBe(false);
  expect(await readRow()).toBeNull();
  await deleteRow();
});

test('a database is found', () => {
  giveDatabase(() => ({}));
  expect(canStore()).toBe(true);
});
