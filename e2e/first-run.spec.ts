/** The first run: from the printed password over the checklist to a nursery that is set up, with sample data in and out. */
import type { Page } from '@playwright/test';
import { openSmtpPost, type SmtpPost } from '../apps/server/src/testing/smtp-server.ts';
import { test as base, expect } from './fixtures.ts';
import { changePassword, fillLogin, notice } from './harness/person.ts';
import { createServer, type HarisServer } from './harness/server.ts';

/** A server at its first start, with the printed password. */
const test = base.extend<{ server: HarisServer; post: SmtpPost }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
  server: async ({}, use) => {
    const server = await createServer({ isPrinted: true });
    await server.start();
    await use(server);
    await server.remove();
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
  post: async ({}, use) => {
    const post = await openSmtpPost();
    await use(post);
    await post.close();
  },
});

const checklist = (page: Page) => page.getByRole('region', { name: 'Set up Haris' });
const item = (page: Page, title: string) => checklist(page).getByRole('listitem').filter({ hasText: title });

test('the checklist leads from the printed password to a nursery that is set up', async ({
  post,
  server,
  visit,
}) => {
  const { page, trap } = await visit();
  await page.goto('/login?isAdmin=true');
  await fillLogin(page, server.admin);
  await expect(checklist(page)).toContainText('0 of 9 done');

  await test.step('the sample data come and go', async () => {
    await server.engineReady();
    await page.goto('/settings/sample');
    await page.getByRole('button', { name: 'Add sample data' }).click();
    await expect(page.getByText('Sample data is in use.')).toBeVisible({ timeout: 120_000 });
    await page.getByRole('button', { name: 'Remove sample data' }).click();
    await expect(page.getByRole('button', { name: 'Add sample data' })).toBeVisible({ timeout: 60_000 });
  });

  await test.step('name and time zone', async () => {
    await page.goto('/adminDashboard');
    await item(page, 'Name of your facility').getByRole('link', { name: 'Enter' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Sunflower');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(notice(page, 'Saved.')).toBeVisible();
    await page.goto('/settings');
    for (const title of ['Language and time zone', 'Name of your facility'])
      await expect(item(page, title)).toHaveAttribute('data-state', 'done');
  });

  await test.step('the own address, and the own password instead of the printed one', async () => {
    await item(page, 'Your own account').getByRole('link', { name: 'Enter email' }).click();
    await page.getByLabel('Your name').fill('Salma Adel');
    await page.getByLabel('Your email').fill('salma@haris.example');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(item(page, 'Your own account').getByRole('link', { name: 'Change password' })).toBeVisible();
    await page.goto('/password');
    await changePassword(page, server.admin.password, 'our-own-lantern-7');
    await expect(page).toHaveURL('/account');
    await page.goto('/settings');
    await expect(item(page, 'Your own account')).toHaveAttribute('data-state', 'done');
  });

  await test.step('mail: the form refuses this machine; set where Haris is started, mails arrive', async () => {
    await page.goto('/settings/mail');
    await page.getByLabel('Mail server', { exact: true }).fill('127.0.0.1');
    await page.getByLabel('Sender’s email').fill('haris@haris.example');
    trap.expectHttp(400, '/api/mail-server/test');
    await page.getByRole('button', { name: 'Send a test mail' }).click();
    await expect(page.getByLabel('Mail server', { exact: true })).toHaveAttribute('aria-invalid', 'true');
    trap.expectOutage();
    await server.stop();
    await server.start({ SMTP_URL: `smtp://127.0.0.1:${post.port}` });
    await page.goto('/settings');
    await expect(item(page, 'Mail server')).toHaveAttribute('data-state', 'done');
  });

  await test.step('phones and the second factor are skipped', async () => {
    for (const title of ['Reachable from phones', 'Second factor for staff']) {
      await checklist(page)
        .getByRole('button', { name: `Skip: ${title}` })
        .click();
      await expect(item(page, title)).toHaveAttribute('data-state', 'skipped');
    }
  });

  await test.step('the first family: its invitation arrives', async () => {
    await page.goto('/adminDashboard');
    await item(page, 'First family').getByRole('button', { name: 'Add family' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add New Parent' });
    await dialog.getByLabel('Full name').fill('Mona Hassan');
    await dialog.getByLabel('Email').fill('mona@haris.example');
    await dialog.getByRole('button', { name: 'Add Parent' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(item(page, 'First family')).toHaveAttribute('data-state', 'done');
    await expect.poll(() => post.mails.map(({ to }) => to)).toContain('mona@haris.example');
  });

  await test.step('the first camera and the first sensor', async () => {
    await page.goto('/cameras');
    await page.getByRole('button', { name: 'Add Camera' }).click();
    const camera = page.getByRole('dialog', { name: 'Add Camera' });
    await camera.getByLabel('Name').fill('Old tablet');
    await camera.getByLabel('Room').fill('Playroom');
    await camera.getByRole('radio', { name: 'A phone, tablet or laptop' }).check();
    await camera.getByRole('button', { name: 'Add Camera' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Old tablet' })).toBeVisible();
    await page.goto('/sensors');
    await page.getByRole('button', { name: 'Add sensor' }).first().click();
    const sensor = page.getByRole('dialog');
    await sensor.getByLabel('Name').fill('By the window');
    await sensor.getByRole('combobox', { name: 'Room' }).fill('Playroom');
    await sensor.getByRole('button', { name: 'Add sensor' }).click();
    await sensor.getByRole('button', { name: 'I have saved these' }).click();
  });

  await test.step('all is ticked, and the dashboard has no checklist any more', async () => {
    await page.goto('/settings');
    await expect(checklist(page)).toContainText('7 of 9 done');
    await page.goto('/adminDashboard');
    await expect(page.getByRole('button', { name: 'Add New Parent' }).first()).toBeVisible();
    await expect(checklist(page)).toHaveCount(0);
  });
});
