/** A screen whose texts come late is hidden until they have loaded, and the focus is lost. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { namespacesOf, screensOf } from './screen-texts.ts';

const app = join(import.meta.dirname, '../apps/web/src/app');
/** Loaded before any screen (i18n.ts), and with every one that calls the server (lazy-screen.ts). */
const ALWAYS = ['common', 'shell', 'errors', 'fields'];
const screens = screensOf(readFileSync(join(app, 'router.tsx'), 'utf8'));

test('the screens of the router are found', () => {
  expect(screens.length).toBeGreaterThan(20);
  expect(screens).toContainEqual({ module: './employees.tsx', texts: expect.arrayContaining(['employees']) });
});

describe('the texts of a screen load with its code', () => {
  test.each(screens)('$module', ({ module, texts }) => {
    const missing = [...namespacesOf(join(app, module))].filter(
      (name) => !texts.includes(name) && !ALWAYS.includes(name),
    );
    expect(missing).toEqual([]);
  });
});
