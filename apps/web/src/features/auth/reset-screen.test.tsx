/** The page of a link that sets a password: a parent goes on with one press, which is an ordinary sign-in. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { factorRoutes } from '@haris/contract/http/factors';
import { act, screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { handle, refuse, server } from '../../testing/contract-server.ts';
import { admin, parent } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

const email = 'huda@haris.example';
const huda = parent({ email, children: [] });
const message = 'Your password is set. You can sign in now.';

/** Types a password twice and sends it. */
async function setPassword(user: UserEvent): Promise<void> {
  for (const label of [
    /^(New password|كلمة المرور الجديدة)/,
    /^(Repeat the new password|أعد كتابة كلمة المرور)/,
  ])
    await user.type(await screen.findByLabelText(label, { selector: 'input' }), 'chosen-by-huda');
  await user.click(screen.getByRole('button', { name: /^(Set password|تعيين كلمة المرور)$/ }));
}

/** Serves the link and the sign-in; returns what was sent to the sign-in. */
function serve(answer: 'session' | 'step' | 'blocked'): unknown[] {
  const sent: unknown[] = [];
  server.use(
    handle(accountRoutes.resetPassword, { message, email }),
    handle(accountRoutes.parentLogin, ({ body }) => {
      sent.push(body);
      if (answer === 'blocked') return refuse('account_blocked');
      if (answer === 'step') return { step: 'second_factor', methods: ['app'], challenge: 'ch' };
      return { token: 'a-token', parent: huda };
    }),
    handle(factorRoutes.finishSignIn, { token: 'a-token', parent: huda }),
  );
  return sent;
}

test('signs a parent in by a press, with the password that was just set', async () => {
  const sent = serve('session');
  const page = await renderScreen('/reset-password/link');
  await setPassword(page.user);
  const press = await screen.findByRole('button', { name: /^Continue as .*huda@haris\.example/ });
  expect(screen.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login');
  expect(sent).toEqual([]);
  expect(localStorage.getItem('token')).toBeNull();
  page.be({ parent: huda });
  await page.user.click(press);
  await waitFor(() => expect(page.router.state.location.pathname).toBe('/profile'));
  expect(sent).toEqual([{ email, password: 'chosen-by-huda' }]);
  expect(localStorage.getItem('token')).toBe('a-token');
});

test('asks for the second factor, and gives no session before it', async () => {
  serve('step');
  const page = await renderScreen('/reset-password/link');
  await setPassword(page.user);
  await page.user.click(await screen.findByRole('button', { name: /^Continue as/ }));
  const field = await screen.findByLabelText('Code from the app');
  expect(localStorage.getItem('token')).toBeNull();
  page.be({ parent: huda });
  await page.user.type(field, '123456{Enter}');
  await waitFor(() => expect(page.router.state.location.pathname).toBe('/profile'));
  expect(localStorage.getItem('token')).toBe('a-token');
});

test('says why the sign-in was refused, and leaves the way to the login', async () => {
  serve('blocked');
  const { user, router } = await renderScreen('/reset-password/link');
  await setPassword(user);
  await user.click(await screen.findByRole('button', { name: /^Continue as/ }));
  expect((await screen.findAllByText(/blocked/)).length).toBeGreaterThan(0);
  expect(router.state.location.pathname).toBe('/reset-password/link');
  expect(localStorage.getItem('token')).toBeNull();
});

test('leaves alone who is signed in here, and offers staff the two logins', async () => {
  serve('session');
  const first = await renderScreen('/reset-password/link', { as: { admin: admin() } });
  await setPassword(first.user);
  expect(await screen.findByText('Your password is set.')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Continue as/ })).not.toBeInTheDocument();
  await first.unmount();
  server.use(handle(accountRoutes.resetPassword, { message }));
  const second = await renderScreen('/reset-password/link');
  await setPassword(second.user);
  expect(await screen.findByRole('link', { name: 'Admin Login' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Continue as/ })).not.toBeInTheDocument();
});

describe('the typed password', () => {
  const MINUTE = 60_000;
  afterEach(() => void vi.useRealTimers());

  /** Sets a password; from then on the test moves the clock. */
  async function atThePress(): Promise<void> {
    const { user } = await renderScreen('/reset-password/link');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
    await setPassword(user);
    await screen.findByRole('button', { name: /^Continue as/ });
  }
  const press = () => screen.queryByRole('button', { name: /^Continue as/ });

  test('is kept for a press, and dropped after five minutes', async () => {
    const sent = serve('session');
    await atThePress();
    act(() => void vi.advanceTimersByTime(4 * MINUTE));
    expect(press()).toBeVisible();
    act(() => void vi.advanceTimersByTime(MINUTE));
    expect(press()).not.toBeInTheDocument();
    expect(screen.getByText('Your password is set.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login');
    // The page still knows that it was a parent's.
    expect(screen.queryByRole('link', { name: 'Admin Login' })).not.toBeInTheDocument();
    expect(sent).toEqual([]);
  });

  test('is dropped when a page is shown again that was frozen in the background', async () => {
    serve('session');
    await atThePress();
    // Its timers stood still.
    const show = (after: number) => {
      vi.setSystemTime(Date.now() + after);
      act(() => void document.dispatchEvent(new Event('visibilitychange')));
    };
    show(4 * MINUTE);
    expect(press()).toBeVisible();
    show(MINUTE);
    expect(press()).not.toBeInTheDocument();
  });
});

test('in Arabic, on a phone', async () => {
  serve('session');
  const { user } = await renderScreen('/reset-password/link', { language: 'ar', size: 'phone' });
  await setPassword(user);
  expect(
    await screen.findByRole('button', { name: 'المتابعة باسم \u2066huda@haris.example\u2069' }),
  ).toBeVisible();
});
