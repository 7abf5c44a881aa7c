/** Public screens: the landing page, sign-in and registration, a device that becomes a camera. */
import { type ErrorCode, errorCatalogue } from '@haris/contract/errors';
import type { Camera } from '@haris/contract/http/cameras';
import { expect } from '../fixtures.ts';
import { addDeviceCamera, becomeCamera, pairingCode, removeCamera } from '../harness/room-camera.ts';
import { passScenes } from './hand-over.ts';
import { secondStepScene } from './second-factor.ts';
import { button, go, leave, type Scene, type Stage } from './stage.ts';

/** The camera that the scene's device has become. */
let sending: Camera | null = null;

let registrations = 0;

/** Registers a new parent and returns the link from the mail. */
async function registerSomebody({ world }: Stage): Promise<string> {
  const email = `new-${++registrations}@haris.example`;
  await world.api.call('/api/parent/add', {
    method: 'POST',
    json: { name: 'Huda Samir', email, phone: '01012345678', password: 'secret-6' },
  });
  return (await world.mailTo(email)).link;
}

const PROVIDER = 'Sunrise Nurseries & Kindergartens Group';

/** What a browser keeps of a registration (apps/web/src/session/registration.ts). */
const WAITING = `
  localStorage.setItem('haris.browserKey', JSON.stringify({ id: '1', key: 'x', until: Date.now() + 3600000 }));
  sessionStorage.setItem('haris.registration', JSON.stringify({
    id: '1', name: 'Huda Samir', email: 'huda.samir.of.the.long.address@nurseries.haris.example', phone: '01012345678',
    againAt: 0,
  }));
`;

/** The page learns of what the server of the scenes does not have. */
async function offer({ page }: Stage, config: object): Promise<void> {
  await page.route('**/api/config', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), ...config } });
  });
}

/** The page learns of an identity provider, as from a server that has one. */
async function offerProvider(stage: Stage): Promise<void> {
  await leave(stage);
  await offer(stage, { oidc: { name: PROVIDER } });
}

/** The server of the scenes has no provider, so the page gets the answer of one that has. */
async function refuseAtProvider({ page, trap }: Stage, path: string, code: ErrorCode): Promise<void> {
  const { status, message } = errorCatalogue[code];
  trap.expectHttp(status, path);
  await page.route(`**${path}`, (route) => route.fulfill({ status, json: { code, message } }));
}

async function forgetProvider(stage: Stage): Promise<void> {
  await stage.page.unrouteAll();
  await leave(stage);
}

