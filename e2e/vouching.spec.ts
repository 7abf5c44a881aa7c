/** Self-registered accounts: the page of the mailed link, the code at the desk, and the link instead of it. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { fillLogin } from './harness/person.ts';

let made = 0;

async function register(api: { call: <T>(path: string, call: object) => Promise<T> }) {
  const huda = { name: `Huda Samir ${++made}`, email: `huda-${made}@haris.example`, password: 'secret-6' };
  const json = { ...huda, phone: '01012345678' };
  const { parent } = await api.call<{ parent: { _id: string } }>('/api/parent/add', { method: 'POST', json });
  return { ...huda, id: parent._id };
}

const pathOf = (link: string) => new URL(link).pathname;

test('the page of the mailed link says what was confirmed, and whoever signs in there keeps the password', async ({
  api,
  mailTo,
  visit,
}) => {
  const huda = await register(api);
  const { page } = await visit({ size: 'phone' });
  await page.goto(pathOf((await mailTo(huda.email)).link));
  await expect(page.getByText('You confirmed the email of')).toContainText(huda.name);
  await page.getByRole('link', { name: 'Go to login' }).click();
  await fillLogin(page, huda);
  await expect(page.getByRole('heading', { name: 'My Profile' })).toBeVisible();
  const { token } = await api.administrator();
  const { registration } = await api.call<{ registration: { hasProvenPassword: boolean } }>(
    `/api/parent/${huda.id}/registration`,
    { token },
  );
  expect(registration.hasProvenPassword).toBe(true);
});

test('the mailed link signs in the browser that registered, and no other', async ({ api, mailTo, visit }) => {
  const email = `huda-${++made}@haris.example`;
  const { page } = await visit({ size: 'phone' });
  await page.goto('/register');
  await page.getByLabel('Full name').fill('Huda Samir');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Phone number').fill('01012345678');
  await page.getByLabel(/^Password/).fill('secret-6');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('heading', { name: 'Confirm your account at the desk' })).toBeVisible();
  const link = pathOf((await mailTo(email)).link);
  // A mail scanner, or another device.
  const { page: elsewhere } = await visit({ size: 'desk' });
  await elsewhere.goto(link);
  await expect(elsewhere.getByText('Your email is verified. You can sign in now.')).toBeVisible();
  await expect(elsewhere.getByRole('link', { name: 'Go to login' })).toBeVisible();
  // The tab of the form shows that somebody is signed in, too.
  const tab = await page.context().newPage();
  await tab.goto(link);
  await expect(tab.getByText('Your email is already verified.')).toBeVisible();
  await tab.getByRole('button', { name: /^Continue as/ }).click();
  await expect(tab.getByRole('heading', { name: 'My Profile' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Confirm your account at the desk' })).toBeHidden();
  const { token } = await api.administrator();
  const { parents } = await api.call<{ parents: { _id: string }[] }>(
    `/api/parent/get-all-parents?search=${email}`,
    { token },
  );
  const { registration } = await api.call<{ registration: { hasProvenPassword: boolean } }>(
    `/api/parent/${parents[0]?._id}/registration`,
    { token },
  );
  expect(registration.hasProvenPassword).toBe(true);
});

test('who did not register says so on that page, and the account is gone', async ({ api, mailTo, visit }) => {
  const huda = await register(api);
  const { page, trap } = await visit({ size: 'phone' });
  await page.goto(pathOf((await mailTo(huda.email)).link));
  await page.getByRole('button', { name: 'I did not register this' }).click();
  await page.getByRole('button', { name: 'Delete the account' }).click();
  await expect(page.getByText('The account was deleted. There is nothing more to do.')).toBeVisible();
  trap.expectHttp(401, '/api/parent/get-parent-by-email-and-password');
  await page.getByRole('link', { name: 'Go to login' }).click();
  await fillLogin(page, huda);
  await expect(page.getByRole('status').filter({ hasText: 'Invalid email or password' })).toBeVisible();
});

/** The family's card on the dashboard. */
async function findFamily(page: Page, name: string) {
  await page.goto('/adminDashboard');
  await page.getByRole('searchbox', { name: 'Search parents and children' }).fill(name);
  return page.getByRole('listitem').filter({ hasText: name }).first();
}

test('the code on the phone keeps the password when the desk vouches', async ({ api, visit }) => {
  const huda = await register(api);
  const phone = await visit({ size: 'phone' });
  phone.trap.expectHttp(403, '/api/parent/get-parent-by-email-and-password');
  await phone.page.goto('/login');
  await fillLogin(phone.page, huda);
  await phone.page.getByRole('button', { name: 'Show a code for the desk' }).click();
  const code = phone.page.getByText(/^\d{6}$/);
  await expect(code).toBeVisible();

  const desk = await visit({ as: await api.administrator() });
  const family = await findFamily(desk.page, huda.name);
  await family.getByRole('button', { name: 'Mark as verified' }).click();
  const dialog = desk.page.getByRole('dialog');
  await expect(dialog).toContainText('staff did not create this account');
  desk.trap.expectHttp(400, /mark-verified/);
  const wrong = (await code.textContent()) === '000000' ? '000001' : '000000';
  await dialog.getByLabel('Code on the phone').fill(wrong);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog.getByText('This code is wrong or has expired.')).toBeVisible();
  await dialog.getByLabel('Code on the phone').fill((await code.textContent()) ?? '');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog).toBeHidden();
  await expect(family.getByText('Email not verified')).toBeHidden();

  await fillLogin(phone.page, huda);
  await expect(phone.page.getByRole('heading', { name: 'My Profile' })).toBeVisible();
});

test('without a phone at hand the link replaces the password, before the first child', async ({
  api,
  mailTo,
  visit,
}) => {
  const huda = await register(api);
  const desk = await visit({ as: await api.administrator(), camera: 'allowed' });
  await desk.page.goto(`/addChild?parentId=${huda.id}`);
  const notice = desk.page.getByRole('region', { name: 'Before the first child' });
  await expect(notice).toContainText('staff did not create this account');
  await notice.getByRole('button', { name: 'Make the link instead' }).click();
  await expect(notice).toBeHidden();
  const mail = await mailTo(huda.email, 2);
  expect(mail.subject).toBe('Choose a new password for Haris');

  const { page, trap } = await visit({ size: 'phone' });
  trap.expectHttp(401, '/api/parent/get-parent-by-email-and-password');
  await page.goto('/login');
  await fillLogin(page, huda);
  await expect(page.getByRole('status').filter({ hasText: 'Invalid email or password' })).toBeVisible();
  await page.goto(pathOf(mail.link));
  await page.getByLabel('New password', { exact: true }).fill('set-by-huda');
  await page.getByLabel('Repeat the new password', { exact: true }).fill('set-by-huda');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('link', { name: 'Login', exact: true }).first().click();
  await fillLogin(page, { ...huda, password: 'set-by-huda' });
  await expect(page.getByRole('heading', { name: 'My Profile' })).toBeVisible();
});
