/** The page of a verification link that was used before, or no longer works. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { registrationRoutes } from '@haris/contract/http/registration';
import { vouchingRoutes } from '@haris/contract/http/vouching';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { keepRegistration, readBrowserKey } from '../../session/registration.ts';
import { expectAccessible } from '../../testing/accessibility.ts';
import { handle, refuse, server } from '../../testing/contract-server.ts';
import { admin, parent } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

test('tells a parent that the account ends after a week', async () => {
  server.use(handle(accountRoutes.verifyParentEmail, () => refuse('invalid_token')));
  await renderScreen('/verify-parent/ended');
  expect(await screen.findByText(/deleted after a week\. Then you can register again\./)).toBeVisible();
});

test('in Arabic too', async () => {
  server.use(handle(accountRoutes.verifyParentEmail, () => refuse('invalid_token')));
  await renderScreen('/verify-parent/ended', { language: 'ar' });
  expect(await screen.findByText(/بعد أسبوع، ويمكنك حينها التسجيل من جديد/)).toBeVisible();
  await expectAccessible();
});

test('but not an employee, whose account stays', async () => {
  server.use(handle(accountRoutes.verifyAdminEmail, () => refuse('invalid_token')));
  await renderScreen('/verify/ended');
  expect(await screen.findByText(/send you a new link/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'I did not register this' })).not.toBeInTheDocument();
  expect(screen.queryByText(/after a week/)).not.toBeInTheDocument();
});

const used = {
  message: 'Your email is already verified.',
  alreadyVerified: true,
  account: { name: 'Mona Hassan', registeredAt: '2026-11-20T08:00:00.000Z' },
} as const;

test('a link that was used says so, and still offers “I did not register this”', async () => {
  const denied: string[] = [];
  server.use(
    handle(accountRoutes.verifyParentEmail, used),
    handle(vouchingRoutes.disownRegistration, ({ params: { token } }) => {
      denied.push(token);
      return { message: 'Told', deleted: false };
    }),
  );
  const { user } = await renderScreen('/verify-parent/used');
  expect(await screen.findByText('Your email is already verified.')).toBeVisible();
  expect(screen.getByText(/This is the account of .*Mona Hassan.*, registered on/)).toBeVisible();
  expect(screen.queryByText(/sign in on this device/)).not.toBeInTheDocument();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  await expectAccessible();
  await user.click(screen.getByRole('button', { name: 'I did not register this' }));
  await user.click(screen.getByRole('button', { name: 'Delete the account' }));
  expect(await screen.findByText(/Nobody can sign in to this account any more/)).toBeVisible();
  expect(denied).toEqual(['used']);
});

test('in Arabic, on a phone', async () => {
  server.use(handle(accountRoutes.verifyParentEmail, used));
  await renderScreen('/verify-parent/used', { language: 'ar', size: 'phone' });
  expect(await screen.findByText('سبق التحقق من بريدك الإلكتروني بهذا الرابط.')).toBeVisible();
  expect(screen.getByText(/هذا حساب .*Mona Hassan.* المسجَّل في/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'لم أسجّل هذا الحساب' })).toBeVisible();
});

test('a link that verifies nothing any more offers it too, and says if it is too late', async () => {
  server.use(
    handle(accountRoutes.verifyParentEmail, () => refuse('invalid_token')),
    handle(vouchingRoutes.disownRegistration, () => refuse('invalid_token')),
  );
  const { user } = await renderScreen('/verify-parent/ended');
  await user.click(await screen.findByRole('button', { name: 'I did not register this' }));
  await user.click(screen.getByRole('button', { name: 'Delete the account' }));
  expect((await screen.findAllByText(/This link is no longer valid/)).length).toBeGreaterThan(1);
  server.use(handle(vouchingRoutes.disownRegistration, { message: 'Told', deleted: false }));
  await user.click(screen.getByRole('button', { name: 'Delete the account' }));
  expect(await screen.findByText(/Nobody can sign in to this account any more/)).toBeVisible();
});

describe('in the browser that registered', () => {
  const huda = { name: 'Huda Samir', email: 'huda@haris.example', phone: '01012345678' };
  const account = { name: huda.name, registeredAt: '2026-11-20T08:00:00.000Z' };
  const mother = parent({ ...huda, children: [] });
  const asked: string[] = [];
  afterEach(() => {
    asked.length = 0;
    localStorage.clear();
    sessionStorage.clear();
  });

  /** The browser has a key; the server signs in with it if `fits`. */
  function registerHere(fits: boolean): void {
    keepRegistration(huda, 'the-key', Date.now());
    const verified = { message: 'Your email is verified. You can sign in now.', account };
    server.use(
      handle(accountRoutes.verifyParentEmail, ({ params }) => {
        asked.push(`GET ${params.token}`);
        return verified;
      }),
      handle(registrationRoutes.startParent, ({ params, body }) => {
        asked.push(`${params.token} with ${body.browserKey}`);
        return fits ? { ...verified, signedIn: { token: 'a-token', parent: mother } } : verified;
      }),
    );
  }

  test.each([
    ['en', /^Continue as .*Huda Samir/],
    ['ar', /^المتابعة باسم .*Huda Samir/],
  ] as const)(
    'the link verifies, with the way to the login; one press signs in and leads to the profile: %s',
    async (language, on) => {
      registerHere(true);
      const page = await renderScreen('/verify-parent/link', { language });
      const press = await screen.findByRole('button', { name: on });
      expect(screen.getByRole('link', { name: /Go to login|تسجيل الدخول/ })).toHaveAttribute(
        'href',
        '/login',
      );
      expect(
        screen.queryByText(/sign in on this device|سجّل الدخول الآن من هذا الجهاز/),
      ).not.toBeInTheDocument();
      expect(asked).toEqual(['GET link']);
      expect(localStorage.getItem('token')).toBeNull();
      page.be({ parent: mother });
      await page.user.click(press);
      await waitFor(() => expect(page.router.state.location.pathname).toBe('/profile'));
      expect(asked).toEqual(['GET link', 'link with the-key']);
      expect(localStorage.getItem('token')).toBe('a-token');
      expect(readBrowserKey()).toBeNull();
    },
  );

  test('with a key that does not fit, the press leads to the login', async () => {
    registerHere(false);
    const { user, router } = await renderScreen('/verify-parent/link');
    expect(await screen.findByText('Your email is verified. You can sign in now.')).toBeVisible();
    await expectAccessible();
    await user.click(screen.getByRole('button', { name: /^Continue as/ }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    expect(localStorage.getItem('token')).toBeNull();
  });

  test.each([
    ['staff', { admin: admin() }],
    ['a parent', { parent: parent() }],
  ] as const)('%s who is signed in here stays so: the link only verifies', async (_who, as) => {
    registerHere(true);
    await renderScreen('/verify-parent/link', { as });
    expect(await screen.findByText('Your email is verified. You can sign in now.')).toBeVisible();
    expect(asked).toEqual(['GET link']);
    expect(screen.queryByRole('button', { name: /^Continue as/ })).not.toBeInTheDocument();
    expect(localStorage.getItem('token')).not.toBe('a-token');
  });

  test('“I did not register this” signs nobody in', async () => {
    registerHere(true);
    server.use(handle(vouchingRoutes.disownRegistration, { message: 'Deleted', deleted: true }));
    const { user } = await renderScreen('/verify-parent/link');
    await user.click(await screen.findByRole('button', { name: 'I did not register this' }));
    await user.click(screen.getByRole('button', { name: 'Delete the account' }));
    expect(await screen.findByText(/The account was deleted/)).toBeVisible();
    expect(localStorage.getItem('token')).toBeNull();
    expect(screen.getByRole('link', { name: 'Go to login' })).toBeVisible();
    expect(asked).toEqual(['GET link']);
  });
});
