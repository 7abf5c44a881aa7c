/**
 * Keyboard use of dialogs: focus moves in, stays in, and returns to the opener; Escape, the button and the backdrop
 * close.
 */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import type { Api } from './harness/api.ts';
import { tabTo } from './harness/person.ts';

interface Opener {
  dialog: string;
  opener: (page: Page) => Locator;
}

/** Opens the dialog by Enter on the opener, closes it in every way, and checks the focus after each. */
async function tryDialog(page: Page, { dialog: name, opener: find }: Opener): Promise<void> {
  const opener = find(page);
  const dialog = page.getByRole('dialog', { name });
  const ways = {
    Escape: () => page.keyboard.press('Escape'),
    'the backdrop': () => page.mouse.click(4, (page.viewportSize()?.height ?? 100) - 4),
    'the close button': async () => {
      await tabTo(page, dialog.getByRole('button', { name: 'Close' }), 30);
      await page.keyboard.press('Enter');
    },
  };
  for (const [way, close] of Object.entries(ways)) {
    await test.step(`${name}: ${way}`, async () => {
      await opener.focus();
      await page.keyboard.press('Enter');
      await expect(dialog).toBeVisible();
      await expect(dialog.locator(':focus'), 'the focus is in the dialog').toHaveCount(1);
      await close();
      await expect(dialog).toBeHidden();
      await expect(opener, 'the focus is back').toBeFocused();
    });
  }
  await test.step(`${name}: Tab stays inside`, async () => {
    await page.keyboard.press('Enter');
    await expect(dialog).toBeVisible();
    // Neither Shift+Tab from the first element nor Tab from the last one leaves the dialog.
    await dialog.getByRole('button', { name: 'Close' }).focus();
    for (const key of ['Shift+Tab', 'Tab', 'Shift+Tab', 'Shift+Tab']) {
      await page.keyboard.press(key);
      await expect(dialog.locator(':focus'), `the focus is in the dialog after ${key}`).toHaveCount(1);
    }
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });
}

/** Adds an employee with an arbitrary e-mail. */
async function addEmployee(api: Api, name: string, nationalId: string): Promise<void> {
  const { token } = await api.administrator();
  const json = { name, nationalId, email: `${nationalId}@haris.example`, password: 'front-desk-1' };
  await api.call('/api/admin/create-admin', { method: 'POST', token, json });
}

const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first();

test('the dialogs of the dashboard', async ({ api, visit }) => {
  await api.family('Mona Hassan', { 'Omar Hassan': 1 });
  const { page } = await visit({ as: await api.administrator() });
  await page.goto('/adminDashboard');
  await expect(button('Delete Parent Mona Hassan')(page)).toBeVisible();
  await tryDialog(page, { dialog: 'Add New Parent', opener: button('Add New Parent') });
  await tryDialog(page, { dialog: 'Add New Employee', opener: button('Add Employee') });
  await tryDialog(page, { dialog: 'Register Child Entry', opener: button('Register Entry') });
  await tryDialog(page, { dialog: 'Register Child Entry', opener: button('Check in Omar Hassan') });
  await tryDialog(page, { dialog: 'Delete Parent', opener: button('Delete Parent Mona Hassan') });
});

test('for people who ask for no motion the focus comes back too', async ({ api, visit }) => {
  const { page } = await visit({ as: await api.administrator(), reducedMotion: 'reduce' });
  await page.goto('/adminDashboard');
  const opener = button('Register Entry')(page);
  await opener.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Register Child Entry' });
  await expect(dialog.getByRole('combobox').first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
});

test('the dialogs of the roster', async ({ api, visit }) => {
  await addEmployee(api, 'Nadia Farouk', '29503120101234');
  const { page } = await visit({ as: await api.administrator() });
  await page.goto('/viewEmployees');
  const own = (at: Page) => at.getByRole('main').getByRole('button', { name: 'Add Employee', exact: true });
  await tryDialog(page, { dialog: 'Add New Employee', opener: own });
  await tryDialog(page, { dialog: 'Delete Employee', opener: button('Delete Employee Nadia Farouk') });
});

test('the card of a child, on a phone', async ({ api, visit }) => {
  const family = await api.family('Sara Ibrahim', { 'Nour Ibrahim': 2 });
  const { page } = await visit({ size: 'phone', as: family });
  await page.goto('/profile');
  await tryDialog(page, { dialog: 'Nour Ibrahim', opener: button('View Details of Nour Ibrahim') });
});
