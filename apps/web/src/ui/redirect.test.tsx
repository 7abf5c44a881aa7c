/** A redirect that Back or Forward interrupts. */
import { render, screen } from '@testing-library/react';
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router';
import { expect, test } from 'vitest';
import { startI18n } from '../i18n/i18n.ts';
import { Redirect } from './redirect.tsx';

test('redirects again from the page to which Back leads meanwhile', async () => {
  await startI18n();
  let load = (_: { Component: () => string }): void => {};
  const loaded = new Promise<{ Component: () => string }>((resolve) => {
    load = resolve;
  });
  const router = createMemoryRouter(
    [
      {
        Component: Outlet,
        children: [
          { path: '/:page', Component: () => <Redirect to="/there" replace /> },
          { path: '/there', lazy: () => loaded },
        ],
      },
    ],
    { initialEntries: ['/first', '/second'] },
  );
  render(<RouterProvider router={router} />);
  await screen.findByRole('status');
  await expect.poll(() => router.state.navigation.location?.pathname).toBe('/there');
  await router.navigate(-1);
  await expect.poll(() => router.state.location.pathname).toBe('/first');
  load({ Component: () => 'There' });
  await screen.findByText('There');
  expect(router.state.location.pathname).toBe('/there');
});
