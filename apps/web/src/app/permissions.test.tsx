/**
 * No screen offers, and no page requests by itself, what the own role does not include. Opens every screen of staff as
 * each role, looks where its links lead, and presses everything on the screens that most people use. The server of page
 * tests records each request that the role does not include.
 */
import { BUILT_IN_ROLE_IDS, BUILT_IN_ROLES, PERMISSIONS, type Permission } from '@haris/contract/permissions';
import { fireEvent, screen } from '@testing-library/react';
import { matchRoutes, type RouteObject } from 'react-router';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { busyHouse } from '../testing/busy-house.ts';
import { giveCanvas } from '../testing/canvas.ts';
import { expectContractKept, server } from '../testing/contract-server.ts';
import { admin } from '../testing/people.ts';
import { renderScreen, settle } from '../testing/render-screen.tsx';
import { seeEverything } from '../testing/sight.ts';
import { needsOf, staffScreens } from '../testing/staff-screens.ts';
import type { Router } from './router.tsx';

/** All modules and texts, so that nothing of a screen loads late. */
const modules = { ...import.meta.glob('../features/**/*-screen.tsx'), ...import.meta.glob('./**/*.tsx') };

beforeAll(async () => {
  const names = Object.keys(modules).filter((name) => !name.includes('.test.'));
  await Promise.all(names.map((name) => modules[name]?.()));
});
beforeEach(() => {
  seeEverything();
  giveCanvas();
});

/** Everything on the page that somebody could press, in its order. */
const pressables = () =>
  [
    ...document.querySelectorAll(
      'button:enabled, input[type="checkbox"]:enabled, input[type="radio"]:enabled, [role="tab"], [role="menuitem"]',
    ),
  ].filter((element) => element.closest('[aria-hidden="true"], [inert]') === null);

const nameOf = (element: Element) =>
  `${element.getAttribute('role') ?? element.tagName} ${element.getAttribute('aria-label') ?? element.textContent}`;

/** Ends the session, or is of the browser. */
const NOT_PRESSED = /log ?out|download qr/i;

/** Presses everything once, and everything that comes up by that. */
async function pressEverything(router: Router, path: string): Promise<void> {
  const pressed = new Set<string>();
  for (let left = 200; left > 0; left--) {
    const next = pressables().find(
      (element) => !pressed.has(nameOf(element)) && !NOT_PRESSED.test(nameOf(element)),
    );
    if (next === undefined) break;
    pressed.add(nameOf(next));
    fireEvent.click(next);
    await settle();
    const { pathname, search } = router.state.location;
    if (pathname + search !== path) {
      await router.navigate(path);
      await settle();
    }
  }
}

/** Links on the page to screens that these permissions do not include. */
function deadLinks(router: Router, permissions: readonly Permission[]): string[] {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href^="/"]')];
  return links
    .map((link) => link.getAttribute('href') ?? '')
    .filter((href) => {
      const [path = ''] = href.split(/[?#]/);
      const route = matchRoutes([...router.routes] as RouteObject[], path)?.at(-1)?.route;
      return route !== undefined && !needsOf(route).every((needed) => permissions.includes(needed));
    });
}

type Rights = readonly Permission[];

/** Opens a screen; `isPressed` presses everything on it too. */
async function visit(path: string, permissions: Rights, isPressed = false): Promise<void> {
  server.use(...busyHouse());
  const roles = [{ roleId: 'own', name: 'Own', facilityId: 'main' }];
  const as = { admin: admin({ roles, permissions: [...permissions] }) };
  const { router, unmount } = await renderScreen(path, { as });
  await screen.findAllByRole('heading', { level: 1 });
  await settle();
  expect(screen.queryByText('Your role does not include this page.'), path).toBeNull();
  expect(deadLinks(router, permissions), path).toEqual([]);
  if (isPressed) await pressEverything(router, path);
  await unmount();
  server.resetHandlers();
  expectContractKept();
}

const screens = staffScreens();

const including = (permissions: Rights) =>
  screens.filter(({ needs }) => needs.every((needed) => permissions.includes(needed)));

test('every screen of staff is looked at', () => {
  expect(screens.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/account', '/adminDashboard', '/cameras/wall', '/settings/mail', '/reports']),
  );
});

describe.each(BUILT_IN_ROLE_IDS)('a role that comes with Haris: %s', (role) => {
  test('no screen asks for what the role does not include, and none leads there', async () => {
    for (const { path } of including(BUILT_IN_ROLES[role])) await visit(path, BUILT_IN_ROLES[role]);
  });
});

test.each(PERMISSIONS)('an own role with a single permission: %s', async (permission) => {
  const own = including([permission]).filter(({ needs }) => needs.length > 0);
  for (const { path } of [{ path: '/account' }, ...own]) await visit(path, [permission]);
});

const BUSY = [
  /^.adminDashboard/,
  /^.cameras(?!.wall)/,
  /^.incidents/,
  /^.sensors/,
  /^.visitors/,
  /^.reports/,
];

describe.each(['teacher', 'inspector'] as const)('whatever a %s presses', (role) => {
  const busy = including(BUILT_IN_ROLES[role]).filter(({ path }) => BUSY.some((one) => one.test(path)));
  test.each(busy.map(({ path }) => path))('is allowed on %s', async (path) => {
    await visit(path, BUILT_IN_ROLES[role], true);
  });
});
