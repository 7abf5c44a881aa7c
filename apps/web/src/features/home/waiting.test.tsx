/** The first screen after Create Account: where the link is, the mail again, another address, the code for the desk. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { registrationRoutes } from '@haris/contract/http/registration';
import { vouchingRoutes } from '@haris/contract/http/vouching';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { handle, offline, refuse, server } from '../../testing/contract-server.ts';
import { stopClock } from '../../testing/house-clock.ts';
import { serveNoMailServer } from '../../testing/no-mail-server.ts';
import { parent } from '../../testing/people.ts';
import { renderScreen, type ScreenOptions } from '../../testing/render-screen.tsx';

const TICK = { timeout: 10_000 };
const HEADING = 'Look into your mail';

afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

function answerRegistrations(): unknown[] {
  const sent: unknown[] = [];
  server.use(
    handle(accountRoutes.addParent, ({ body }) => {
      sent.push(body);
      const email = String(Object(body).email);
      return {
        message: 'Registration successful. Please open the link in the email we have sent you.',
        parent: parent({ email, emailVerified: false }),
        browserKey: `key of ${email}`,
      };
    }),
  );
  return sent;
}

/** Opens the form and registers Huda with `huda@haris.example`. */
async function register(options: ScreenOptions = {}) {
  answerRegistrations();
  const page = await renderScreen('/register', options);
  const { user } = page;
  await user.type(await screen.findByRole('textbox', { name: /Full name|الاسم الكامل/ }), 'Huda Samir');
  await user.type(screen.getByRole('textbox', { name: /Email|البريد/ }), 'huda@haris.example');
  await user.type(screen.getByRole('textbox', { name: /Phone|الهاتف/ }), '01012345678');
  await user.type(screen.getByLabelText(/^(Password|كلمة المرور)/, { selector: 'input' }), 'chosen-by-huda');
  await user.click(screen.getByRole('button', { name: /Create Account|إنشاء حساب/ }));
  return page;
}

