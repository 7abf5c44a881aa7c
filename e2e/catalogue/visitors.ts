/** What anybody may open: the landing page, signing in and up, a device that becomes a camera. */
import type { Camera } from '@haris/contract/http/cameras';
import { expect } from '../fixtures.ts';
import { addDeviceCamera, becomeCamera, pairingCode, removeCamera } from '../harness/room-camera.ts';
import { button, go, type Scene, type Stage } from './stage.ts';

/** The camera that the device of a scene is. */
let sending: Camera | null = null;

let registrations = 0;

/** Registers somebody new and answers the mailed link. */
async function registerSomebody({ world }: Stage): Promise<string> {
  const email = `new-${++registrations}@haris.example`;
  await world.api.call('/api/parent/add', {
    method: 'POST',
    json: { name: 'Huda Samir', email, phone: '01012345678', password: 'secret-6' },
  });
  return (await world.mailTo(email)).link;
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
      // Before any scene that loads the other screen: the browser has it then.
      await go(stage, '/');
      stage.trap.expectOutage();
      stage.trap.expectBlocked(/\/assets\//);
      await stage.page.context().setOffline(true);
      await stage.page.getByRole('link', { name: stage.t('shell:footer.terms') }).click();
      await expect(stage.page.getByText(stage.t('shell:offlineScreen'))).toBeVisible();
    },
    // The page comes by itself then; whoever goes elsewhere meanwhile is in its way.
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
      // An address of its own each time: many failures for one are throttled.
      await page.getByLabel(t('auth:email')).fill(`nobody-${++registrations}@haris.example`);
      await page.locator('input[type="password"]').fill('wrong-password');
      await button(page, t('auth:login.submit')).click();
      await expect(page.getByText(t('errors:invalid_credentials'))).toBeVisible();
    },
  },
  { name: 'login-admin', as: 'visitor', open: (stage) => go(stage, '/login?isAdmin=true') },
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
  { name: 'forgot', as: 'visitor', open: (stage) => go(stage, '/forgot-password') },
  {
    name: 'forgot-sent',
    as: 'visitor',
    async open(stage) {
      await go(stage, '/forgot-password');
      await stage.page.getByLabel(stage.t('auth:email')).fill('nobody@haris.example');
      await button(stage.page, stage.t('auth:forgot.submit')).click();
      await expect(stage.page.getByText(stage.t('auth:forgot.sent'))).toBeVisible();
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
];
