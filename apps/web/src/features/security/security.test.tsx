/** Second factors on the account page, in the second step of a sign-in, and where one is required. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { factorRoutes } from '@haris/contract/http/factors';
import { recognitionRoutes } from '@haris/contract/http/recognition';
import { sessionRoutes } from '@haris/contract/http/session';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { handle, offline, refuse, server } from '../../testing/contract-server.ts';
import { serveNoMailServer } from '../../testing/no-mail-server.ts';
import { admin, parent } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

const ADDED = '2026-03-18T08:15:00.000Z';
const phone = {
  _id: 'f1',
  kind: 'app' as const,
  name: 'Authenticator app',
  addedAt: ADDED,
  lastUsedAt: null,
};
const codes = Array.from({ length: 10 }, (_, index) =>
  `abcd${index + 2}-23456`.replace('10', 'z').slice(0, 11),
);

describe('the account page', () => {
  test('an app is added by its first code, and the recovery codes are shown once', async () => {
    const state = { factors: [] as (typeof phone)[], recoveryCodesLeft: 0, isRequired: false };
    const sent: unknown[] = [];
    server.use(
      handle(factorRoutes.listFactors, () => state),
      handle(factorRoutes.beginApp, ({ body }) => {
        sent.push(body);
        return { _id: 'f1', secret: 'GEZDGNBVGY3TQOJQ', uri: 'otpauth://totp/Haris:mona?secret=GEZD' };
      }),
      handle(factorRoutes.confirmApp, ({ body }) => {
        sent.push(body);
        state.factors = [phone];
        state.recoveryCodesLeft = 10;
        return { factor: phone, recoveryCodes: codes };
      }),
    );
    const { user } = await renderScreen('/account', { as: { parent: parent() } });
    const card = await screen.findByRole('region', { name: 'Second factor' });
    expect(await within(card).findByText('Off')).toBeVisible();
    await user.click(await within(card).findByRole('button', { name: 'Add an authenticator app' }));
    const dialog = await screen.findByRole('dialog', { name: 'Add an authenticator app' });
    expect(
      await within(dialog).findByRole('img', { name: 'QR code for the authenticator app' }),
    ).toBeVisible();
    expect(within(dialog).getByText('GEZD GNBV GY3T QOJQ')).toBeVisible();
    const field = within(dialog).getByLabelText('Code from the app');
    await user.type(field, '12{Enter}');
    expect(await within(dialog).findByText('The code has 6 digits.')).toBeVisible();
    await expectAccessible();
    await user.clear(field);
    await user.type(field, '١٢٣ ٤٥٦{Enter}');
    expect(await within(dialog).findByText(codes[0] ?? '')).toBeVisible();
    await expectAccessible();
    expect(sent).toEqual([{ name: 'Authenticator app' }, { code: '123456' }]);
    // On a phone a notice would cover the button below the codes.
    expect(await within(card).findByText('On')).toBeInTheDocument();
    expect(screen.queryByText(/^Second factor added/)).toBeNull();
    await user.click(within(dialog).getByRole('button', { name: 'I have saved these' }));
    expect(await screen.findByText(/^Second factor added/)).toBeVisible();
    expect(await within(card).findByText('10 recovery codes left')).toBeVisible();
    expect(within(card).getByText('On')).toBeVisible();
  });

  test('a wrong first code is said at the field', async () => {
    server.use(
      handle(factorRoutes.beginApp, { _id: 'f1', secret: 'GEZDGNBV', uri: 'otpauth://totp/x' }),
      handle(factorRoutes.confirmApp, refuse('wrong_code')),
    );
    const { user } = await renderScreen('/account', { as: { parent: parent() } });
    await user.click(await screen.findByRole('button', { name: 'Add an authenticator app' }));
    const field = await screen.findByLabelText('Code from the app');
    await waitFor(() => expect(screen.getByText('GEZD GNBV')).toBeVisible());
    await user.type(field, '123456{Enter}');
    expect(await screen.findByText('This code is wrong or has expired.')).toBeVisible();
  });

  test('the last factor cannot be removed where one is required', async () => {
    server.use(
      handle(factorRoutes.listFactors, { factors: [phone], recoveryCodesLeft: 2, isRequired: true }),
      handle(recognitionRoutes.getOwnRecognition, {
        recognition: { on: false, since: null, problem: null, pending: false },
      }),
    );
    await renderScreen('/account', { as: { admin: admin() } });
    expect(await screen.findByText('Everybody on the staff needs a second factor here.')).toBeVisible();
    expect(await screen.findByText('2 recovery codes left')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Remove Authenticator app' })).toBeNull();
  });

  test.each([
    ['en', 'Remove Authenticator app', /^You can no longer sign in with it\.$/],
    ['ar', 'إزالة Authenticator app', /^لن يمكنك تسجيل الدخول بها بعد الآن\.$/],
  ] as const)(
    'without a mail server, removing a factor promises no mail: %s',
    async (language, name, told) => {
      serveNoMailServer();
      server.use(
        handle(factorRoutes.listFactors, { factors: [phone], recoveryCodesLeft: 2, isRequired: false }),
      );
      const { user } = await renderScreen('/account', { as: { parent: parent() }, language });
      await user.click(await screen.findByRole('button', { name }));
      expect(await within(await screen.findByRole('dialog')).findByText(told)).toBeVisible();
    },
  );

  test('without a connection it says so, and tries again', async () => {
    server.use(handle(factorRoutes.listFactors, offline));
    await renderScreen('/account', { as: { parent: parent() } });
    const card = await screen.findByRole('region', { name: 'Second factor' });
    expect(await within(card).findByRole('button', { name: 'Try Again' })).toBeVisible();
  });

  test('sessions are listed, and others end', async () => {
    const moment = { startedAt: ADDED, lastUsedAt: ADDED };
    const here = { _id: 's1', isThis: true, agent: 'Chrome, Linux', address: '192.0.2.7', ...moment };
    const there = { _id: 's2', isThis: false, agent: null, address: '192.0.2.8', ...moment };
    let sessions = [here, there];
    server.use(
      handle(sessionRoutes.listSessions, () => ({ sessions })),
      handle(sessionRoutes.endSession, ({ params }) => {
        sessions = sessions.filter(({ _id }) => _id !== params.id);
        return undefined;
      }),
    );
    const { user } = await renderScreen('/account', { as: { parent: parent() } });
    const card = await screen.findByRole('region', { name: 'Where you are signed in' });
    expect(await within(card).findByText('This device')).toBeVisible();
    await user.click(within(card).getByRole('button', { name: 'End the session on Unknown device' }));
    await waitFor(() => expect(within(card).queryByText('Unknown device')).toBeNull());
    expect(within(card).queryByRole('button', { name: 'End all other sessions' })).toBeNull();
  });
});

describe('signing in', () => {
  const step = {
    step: 'second_factor' as const,
    methods: ['app' as const, 'recovery' as const],
    challenge: 'c',
  };

  async function fill(user: Awaited<ReturnType<typeof renderScreen>>['user']): Promise<void> {
    await user.type(await screen.findByLabelText('Email'), 'mona@haris.example');
    await user.type(screen.getByLabelText(/^Password/), 'a password of hers');
    await user.click(screen.getByRole('button', { name: 'Login' }));
  }

  test('asks for the code after the password; a wrong one keeps the form', async () => {
    const sent: unknown[] = [];
    server.use(
      handle(accountRoutes.parentLogin, step),
      handle(factorRoutes.finishSignIn, ({ body }) => {
        sent.push(body);
        return 'code' in body && body.code === '654321'
          ? { token: 'another-token', parent: parent() }
          : refuse('wrong_code');
      }),
    );
    const { user, router, be } = await renderScreen('/login');
    await fill(user);
    const field = await screen.findByLabelText('Code from the app');
    await user.type(field, '111111{Enter}');
    expect(await screen.findByText('This code is wrong or has expired.')).toBeVisible();
    await expectAccessible();
    be({ parent: parent() });
    await user.clear(field);
    await user.type(field, '654321{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/profile'));
    expect(sent).toEqual([
      { challenge: 'c', code: '111111' },
      { challenge: 'c', code: '654321' },
    ]);
  });

  test.each([
    ['en', 'Code for your email', /kept on the server\. Ask an administrator/],
    ['ar', 'رمز بريدك الإلكتروني', /يُحفظ رمز بريدك على الخادم/],
  ] as const)(
    'without a mail server, the code of the account’s email is not said to be sent: %s',
    async (language, field, told) => {
      serveNoMailServer();
      server.use(handle(accountRoutes.parentLogin, { ...step, methods: ['mail'] }));
      const { user } = await renderScreen('/login', { language });
      await user.type(await screen.findByRole('textbox', { name: /Email|البريد/ }), 'mona@haris.example');
      await user.type(
        screen.getByLabelText(/^(Password|كلمة المرور)/, { selector: 'input' }),
        'of hers{Enter}',
      );
      expect(await screen.findByLabelText(field)).toBeVisible();
      expect(screen.getByText(told)).toBeVisible();
    },
  );

  test('a recovery code is another way, and Back leads to the password', async () => {
    const sent: unknown[] = [];
    server.use(
      handle(accountRoutes.parentLogin, step),
      handle(factorRoutes.finishSignIn, ({ body }) => {
        sent.push(body);
        return refuse('wrong_code');
      }),
    );
    const { user } = await renderScreen('/login');
    await fill(user);
    await user.click(await screen.findByRole('button', { name: 'Use a recovery code' }));
    await user.type(await screen.findByLabelText('Recovery code'), 'ABCDE 23456{Enter}');
    await waitFor(() => expect(sent).toEqual([{ challenge: 'c', recoveryCode: 'abcde23456' }]));
    await user.click(screen.getByRole('button', { name: 'Back' }));
    expect(await screen.findByLabelText('Email')).toBeVisible();
  });
});

test('staff who must have a second factor see nothing else before', async () => {
  const must = { admin: admin({ mustAddFactor: true }) };
  const { be, user } = await renderScreen('/adminDashboard', { as: must });
  expect(await screen.findByRole('heading', { level: 1, name: 'Set up your second factor' })).toBeVisible();
  await expectAccessible();
  server.use(
    handle(factorRoutes.beginApp, { _id: 'f1', secret: 'GEZDGNBV', uri: 'otpauth://totp/x' }),
    handle(factorRoutes.confirmApp, { factor: phone, recoveryCodes: codes }),
  );
  await user.click(screen.getByRole('button', { name: 'Add an authenticator app' }));
  await waitFor(() => expect(screen.getByText('GEZD GNBV')).toBeVisible());
  await user.type(screen.getByLabelText('Code from the app'), '123456{Enter}');
  be({ admin: admin() });
  await user.click(await screen.findByRole('button', { name: 'I have saved these' }));
  await waitFor(() =>
    expect(screen.queryByRole('heading', { name: 'Set up your second factor' })).toBeNull(),
  );
});