describe('with a mail server', () => {
  test('the home view says where the link went, also after a reload, and keeps no password', async () => {
    const { router, unmount } = await register();
    expect(await screen.findByRole('heading', { name: HEADING })).toBeVisible();
    expect(router.state.location.pathname).toBe('/');
    expect(screen.getByText('huda@haris.example')).toBeVisible();
    // The landing page follows, as the specification has it.
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Peace of Mind, Always in Sight');
    expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('chosen-by-huda');
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('key of');
    await unmount();
    await renderScreen('/');
    expect(await screen.findByRole('heading', { name: HEADING })).toBeVisible();
    expect(screen.getByText('huda@haris.example')).toBeVisible();
  });

  test('the mail can be sent again after five minutes, and then after as long as the server says', async () => {
    const clock = stopClock();
    const keys: unknown[] = [];
    server.use(
      handle(registrationRoutes.resendOwnLink, ({ body }) => {
        keys.push(body.browserKey);
        return { message: 'Sent' };
      }),
    );
    const { user } = await register();
    expect(await screen.findByRole('button', { name: /^Send again in 0[45]:\d\d$/ })).toBeDisabled();
    await clock.pass(5 * 60_000);
    const again = await screen.findByRole('button', { name: 'Send again' }, TICK);
    await user.click(again);
    expect(await screen.findByText('We sent a new link. The older one no longer works.')).toBeVisible();
    expect(await screen.findByRole('button', { name: /^Send again in 0[45]:\d\d$/ }, TICK)).toBeDisabled();
    expect(keys).toEqual(['key of huda@haris.example']);
    server.use(handle(registrationRoutes.resendOwnLink, () => refuse('too_many_attempts')));
    await clock.pass(5 * 60_000);
    await user.click(await screen.findByRole('button', { name: 'Send again' }, TICK));
    expect(await screen.findByRole('button', { name: /^Send again in 0\d:\d\d$/ }, TICK)).toBeDisabled();
  });

  test.each([
    ['already_verified', 'Your email is verified'],
    ['invalid_token', 'Now log in'],
  ] as const)('what the server knows better is said in the same place: %s', async (code, heading) => {
    const clock = stopClock();
    server.use(handle(registrationRoutes.resendOwnLink, () => refuse(code)));
    const { user } = await register();
    await screen.findByRole('heading', { name: HEADING });
    await clock.pass(5 * 60_000);
    await user.click(await screen.findByRole('button', { name: 'Send again' }, TICK));
    expect(await screen.findByRole('heading', { name: heading })).toBeVisible();
    expect(screen.queryByRole('button', { name: /Send again/ })).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login');
  });

  test('“Send again” stays when the server is not reached', async () => {
    const clock = stopClock();
    server.use(handle(registrationRoutes.resendOwnLink, offline));
    const { user } = await register();
    await screen.findByRole('heading', { name: HEADING });
    await clock.pass(5 * 60_000);
    await user.click(await screen.findByRole('button', { name: 'Send again' }, TICK));
    expect(
      await screen.findByText('Haris cannot be reached. Please check your connection.'),
    ).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Send again' })).toBeEnabled();
  });

  test('“Wrong address?” brings back what was typed, without the password', async () => {
    const { user } = await register();
    await user.click(await screen.findByRole('link', { name: 'Wrong address?' }));
    const email = await screen.findByRole('textbox', { name: /Email/ });
    expect(email).toHaveValue('huda@haris.example');
    expect(email).toHaveAccessibleDescription(/^The account with the wrong address is deleted after a week/);
    await expectAccessible();
    expect(screen.getByRole('textbox', { name: /Full name/ })).toHaveValue('Huda Samir');
    expect(screen.getByRole('textbox', { name: /Phone/ })).toHaveValue('01012345678');
    const password = screen.getByLabelText(/^Password/, { selector: 'input' });
    expect(password).toHaveValue('');
    await user.clear(email);
    await user.type(email, 'huda.samir@haris.example');
    await user.type(password, 'chosen-by-huda');
    await user.click(screen.getByRole('button', { name: 'Create Account' }));
    expect(await screen.findByText('huda.samir@haris.example')).toBeVisible();
    expect(screen.queryByText('huda@haris.example')).not.toBeInTheDocument();
  });

  test('whoever opens the form anew finds it empty', async () => {
    const { unmount } = await register();
    await screen.findByRole('heading', { name: HEADING });
    await unmount();
    await renderScreen('/register');
    expect(await screen.findByRole('textbox', { name: /Email/ })).toHaveValue('');
  });

  /** Serves codes for the desk and whether the account still waits; returns the bodies of both, and what to answer. */
  function serveDeskCode() {
    const desk = { codes: [] as unknown[], asked: [] as unknown[], isWaiting: true };
    server.use(
      handle(vouchingRoutes.createDeskCode, ({ body }) => {
        desk.codes.push(body);
        return { code: '123456', expiresAt: new Date(Date.now() + 600_000).toISOString() };
      }),
      handle(registrationRoutes.readOwnRegistration, ({ body }) => {
        desk.asked.push(body);
        return { isWaiting: desk.isWaiting };
      }),
    );
    return desk;
  }
  const OWN_KEY = { browserKey: 'key of huda@haris.example' };

  test('shows the code for the desk, for this browser’s key, and knows within seconds that staff have used it', async () => {
    const clock = stopClock();
    const desk = serveDeskCode();
    const { user } = await register();
    const show = await screen.findByRole('button', { name: 'Show a code for the desk' });
    // Without a code there is nothing to wait for.
    await clock.pass(30_000);
    expect(desk.asked).toEqual([]);
    await user.click(show);
    expect(await screen.findByText('123456')).toBeVisible();
    await expectAccessible();
    expect(desk.codes).toEqual([OWN_KEY]);
    await clock.pass(6_000);
    await waitFor(() => expect(desk.asked.length).toBeGreaterThan(1));
    expect(new Set(desk.asked.map((body) => JSON.stringify(body)))).toEqual(
      new Set([JSON.stringify(OWN_KEY)]),
    );
    expect(screen.getByText('123456')).toBeVisible();
    desk.isWaiting = false;
    await clock.pass(6_000);
    expect(await screen.findByRole('heading', { name: 'Now log in' }, TICK)).toBeVisible();
    expect(screen.queryByText('123456')).not.toBeInTheDocument();
    const { length } = desk.asked;
    await clock.pass(30_000);
    expect(desk.asked).toHaveLength(length);
  });

  test('asks nothing while nobody looks at the page, and at once when somebody does', async () => {
    const clock = stopClock();
    const desk = serveDeskCode();
    const { user } = await register();
    await user.click(await screen.findByRole('button', { name: 'Show a code for the desk' }));
    await waitFor(() => expect(desk.asked).toHaveLength(1));
    const look = (state: 'hidden' | 'visible') => {
      vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
      act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    };
    look('hidden');
    await clock.pass(60_000);
    expect(desk.asked).toHaveLength(1);
    desk.isWaiting = false;
    look('visible');
    expect(await screen.findByRole('heading', { name: 'Now log in' }, TICK)).toBeVisible();
  });

  test('a code that cannot be renewed says the same: the key has ended', async () => {
    const clock = stopClock();
    serveDeskCode();
    const { user } = await register();
    await user.click(await screen.findByRole('button', { name: 'Show a code for the desk' }));
    expect(await screen.findByText('123456')).toBeVisible();
    server.use(handle(vouchingRoutes.createDeskCode, () => refuse('invalid_token')));
    await clock.pass(601_000);
    expect(await screen.findByRole('heading', { name: 'Now log in' }, TICK)).toBeVisible();
  });

  test('is gone once closed, once somebody is signed in, and after a day', async () => {
    const { user, unmount } = await register();
    await user.click(await screen.findByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('heading', { name: HEADING })).not.toBeInTheDocument();
    // The link still signs in here.
    expect(localStorage.getItem('haris.browserKey')).not.toBeNull();
    await unmount();

    const second = await register();
    await screen.findByRole('heading', { name: HEADING });
    await second.unmount();
    const signedIn = await renderScreen('/', { as: { parent: parent() } });
    await screen.findByRole('heading', { level: 1 });
    expect(screen.queryByRole('heading', { name: HEADING })).not.toBeInTheDocument();
    await signedIn.unmount();

    const clock = stopClock();
    await clock.pass(24 * 3_600_000);
    await renderScreen('/');
    await screen.findByRole('heading', { level: 1 });
    expect(screen.queryByRole('heading', { name: HEADING })).not.toBeInTheDocument();
  });

  test('goes with what was typed when somebody signs in in another tab', async () => {
    await register();
    await screen.findByRole('heading', { name: HEADING });
    localStorage.removeItem('haris.browserKey');
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'haris.browserKey' })));
    await waitFor(() => expect(screen.queryByRole('heading', { name: HEADING })).not.toBeInTheDocument());
    expect(sessionStorage.getItem('haris.registration')).toBeNull();
  });

  test('in Arabic, on a phone', async () => {
    await register({ language: 'ar', size: 'phone' });
    expect(await screen.findByRole('heading', { name: 'افتح بريدك الإلكتروني' })).toBeVisible();
    expect(screen.getByText('huda@haris.example').closest('[dir="ltr"]')).not.toBeNull();
    expect(screen.getByRole('link', { name: 'العنوان خاطئ؟' })).toBeVisible();
    expect(screen.getByRole('button', { name: /^إعادة الإرسال بعد [٠-٩]{2}:[٠-٩]{2}$/ })).toBeDisabled();
    await expectAccessible();
  });
});

