/**
 * Accessibility of every screen of staff, from the route table, and of the public screens that need no link from a mail:
 * in English on a desk and in Arabic on a phone. Dialogs, and what needs a layout, are checked in the browser.
 */
import { screen } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { violations } from '../testing/accessibility.ts';
import { busyHouse } from '../testing/busy-house.ts';
import { giveCanvas } from '../testing/canvas.ts';
import { server } from '../testing/contract-server.ts';
import { admin } from '../testing/people.ts';
import { renderScreen, type ScreenOptions, settle } from '../testing/render-screen.tsx';
import { seeEverything } from '../testing/sight.ts';
import { staffScreens } from '../testing/staff-screens.ts';

/** All modules, so that nothing of a screen loads late. */
const modules = { ...import.meta.glob('../features/**/*-screen.tsx'), ...import.meta.glob('./**/*.tsx') };

beforeAll(async () => {
  const names = Object.keys(modules).filter((name) => !name.includes('.test.'));
  await Promise.all(names.map((name) => modules[name]?.()));
});
beforeEach(() => {
  // The library's place for dialogs is left from the test before. In a browser it follows the page: before it, the links of an
  // open sheet come first, and axe takes no link after them for a skip link.
  for (const place of document.querySelectorAll('[data-mantine-shared-portal-node]')) place.remove();
  seeEverything();
  giveCanvas();
});

const PUBLIC = [
  '/',
  '/login',
  '/login?isAdmin=true',
  '/register',
  '/adminPreLogin',
  '/forgot-password',
  '/privacy',
  '/terms',
];

async function expectAccessible(path: string, options: ScreenOptions): Promise<void> {
  await renderScreen(path, options);
  await screen.findAllByRole('heading', { level: 1 });
  await settle();
  expect(await violations()).toEqual([]);
}

describe.each([
  { language: 'en', size: 'desk' },
  { language: 'ar', size: 'phone' },
] as const)('in $language on a $size, nothing moderate, serious or critical', (look) => {
  test.each(staffScreens().map(({ path }) => path))('on %s', async (path) => {
    server.use(...busyHouse());
    await expectAccessible(path, { ...look, as: { admin: admin() } });
  });

  test.each(PUBLIC)('on %s, signed out', async (path) => {
    await expectAccessible(path, look);
  });
});

test('a button without a name and a picture without a text are found', async () => {
  await renderScreen('/login');
  await screen.findAllByRole('heading', { level: 1 });
  document.querySelector('main')?.insertAdjacentHTML('beforeend', '<button></button><img src="data:,">');
  expect((await violations()).map(({ rule }) => rule)).toEqual(['button-name', 'image-alt']);
});
