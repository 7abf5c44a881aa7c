/** The route table: the screen at each path for a visitor, a parent and staff. */
import { screen, waitFor } from '@testing-library/react';
import { isValidElement } from 'react';
import { describe, expect, test } from 'vitest';
import { pathAfterLogin } from '../session/paths.ts';
import { expectAccessible } from '../testing/accessibility.ts';
import { admin, parent } from '../testing/people.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { ParentOnly, StaffOnly } from './guards.tsx';
import type { Router } from './router.tsx';

type Route = Router['routes'][number];

/** Paths of the screens below the routes that are asked for. */
function pathsBelow(routes: readonly Route[], isAsked: (route: Route) => boolean): string[] {
  return routes.flatMap((route) =>
    isAsked(route)
      ? (route.children ?? []).flatMap(({ path }) => path ?? [])
      : pathsBelow(route.children ?? [], isAsked),
  );
}

const HOME = 'Peace of Mind, Always in Sight';

describe.each([
  ['a visitor', undefined],
  ['a parent', { parent: parent() }],
  ['staff', { admin: admin() }],
] as const)('%s', (who, as) => {
  const paths: Record<string, Record<string, readonly [to: string, heading: string]>> = {
    'a visitor': {
      '/': ['/', HOME],
      '/overview': ['/overview', HOME],
      '/no/such/page': ['/no/such/page', HOME],
      '/register': ['/register', 'Create Account'],
      '/login': ['/login', 'Login'],
      '/login?isAdmin=true': ['/login?isAdmin=true', 'Admin Login'],
      '/adminPreLogin': ['/adminPreLogin', 'Administrator Access'],
      '/profile': ['/login', 'Login'],
      '/addChild': ['/login', 'Login'],
      '/addChild?parentId=1': ['/adminPreLogin', 'Administrator Access'],
      '/liveFeed': ['/login', 'Login'],
      '/adminDashboard': ['/adminPreLogin', 'Administrator Access'],
      '/viewEmployees': ['/adminPreLogin', 'Administrator Access'],
      '/reports': ['/adminPreLogin', 'Administrator Access'],
      '/auditLog': ['/adminPreLogin', 'Administrator Access'],
      '/importFamilies': ['/adminPreLogin', 'Administrator Access'],
      '/incidents': ['/adminPreLogin', 'Administrator Access'],
      '/sensors': ['/adminPreLogin', 'Administrator Access'],
      '/cameras': ['/adminPreLogin', 'Administrator Access'],
    },
    'a parent': {
      '/profile': ['/profile', 'My Profile'],
      '/addChild': ['/addChild', 'Add Child'],
      '/liveFeed': ['/liveFeed', 'Live Feed'],
      '/login': ['/profile', 'My Profile'],
      '/adminDashboard': ['/adminPreLogin', 'Administrator Access'],
      '/viewEmployees': ['/adminPreLogin', 'Administrator Access'],
      '/reports': ['/adminPreLogin', 'Administrator Access'],
      '/auditLog': ['/adminPreLogin', 'Administrator Access'],
      '/importFamilies': ['/adminPreLogin', 'Administrator Access'],
    },
    staff: {
      '/adminDashboard': ['/adminDashboard', 'Admin dashboard'],
      '/viewEmployees': ['/viewEmployees', 'Employee Roster'],
      '/importFamilies': ['/importFamilies', 'Import families'],
      '/addChild': ['/adminDashboard', 'Admin dashboard'],
      '/profile': ['/login', 'Login'],
      '/liveFeed': ['/login', 'Login'],
      '/login?isAdmin=true': ['/adminDashboard', 'Admin dashboard'],
    },
  };

  test.each(Object.entries(paths[who] ?? {}))('the screen that %s leads to', async (path, [to, heading]) => {
    const { router } = await renderScreen(path, as === undefined ? {} : { as });
    expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeInTheDocument();
    await waitFor(() => {
      const { pathname, search } = router.state.location;
      expect(pathname + search).toBe(to);
    });
  });
});

test('after signing in, nobody is led to a screen of the other kind of account', async () => {
  const { router } = await renderScreen('/');
  const below = (guard: unknown) =>
    pathsBelow(router.routes, (route) => isValidElement(route.element) && route.element.type === guard);
  const [staff, parents] = [below(StaffOnly), below(ParentOnly)];
  expect(parents).toHaveLength(2);
  expect(staff.length).toBeGreaterThan(15);
  for (const from of staff) {
    expect(pathAfterLogin({ from }, 'parent'), from).toBe('/profile');
    expect(pathAfterLogin({ from }, 'admin')).toBe(from);
  }
  for (const from of parents) {
    expect(pathAfterLogin({ from }, 'admin'), from).toBe('/adminDashboard');
    expect(pathAfterLogin({ from }, 'parent')).toBe(from);
  }
});

test('a path that leads nowhere says so, above the home page', async () => {
  await renderScreen('/no/such/page');
  expect(await screen.findByText('Page not found. You are on the home page.')).toBeInTheDocument();
  await expectAccessible();
});

test('staff whose password somebody else set choose their own before anything else', async () => {
  await renderScreen('/viewEmployees', { as: { admin: admin({ setUpBy: 'admin-boss' }) } });
  expect(
    await screen.findByRole('heading', { level: 1, name: 'Choose your own password' }),
  ).toBeInTheDocument();
});

test('the language changes in place: what was typed stays', async () => {
  const { user } = await renderScreen('/login');
  await user.type(await screen.findByLabelText('Email'), 'mona@family.example');
  await user.click(screen.getByRole('button', { name: /switch to Arabic/i }));
  await waitFor(() => expect(document.documentElement).toHaveAttribute('dir', 'rtl'));
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(/\p{Script=Arabic}/u);
  expect(screen.getByLabelText('البريد الإلكتروني')).toHaveValue('mona@family.example');
  await user.click(screen.getByRole('button', { name: /^English/ }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Login' })).toBeInTheDocument();
});