export const visitorScenes: readonly Scene[] = [
  { name: 'home', as: 'visitor', open: (stage) => go(stage, '/') },
  { name: 'not-found', as: 'visitor', open: (stage) => go(stage, '/no/such/page') },
  {
    name: 'menu',
    as: 'visitor',
    only: 'phone',
    async open(stage) {
      await go(stage, '/');
      await button(stage.page, stage.t('shell:menu.open')).click();
      await expect(stage.page.getByRole('link', { name: stage.t('shell:adminPanel') })).toBeVisible();
    },
  },
  {
    name: 'screen-not-here',
    as: 'visitor',
    async open(stage) {
      // Runs before any scene that loads the other screen, which would then be in the browser's cache.
      await go(stage, '/');
      stage.trap.expectOutage();
      stage.trap.expectBlocked(/\/assets\//);
      await stage.page.context().setOffline(true);
      await stage.page.getByRole('link', { name: stage.t('shell:footer.terms') }).click();
      await expect(stage.page.getByText(stage.t('shell:offlineScreen'))).toBeVisible();
    },
    // Once online, the page opens by itself; navigating elsewhere meanwhile would interfere.
    async close({ page, t }) {
      await page.context().setOffline(false);
      await expect(page.getByRole('heading', { level: 1, name: t('legal:terms.title') })).toBeVisible();
    },
  },
  {
    name: 'appearance',
    as: 'visitor',
    only: 'desk',
    async open(stage) {
      await go(stage, '/terms');
      await button(stage.page, stage.t('shell:appearance.title')).click();
      await expect(stage.page.getByRole('radio').first()).toBeVisible();
    },
  },
  {
    name: 'no-connection',
    as: 'visitor',
    async open(stage) {
      await go(stage, '/');
      stage.trap.expectOutage();
      await stage.page.context().setOffline(true);
      await expect(stage.page.getByText(stage.t('shell:offline'))).toBeVisible();
    },
    close: ({ page }) => page.context().setOffline(false),
  },
  { name: 'privacy', as: 'visitor', open: (stage) => go(stage, '/privacy') },
  { name: 'terms', as: 'visitor', open: (stage) => go(stage, '/terms') },
  { name: 'login', as: 'visitor', open: (stage) => go(stage, '/login') },
  {
    name: 'login-refused',
    as: 'visitor',
    async open(stage) {
      const { page, t, trap } = stage;
      trap.expectHttp(401, '/api/parent/get-parent-by-email-and-password');
      await go(stage, '/login');
      // A new address each time, because many failures for one address are rate limited.
      await page.getByLabel(t('auth:email')).fill(`nobody-${++registrations}@haris.example`);
      await page.locator('input[type="password"]').fill('wrong-password');
      await button(page, t('auth:login.submit')).click();
      await expect(page.getByText(t('errors:invalid_credentials'))).toBeVisible();
    },
  },
  secondStepScene,
  { name: 'login-admin', as: 'visitor', open: (stage) => go(stage, '/login?isAdmin=true') },
  {
    name: 'login-provider',
    as: 'visitor',
    async open(stage) {
      await offerProvider(stage);
      await go(stage, '/login?isAdmin=true');
      const { page, t } = stage;
      await expect(
        button(page, t('auth:provider.signIn', { name: `\u2068${PROVIDER}\u2069` })),
      ).toBeVisible();
    },
    close: forgetProvider,
  },
  {
    name: 'login-provider-away',
    as: 'visitor',
    async open(stage) {
      const { page, t } = stage;
      await offerProvider(stage);
      await refuseAtProvider(stage, '/api/session/oidc', 'oidc_unavailable');
      await go(stage, '/login?isAdmin=true');
      await button(page, t('auth:provider.signIn', { name: `\u2068${PROVIDER}\u2069` })).click();
      await expect(page.getByRole('alert')).toBeVisible();
    },
    close: forgetProvider,
  },
  {
    name: 'provider-refused',
    as: 'visitor',
    async open(stage) {
      await refuseAtProvider(stage, '/api/session/oidc/finish', 'oidc_no_access');
      await go(stage, '/oidc?state=x&code=y');
      await expect(stage.page.getByRole('alert')).toBeVisible();
    },
    close: ({ page }) => page.unrouteAll(),
  },
  { name: 'pre-login', as: 'visitor', open: (stage) => go(stage, '/adminPreLogin') },
  { name: 'register', as: 'visitor', open: (stage) => go(stage, '/register') },
  {
    name: 'register-errors',
    as: 'visitor',
    async open(stage) {
      await go(stage, '/register');
      await stage.page.getByLabel(stage.t('auth:email')).fill('mona@nowhere');
      await button(stage.page, stage.t('auth:register.submit')).click();
      await expect(stage.page.getByText(stage.t('fields:Invalid email format'))).toBeVisible();
    },
  },
  ...(['mail', 'desk'] as const).map(
    (way): Scene => ({
      name: `registered-${way}`,
      as: 'visitor',
      async open(stage) {
        const { page, t } = stage;
        await leave(stage);
        if (way === 'mail') await offer(stage, { sendsMail: true });
        await go(stage, '/terms');
        await page.evaluate(WAITING);
        await go(stage, '/');
        await expect(page.getByRole('heading', { name: t(`waiting:${way}.title`) })).toBeVisible();
      },
      async close({ page }) {
        await page.evaluate('localStorage.removeItem("haris.browserKey"); sessionStorage.clear()');
        await page.unrouteAll();
        await page.goto('about:blank');
      },
    }),
  ),
  { name: 'forgot', as: 'visitor', open: (stage) => go(stage, '/forgot-password') },
  {
    name: 'forgot-sent',
    as: 'visitor',
    async open(stage) {
      await go(stage, '/forgot-password');
      await stage.page.getByLabel(stage.t('auth:email')).fill('nobody@haris.example');
      await button(stage.page, stage.t('auth:forgot.submit')).click();
      await expect(stage.page.getByText(stage.t('auth:forgot.kept'))).toBeVisible();
    },
  },
  {
    name: 'reset-errors',
    as: 'visitor',
    async open(stage) {
      await go(stage, '/reset-password/abc');
      await stage.page.locator('input[type="password"]').first().fill('abc');
      await button(stage.page, stage.t('auth:reset.submit')).click();
      await expect(stage.page.getByText(stage.t('auth:reset.mismatch'))).toBeVisible();
    },
  },
  {
    name: 'verified',
    as: 'visitor',
    async open(stage) {
      await go(stage, new URL(await registerSomebody(stage)).pathname);
      await expect(stage.page.getByText(stage.t('auth:verify.success'))).toBeVisible();
    },
  },
  {
    name: 'not-verified',
    as: 'visitor',
    async open(stage) {
      stage.trap.expectHttp(400, /\/verify\/email\//);
      await go(stage, '/verify-parent/no-such-token');
      await expect(stage.page.getByText(stage.t('auth:verify.failure'))).toBeVisible();
    },
  },
  {
    name: 'change-email',
    as: 'visitor',
    async open(stage) {
      await go(stage, '/change-email/no-such-token');
      await expect(button(stage.page, stage.t('auth:changeEmail.yes'))).toBeVisible();
    },
  },
  {
    name: 'reach',
    as: 'visitor',
    async open(stage) {
      const { api, staff } = stage.world;
      const { code } = await api.call<{ code: string }>('/api/reach-codes', {
        method: 'POST',
        token: staff.token,
      });
      await go(stage, `/reach/${code}`);
      await expect(stage.page.getByText(stage.t('reach:insecure'))).toBeVisible();
    },
  },
  {
    name: 'reach-used',
    as: 'visitor',
    async open(stage) {
      stage.trap.expectHttp(400, '/api/reach');
      await go(stage, '/reach/no-such-code');
      await expect(stage.page.getByText(stage.t('reach:failed'))).toBeVisible();
    },
  },
  { name: 'device-camera', as: 'visitor', open: (stage) => go(stage, '/camera') },
  {
    name: 'device-camera-sending',
    as: 'visitor',
    camera: 'allowed',
    async open({ page, t, world }) {
      await world.camera.showPerson(6);
      sending = await addDeviceCamera(world.api, 'Tablet on the shelf', 'Playroom');
      await becomeCamera(page, await pairingCode(world.api, sending), t);
    },
    async close({ world }) {
      if (sending !== null) await removeCamera(world.api, sending);
      sending = null;
    },
  },
  ...passScenes,
];
