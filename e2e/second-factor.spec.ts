/** A second factor in the browser: a passkey of Chromium's virtual authenticator, an app's code, and the rule for staff. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { generate } from 'otplib';
import { expect, test } from './fixtures.ts';
import { fillLogin } from './harness/person.ts';

test.use({ hasEngine: false });

/** An authenticator of this page, which confirms every question by itself. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Signs out on the account page, and waits for the page that loads afterwards. */
async function logOut(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Log out' }).click();
  // A family's page loads anew after its address has changed; the notice is on the new page.
  await expect(page.getByText('Logged out successfully')).toBeVisible();
  await expect(page).toHaveURL('/');
}

/** The six digits of the newest mail to an address. */
async function mailedCode(dataDir: string, email: string): Promise<string> {
  const folder = join(dataDir, 'outbox');
  let code: string | undefined;
  await expect(async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith(`-${email}.eml`)).sort();
    const mail = await readFile(join(folder, names.at(-1) ?? ''), 'utf8');
    code = /Your code is \D*(\d{6})/.exec(mail.replace(/=[0-9A-F]{2}|=\r?\n/g, ''))?.[1];
    expect(code).toBeDefined();
  }).toPass();
  return code ?? '';
}

test('a parent adds a passkey; from then on the password alone does not sign in, and the passkey alone does', async ({
  api,
  visit,
}) => {
  const family = await api.family('Salma Nabil');
  const { page } = await visit({ size: 'phone' });
  await addAuthenticator(page);
  await page.goto('/login');
  await fillLogin(page, family);
  await expect(page).toHaveURL('/profile');
  await page.goto('/account');
  const card = page.getByRole('region', { name: 'Second factor' });
  await card.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByRole('button', { name: 'Create passkey' }).click();
  await expect(dialog.getByText(/^[a-z2-9]{5}-[a-z2-9]{5}$/)).toHaveCount(10);
  await dialog.getByRole('button', { name: 'I have saved these' }).click();
  await expect(card.getByText('On', { exact: true })).toBeVisible();
  await expect(
    page.getByRole('region', { name: 'Where you are signed in' }).getByText('This device'),
  ).toBeVisible();

  await logOut(page);
  await page.goto('/login');
  await fillLogin(page, family);
  await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible();
  await page.getByRole('button', { name: 'Use passkey' }).click();
  await expect(page).toHaveURL('/profile');

  // The passkey is enough by itself, also from the page for staff.
  for (const login of ['/login', '/login?isAdmin=true']) {
    await page.goto('/account');
    await logOut(page);
    await page.goto(login);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await expect(page).toHaveURL('/profile');
  }
});

test('an administrator requires it of all staff; an employee sets up an app, and is in', async ({
  api,
  mailTo,
  server,
  visit,
}) => {
  const owner = await api.administrator();

  const { page, trap } = await visit({});
  trap.expectHttp(409, '/api/settings');
  await addAuthenticator(page);
  await page.goto('/login?isAdmin=true');
  await fillLogin(page, owner);
  await expect(page).toHaveURL('/adminDashboard');
  await page.goto('/settings/sign-in');
  const rule = page.getByRole('switch', { name: 'Everybody on the staff needs a second factor' });
  await rule.press('Space');
  await page.getByRole('dialog').getByRole('button', { name: 'Require it' }).click();
  await page.getByRole('link', { name: 'Go to my account' }).click();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByRole('button', { name: 'Create passkey' }).click();
  await dialog.getByRole('button', { name: 'I have saved these' }).click();
  await page.goto('/settings/sign-in');
  await rule.press('Space');
  await page.getByRole('dialog').getByRole('button', { name: 'Require it' }).click();
  await expect(rule).toBeChecked();

  // Without a mail server the rule would have been refused, if there had been an employee without a second factor.
  const employee = { email: 'hana@haris.example', password: 'set-by-the-boss' };
  const json = { ...employee, name: 'Hana Adel', nationalId: '29901010000035' };
  const token = (await page.evaluate(() => localStorage.getItem('token'))) ?? '';
  await api.call('/api/admin/create-admin', { method: 'POST', token, json });
  const link = /\/verify\/([\w-]+)/.exec((await mailTo(employee.email)).text)?.[1] ?? '';
  await api.call(`/api/admin/verify/email/${link}`);

  const { page: other } = await visit({ size: 'phone' });
  await other.goto('/login?isAdmin=true');
  await fillLogin(other, employee);
  await expect(other.getByRole('heading', { name: 'Second step' })).toBeVisible();
  const code = await mailedCode(server.dataDir, employee.email);
  await other.getByLabel('Code for your email').fill(code);
  await other.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(other.getByRole('heading', { level: 1, name: 'Set up your second factor' })).toBeVisible();
  await other.getByRole('button', { name: 'Add an authenticator app' }).click();
  const secret = (await other.locator('code').first().innerText()).replace(/\s/g, '');
  await other.getByLabel('Code from the app').fill(await generate({ secret }));
  await other.getByRole('button', { name: 'Confirm', exact: true }).click();
  await other.getByRole('button', { name: 'I have saved these' }).click();
  // The person who added her knows her password: that is the next step.
  await expect(other.getByRole('heading', { level: 1, name: 'Choose your own password' })).toBeVisible();
});
