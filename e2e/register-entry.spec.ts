/** Register Child Entry on the narrowest phone. Page tests cover the safeguards against checking in the wrong child. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { insideRow, notice } from './harness/person.ts';

async function openEntry(page: Page): Promise<{ dialog: Locator; search: Locator }> {
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('button', { name: 'Check in' }).click();
  const dialog = page.getByRole('dialog', { name: 'Register Child Entry' });
  const search = dialog.getByRole('combobox', { name: 'Parent' });
  await expect(search).toBeFocused();
  return { dialog, search };
}

test('two letters, the children, Enter', async ({ api, visit }) => {
  await api.family('Sara Ibrahim', {
    'Nour Ibrahim': 1,
    'Adam Ibrahim': 2,
    'Laila Ibrahim': 3,
  });
  await api.family('Samir Fouad', { 'Hana Samir': 4 });
  const { page } = await visit({ as: await api.administrator(), size: 'phone' });
  // The narrowest phone.
  await page.setViewportSize({ width: 320, height: 568 });
  await page.goto('/adminDashboard');

  await test.step('of several children none is ticked before somebody ticks it', async () => {
    const { dialog } = await openEntry(page);
    await page.keyboard.type('ra');
    await expect(dialog.getByRole('checkbox')).toHaveCount(3);
    for (const box of await dialog.getByRole('checkbox').all()) await expect(box).not.toBeChecked();
    await expect(dialog.getByRole('radio', { name: '30 minutes' })).toBeChecked();
  });

  await test.step('ticking two of them and Enter checks both in', async () => {
    const { dialog } = { dialog: page.getByRole('dialog', { name: 'Register Child Entry' }) };
    await dialog.getByRole('checkbox', { name: 'Nour Ibrahim' }).check();
    await dialog.getByRole('checkbox', { name: 'Adam Ibrahim' }).check();
    const submit = dialog.getByRole('button', { name: 'Check in 2 children' });
    await expect(submit).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    const success = notice(page, 'Child checked in successfully');
    await expect(success.getByRole('button', { name: 'Print slips' })).toBeVisible();
    // The notice with the button goes away by itself.
    await success.getByRole('button', { name: 'Print slips' }).click();
    await expect(page.getByRole('dialog', { name: 'Print slips' }).getByRole('article')).toHaveCount(2);
    await page.keyboard.press('Escape');
    await expect(insideRow(page, 'Nour Ibrahim').getByRole('timer')).toBeVisible();
    await expect(insideRow(page, 'Adam Ibrahim').getByRole('timer')).toBeVisible();
  });
});
