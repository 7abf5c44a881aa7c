/** The facility's name: in the header, the title and on every page that a mailed link opens, with a session or without. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { operationRoutes } from '@haris/contract/http/operations';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { family, serveDesk } from '../features/dashboard/testing/desk.ts';
import { expectAccessible } from '../testing/accessibility.ts';
import { handle, refuse, server } from '../testing/contract-server.ts';
import { admin, child, parent } from '../testing/people.ts';
import { renderScreen } from '../testing/render-screen.tsx';

const NAME = 'Sunflower Nursery';

function nameIt(name: string | null = NAME): void {
  server.use(
    handle(operationRoutes.getClientConfig, () => ({
      demo: false,
      registerUrl: '',
      sendsMail: true,
      oidc: null,
      facility: { name, phone: null, timeZone: 'Africa/Cairo', region: 'EG' },
      now: new Date().toISOString(),
    })),
  );
}

const home = (name: string | RegExp) => screen.findByRole('link', { name });

describe('without a session', () => {
  test.each([
    '/login',
    '/register',
    '/forgot-password',
    '/reset-password/x',
    '/verify-parent/x',
    '/verify/x',
    '/change-email/x',
  ])('%s says whose account it is', async (path) => {
    nameIt();
    server.use(
      handle(accountRoutes.verifyParentEmail, () => refuse('invalid_token')),
      handle(accountRoutes.verifyAdminEmail, () => refuse('invalid_token')),
    );
    await renderScreen(path);
    expect(await within(await screen.findByRole('main')).findByText(NAME)).toBeVisible();
    expect(await home(/Sunflower Nursery.*: Haris, home/)).toBeVisible();
    await waitFor(() => expect(document.title).toMatch(/ · Sunflower Nursery$/));
  });

  test('so does the landing page, which keeps its greeting', async () => {
    nameIt();
    await renderScreen('/');
    const hero = within(await screen.findByRole('main'));
    expect(await hero.findByText(NAME)).toBeVisible();
    expect(hero.getByText(/Welcome to Haris/)).toBeVisible();
    await waitFor(() => expect(document.title).toBe('Sunflower Nursery · Haris'));
  });

  test('in Arabic, a name in other letters stays together', async () => {
    nameIt();
    await renderScreen('/register', { language: 'ar', size: 'phone' });
    expect((await within(await screen.findByRole('main')).findByText(NAME)).tagName).toBe('BDI');
    const link = await home('\u2068Sunflower Nursery\u2069: حارس، الصفحة الرئيسية');
    expect(link).toBeVisible();
    // The line between the product and the name is at the page's side, so it is not the name's element that has it.
    expect(within(link).getByText(NAME)).not.toHaveAttribute('class');
  });

  test('while there is no name, the pages say Haris', async () => {
    nameIt(null);
    await renderScreen('/register');
    expect(await home('Haris, home')).toBeVisible();
    await waitFor(() => expect(document.title).toMatch(/ · Haris$/));
  });
});

describe('signed in', () => {
  test.each([
    ['staff', '/settings/facility', { admin: admin() }],
    ['a parent', '/profile', { parent: parent() }],
  ] as const)('%s read it in the header', async (_, path, as) => {
    nameIt();
    await renderScreen(path, { as });
    expect(await home(/Sunflower Nursery.*: Haris, home/)).toHaveTextContent(NAME);
    await waitFor(() => expect(document.title).toMatch(/ · Sunflower Nursery$/));
  });

  test('the entry slip names the facility', async () => {
    nameIt();
    serveDesk(family({ name: 'Mona Hassan' }, child({ name: 'Omar Hassan', isInside: true })));
    const { user } = await renderScreen('/adminDashboard', { as: { admin: admin() } });
    await user.click(await screen.findByRole('button', { name: 'Print slip of Omar Hassan' }));
    const slip = await screen.findByRole('article', { name: 'Entry slip of Omar Hassan' });
    expect(within(slip).getByText(NAME)).toBeVisible();
    expect(within(slip).queryByText('Haris')).not.toBeInTheDocument();
    await expectAccessible();
  });
});
