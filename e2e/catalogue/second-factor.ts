/** Signing in with a second factor or at a provider, and what staff do about a family's account. The server's answers are made up. */
import type { Page, Route } from '@playwright/test';
import { expect } from '../fixtures.ts';
import { fillLogin } from '../harness/person.ts';
import { button, dialog, go, leave, type Scene, type Stage } from './stage.ts';

const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const APP = {
  _id: 'app-1',
  secret: SECRET,
  uri: `otpauth://totp/Haris:mona%40haris.example?secret=${SECRET}&issuer=Haris`,
};
const RECOVERY_CODES = [...'abcdefghij'].map((letter) => `${letter}2345-fghjk`);

/** A new authenticator app, which any code confirms. */
async function serveApp(page: Page): Promise<void> {
  await page.route('**/api/account/factors/app', (route) => route.fulfill({ status: 201, json: APP }));
  await page.route('**/api/account/factors/app/*/confirm', (route) => {
    const factor = {
      _id: 'app-1',
      kind: 'app',
      name: 'Phone',
      addedAt: new Date().toISOString(),
      lastUsedAt: null,
    };
    return route.fulfill({ json: { factor, recoveryCodes: RECOVERY_CODES } });
  });
}

async function endApp({ page }: Stage): Promise<void> {
  await page.unroute('**/api/account/factors/app');
  await page.unroute('**/api/account/factors/app/*/confirm');
}

async function openApp(stage: Stage): Promise<void> {
  const { page, t } = stage;
  await serveApp(page);
  await go(stage, '/account');
  await button(page, t('security:app.add')).click();
  await expect(dialog(page).getByRole('img', { name: t('security:app.qr') })).toBeVisible();
}

/** The answer of the server with some fields changed. */
export async function change(route: Route, name: 'admin' | 'parent', fields: object): Promise<void> {
  const answer = await route.fetch();
  const body = (await answer.json()) as Record<string, object>;
  await route.fulfill({ response: answer, json: { ...body, [name]: { ...body[name], ...fields } } });
}

/** The screen of a visitor whose password was right and whose account has a second factor. */
export const secondStepScene: Scene = {
  name: 'second-step',
  as: 'visitor',
  async open(stage) {
    const { page, t } = stage;
    const json = { step: 'second_factor', methods: ['app', 'recovery'], challenge: 'challenge' };
    await page.route('**/api/parent/get-parent-by-email-and-password', (route) => route.fulfill({ json }));
    await go(stage, '/login');
    await fillLogin(page, { email: 'mona@haris.example', password: 'secret-6' }, t);
    await expect(page.getByRole('heading', { level: 1, name: t('security:step.title') })).toBeVisible();
  },
  async close(stage) {
    await stage.page.unroute('**/api/parent/get-parent-by-email-and-password');
    await leave(stage);
  },
};

/** Opens the account page of somebody whom the organisation signs in. */
async function openLinks(stage: Stage): Promise<void> {
  const { page, t } = stage;
  await leave(stage);
  const at = new Date().toISOString();
  const links = [
    { _id: 'link-1', provider: 'login.sunrise.example', linkedAt: at, endedAt: null },
    { _id: 'link-2', provider: 'old.sunrise.example', linkedAt: at, endedAt: at },
  ];
  await page.route('**/api/admin/me/links', (route) => route.fulfill({ json: { links, isOnlyWay: false } }));
  await go(stage, '/account');
  await expect(page.getByRole('region', { name: t('security:links.title') })).toBeVisible();
}

async function endLinks(stage: Stage): Promise<void> {
  await stage.page.unroute('**/api/admin/me/links');
  await leave(stage);
}

/** Of signed-in people. */
export const secondFactorScenes: readonly Scene[] = [
  { name: 'add-app', as: 'staff', open: openApp, close: endApp },
  {
    name: 'recovery-codes',
    as: 'staff',
    async open(stage) {
      const { page, t } = stage;
      await openApp(stage);
      await dialog(page).getByLabel(t('security:app.code')).fill('123456');
      await button(dialog(page), t('security:app.confirm')).click();
      await expect(dialog(page).getByText(RECOVERY_CODES[0] ?? '', { exact: true })).toBeVisible();
    },
    async close(stage) {
      await button(dialog(stage.page), stage.t('security:codes.done')).click();
      await endApp(stage);
    },
  },
  { name: 'provider-links', as: 'staff', open: openLinks, close: endLinks },
  {
    name: 'remove-provider-link',
    as: 'staff',
    async open(stage) {
      const { page, t } = stage;
      await openLinks(stage);
      await button(page, t('security:links.removeOf', { name: 'login.sunrise.example' })).click();
      await expect(page.getByText(t('security:links.sure'))).toBeVisible();
    },
    close: endLinks,
  },
  {
    name: 'must-add-factor',
    as: 'staff',
    async open(stage) {
      const { page, t } = stage;
      await leave(stage);
      await page.route('**/api/admin/info', (route) => change(route, 'admin', { mustAddFactor: true }));
      await go(stage, '/auditLog');
      await expect(page.getByRole('heading', { name: t('security:must.title') })).toBeVisible();
    },
    async close(stage) {
      await stage.page.unroute('**/api/admin/info');
      await leave(stage);
    },
  },
  {
    name: 'family-blocked',
    as: 'staff',
    async open(stage) {
      const { page, t, world } = stage;
      const blockedAt = new Date().toISOString();
      await page.route('**/api/parent/get-parent/*', (route) => change(route, 'parent', { blockedAt }));
      await go(stage, `/adminDashboard?family=${world.friederike.id}`);
      await expect(button(dialog(page), t('child:access.unblock'))).toBeAttached();
      await button(dialog(page), t('child:access.unblock')).scrollIntoViewIfNeeded();
    },
    async close(stage) {
      await stage.page.unroute('**/api/parent/get-parent/*');
      await leave(stage);
    },
  },
  {
    name: 'family-reset-factors',
    as: 'staff',
    async open(stage) {
      const { page, t, world } = stage;
      await go(stage, `/adminDashboard?family=${world.mona.id}`);
      await button(dialog(page), t('child:access.resetFactors')).click();
      await expect(
        page.getByText(t('child:access.resetFactorsSureKept', { name: 'Mona Hassan' })),
      ).toBeVisible();
    },
  },
];