test.each(['en', 'ar'] as const)(
  'without a mail server nothing says that a mail was sent: %s',
  async (language) => {
    serveNoMailServer();
    await register({ language });
    const heading = { en: 'Confirm your account at the desk', ar: 'أكّد حسابك في الاستقبال' }[language];
    expect(await screen.findByRole('heading', { name: heading })).toBeVisible();
    expect(
      screen.getByRole('button', { name: /Show a code for the desk|عرض رمز لمكتب الاستقبال/ }),
    ).toBeVisible();
    expect(screen.queryByRole('button', { name: /Send again|الإرسال/ })).not.toBeInTheDocument();
    expect(screen.queryByText(/We sent|أرسلنا/)).not.toBeInTheDocument();
  },
);

test('the error of the try before goes when the form succeeds', async () => {
  server.use(handle(accountRoutes.addParent, () => refuse('email_taken')));
  const { user } = await renderScreen('/register');
  await user.type(await screen.findByRole('textbox', { name: /Full name/ }), 'Huda Samir');
  await user.type(screen.getByRole('textbox', { name: /Email/ }), 'huda@haris.example');
  await user.type(screen.getByRole('textbox', { name: /Phone/ }), '01012345678');
  await user.type(screen.getByLabelText(/^Password/, { selector: 'input' }), 'chosen-by-huda');
  await user.click(screen.getByRole('button', { name: 'Create Account' }));
  const told = await screen.findByText(/already/);
  // A toast below the pointer does not go by itself.
  fireEvent.mouseOver(told);
  answerRegistrations();
  await user.click(screen.getByRole('button', { name: 'Create Account' }));
  await screen.findByRole('heading', { name: HEADING });
  await waitFor(() => expect(told).not.toBeInTheDocument(), TICK);
});
