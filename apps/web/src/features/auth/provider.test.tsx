/** Sign-in and proof of staff at the organisation's identity provider: the button, the page it leads back to, the dialog. */
import { factorRoutes } from '@haris/contract/http/factors';
import { oidcRoutes } from '@haris/contract/http/oidc';
import { operationRoutes } from '@haris/contract/http/operations';
import { recognitionRoutes } from '@haris/contract/http/recognition';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { announceProof } from '../../session/proved-elsewhere.ts';
import { expectAccessible } from '../../testing/accessibility.ts';
import { handle, refuse, server } from '../../testing/contract-server.ts';
import { admin } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

const left: string[] = [];
vi.mock('../../session/leave.ts', () => ({ leaveFor: (url: string) => left.push(url) }));
beforeEach(() => {
  left.length = 0;
});

/** Isolated, so that it stays together in Arabic. */
const NAME = '\u2068Sunrise Group\u2069';
const PROVIDER = 'https://login.sunrise.example/auth?state=abc';

function offerProvider(): void {
  server.use(
    handle(operationRoutes.getClientConfig, () => ({
      demo: false,
      registerUrl: '',
      sendsMail: true,
      oidc: { name: 'Sunrise Group' },
      facility: { name: null, phone: null, timeZone: 'Africa/Cairo', region: 'EG' },
      now: new Date().toISOString(),
    })),
  );
}

describe('the login of staff', () => {
  test('offers the provider only where there is one, and never to parents', async () => {
    const { unmount } = await renderScreen('/login?isAdmin=true');
    await screen.findByRole('button', { name: 'Login' });
    expect(screen.queryByRole('button', { name: /^Sign in with/ })).not.toBeInTheDocument();
    await unmount();
    offerProvider();
    const parents = await renderScreen('/login');
    await screen.findByRole('button', { name: 'Login' });
    expect(screen.queryByRole('button', { name: /^Sign in with/ })).not.toBeInTheDocument();
    await parents.unmount();
    await renderScreen('/login?isAdmin=true');
    expect(await screen.findByRole('button', { name: `Sign in with ${NAME}` })).toBeVisible();
    expect(screen.getByText('Logging out of Haris does not log you out there.')).toBeVisible();
    await expectAccessible();
  });

  test('leads to the provider, and says where the person wanted to go', async () => {
    offerProvider();
    const sent: unknown[] = [];
    server.use(
      handle(oidcRoutes.beginOidc, ({ body }) => {
        sent.push(body);
        return { url: PROVIDER };
      }),
    );
    const { user, router } = await renderScreen('/reports');
    await waitFor(() => expect(router.state.location.pathname).toBe('/adminPreLogin'));
    await user.click(await screen.findByRole('link', { name: 'Proceed to Admin Login' }));
    await user.click(await screen.findByRole('button', { name: `Sign in with ${NAME}` }));
    await waitFor(() => expect(left).toEqual([PROVIDER]));
    expect(sent).toEqual([{ returnTo: '/reports' }]);
  });

  test('says that the provider cannot be reached, and keeps the form', async () => {
    offerProvider();
    server.use(handle(oidcRoutes.beginOidc, refuse('oidc_unavailable')));
    const { user } = await renderScreen('/login?isAdmin=true', { language: 'ar' });
    await user.click(await screen.findByRole('button', { name: `الدخول عبر ${NAME}` }));
    expect(await screen.findByRole('alert')).toHaveTextContent('تعذّر الوصول إلى تسجيل الدخول لدى مؤسستك');
    expect(screen.getByRole('button', { name: 'تسجيل الدخول' })).toBeVisible();
    await expectAccessible();
    expect(left).toEqual([]);
  });
});

