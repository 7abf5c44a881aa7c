/** Visitors: empty, signed in by name, signed out, and in Arabic. */
import { type Visitor, visitorRoutes } from '@haris/contract/http/visitors';
import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { handle, server } from '../../testing/contract-server.ts';
import { admin } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

const staff = { admin: admin() };

function visitor(more: Partial<Visitor> = {}): Visitor {
  return {
    _id: 'visitor-1',
    kind: 'visitor',
    name: 'Hany Fathy',
    phone: '01001112223',
    reason: 'Boiler',
    signedInAt: new Date().toISOString(),
    signedInBy: { _id: 'admin-salma', name: 'Salma Adel' },
    signedOutAt: null,
    isInside: true,
    ...more,
  };
}

/** Serves a list that signing in and out change. */
function serveVisitors(...known: Visitor[]) {
  let list = known;
  server.use(
    handle(visitorRoutes.listVisitors, ({ query: { inside } }) => {
      const visitors = list.filter(({ isInside }) => inside === undefined || isInside);
      return { visitors, total: visitors.length, nextCursor: null };
    }),
    handle(visitorRoutes.signInVisitor, ({ body: { name, phone, reason } }) => {
      const made = visitor({ name, phone: phone ?? null, reason: reason ?? null });
      list = [made, ...list];
      return { visitor: made };
    }),
    handle(visitorRoutes.signOutVisitor, () => {
      const left = visitor({ isInside: false, signedOutAt: new Date().toISOString() });
      list = [left];
      return { visitor: left };
    }),
  );
}

test('a visitor is signed in by name and signed out again', async () => {
  serveVisitors();
  const { user } = await renderScreen('/visitors', { as: staff });
  expect(await screen.findByText('No visitors inside.')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Sign in visitor' }));
  await user.type(screen.getByRole('textbox', { name: /^Name/ }), 'Hany Fathy');
  await user.type(screen.getByRole('textbox', { name: /^Phone number/ }), '12');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByText('Invalid phone number format')).toBeInTheDocument();
  await expectAccessible();
  await user.clear(screen.getByRole('textbox', { name: /^Phone number/ }));
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await user.click(await screen.findByRole('button', { name: 'Sign out Hany Fathy' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Sign out/ })).not.toBeInTheDocument());
  await user.click(screen.getByRole('radio', { name: 'All' }));
  expect(await screen.findByText('Left')).toBeInTheDocument();
});

test('a colleague needs no reason, so that none is asked for', async () => {
  serveVisitors();
  const { user } = await renderScreen('/visitors', { as: staff });
  await user.click(await screen.findByRole('button', { name: 'Sign in visitor' }));
  expect(screen.getByLabelText(/^Reason/)).toBeVisible();
  await user.click(screen.getByRole('radio', { name: 'Colleague' }));
  await waitFor(() => expect(screen.queryByLabelText(/^Reason/)).toBeNull());
});

test('a tablet that uses plain HTTP signs a visitor in, too', async () => {
  // Browsers leave it out of pages without HTTPS.
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes.fill(7) });
  serveVisitors();
  const { user } = await renderScreen('/visitors', { as: staff });
  await user.click(await screen.findByRole('button', { name: 'Sign in visitor' }));
  await user.type(screen.getByRole('textbox', { name: /^Name/ }), 'Hany Fathy');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByRole('button', { name: 'Sign out Hany Fathy' })).toBeInTheDocument();
});

test('in Arabic: right to left, with the phone number to call', async () => {
  serveVisitors(visitor());
  await renderScreen('/visitors', { as: staff, language: 'ar' });
  expect(await screen.findByRole('link', { name: /01001112223/ })).toHaveAttribute('href', 'tel:01001112223');
  expect(document.documentElement).toHaveAttribute('dir', 'rtl');
});
