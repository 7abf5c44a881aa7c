/**
 * Accessibility of every screen of staff, from the route table, and of the public screens that need no link from a mail:
 * in English on a desk and in Arabic on a phone. Tests of dialogs and states ask for it where they are, or beside this one.
 */
import { screen } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectAccessible, violations } from '../testing/accessibility.ts';
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

/** Opens a screen, waits until it has read everything, and checks it. */
async function check(path: string, options: ScreenOptions): Promise<void> {
  await renderScreen(path, options);
  await screen.findAllByRole('heading', { level: 1 });
  await settle();
  await expectAccessible();
}

describe.each([
  { language: 'en', size: 'desk' },
  { language: 'ar', size: 'phone' },
] as const)('in $language on a $size, nothing moderate, serious or critical', (look) => {
  test.each(staffScreens().map(({ path }) => path))('on %s', async (path) => {
    server.use(...busyHouse());
    await check(path, { ...look, as: { admin: admin() } });
  });

  test.each(PUBLIC)('on %s, signed out', async (path) => {
    await check(path, look);
  });
});

test('a button without a name and a picture without a text are found', async () => {
  await renderScreen('/login');
  await screen.findAllByRole('heading', { level: 1 });
  document.querySelector('main')?.insertAdjacentHTML('beforeend', '<button></button><img src="data:,">');
  expect((await violations()).map(({ rule }) => rule)).toEqual(['button-name', 'image-alt']);
});