describe('the page that the provider leads back to', () => {
  test('takes the answer out of the address, sends it once, and goes on where the person wanted to', async () => {
    const sent: unknown[] = [];
    server.use(
      handle(oidcRoutes.finishOidc, ({ body }) => {
        sent.push(body);
        return { token: 'a-token', admin: admin(), returnTo: '/viewEmployees' };
      }),
    );
    const { router } = await renderScreen('/oidc?code=c&state=s&iss=https%3A%2F%2Fi.example&session_state=x');
    await waitFor(() => expect(router.state.location.pathname).toBe('/viewEmployees'));
    expect(sent).toEqual([{ code: 'c', state: 's', iss: 'https://i.example' }]);
    expect(localStorage.getItem('token')).toBe('a-token');
    expect(location.href).not.toContain('code=');
  });

  test('asks for the second step, and takes no strange path afterwards', async () => {
    server.use(
      handle(oidcRoutes.finishOidc, {
        step: 'second_factor',
        methods: ['app'],
        challenge: 'ch',
        returnTo: '//evil.example',
      }),
      handle(factorRoutes.finishSignIn, { token: 'a-token', admin: admin() }),
    );
    const { user, router } = await renderScreen('/oidc?code=c&state=s');
    const field = await screen.findByLabelText('Code from the app');
    expect(router.state.location.search).toBe('');
    await user.type(field, '123456{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/adminDashboard'));
  });

  test.each([
    ['oidc_failed', /^This sign-in has expired/],
    ['oidc_no_access', /^Your organisation has not given you access/],
    ['oidc_email_unverified', /^Your organisation has not confirmed your email address/],
    ['oidc_not_linked', /^An account with this email exists/],
    ['oidc_unavailable', /cannot be reached/],
  ] as const)('says what went wrong: %s', async (code, words) => {
    server.use(handle(oidcRoutes.finishOidc, refuse(code)));
    const { user, router } = await renderScreen('/oidc?code=c&state=s');
    expect(await screen.findByRole('alert')).toHaveTextContent(words);
    await user.click(screen.getByRole('link', { name: 'Back to login' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Admin Login' })).toBeVisible();
    expect(router.state.location.search).toBe('?isAdmin=true');
  });
});

describe('a proof', () => {
  const staff = { admin: admin({ signsInElsewhere: true }) };
  beforeEach(() =>
    server.use(
      handle(recognitionRoutes.getOwnRecognition, {
        recognition: { on: false, since: null, problem: null, pending: false },
      }),
    ),
  );

  test('opens the provider in a tab, and the waiting call goes on when that tab has proven', async () => {
    offerProvider();
    let isProved = false;
    server.use(
      handle(factorRoutes.beginApp, () =>
        isProved
          ? { _id: 'f1', secret: 'GEZDGNBVGY3TQOJQ', uri: 'otpauth://totp/Haris:x?secret=GEZD' }
          : refuse('proof_required', { methods: ['oidc'] }),
      ),
      handle(oidcRoutes.beginOidcProof, { url: PROVIDER }),
    );
    const { user } = await renderScreen('/account', { as: staff });
    await user.click(await screen.findByRole('button', { name: 'Add an authenticator app' }));
    const dialog = await screen.findByRole('dialog', { name: 'Confirm that it is you' });
    const link = await within(dialog).findByRole('link', { name: 'Continue' });
    expect(link).toHaveAttribute('href', PROVIDER);
    expect(link).toHaveAttribute('target', '_blank');
    expect(link).toHaveAttribute('rel', 'noopener');
    await expectAccessible();
    isProved = true;
    announceProof();
    expect(await screen.findByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  });

  test('in the other tab it is confirmed, or says what went wrong', async () => {
    server.use(handle(oidcRoutes.finishOidcProof, () => undefined));
    const first = await renderScreen('/oidc?code=c&state=proof-s', { as: staff });
    expect(await screen.findByText(/^Confirmed. You can close this tab/)).toBeVisible();
    await first.unmount();
    server.use(handle(oidcRoutes.finishOidcProof, refuse('oidc_failed')));
    await renderScreen('/oidc?code=c&state=proof-s', { as: staff });
    expect(await screen.findByRole('alert')).toHaveTextContent(/^This sign-in has expired/);
    expect(localStorage.getItem('token')).not.toBeNull();
    await expectAccessible();
  });

  test('an account without a password offers no change of it', async () => {
    await renderScreen('/account', { as: staff });
    await screen.findByRole('heading', { level: 1, name: 'Account' });
    expect(screen.queryByRole('link', { name: 'Change password' })).not.toBeInTheDocument();
  });
});
