/** Register Child Entry in three actions, and what keeps a hurried hand from checking in the wrong child. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { insideRow, notice } from './harness/person.ts';

async function openEntry(page: Page): Promise<{ dialog: Locator; search: Locator }> {
  await page.getByRole('button', { name: 'Register Entry' }).filter({ visible: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Register Child Entry' });
  const search = dialog.getByRole('combobox', { name: 'Parent' });
  await expect(search).toBeFocused();
  return { dialog, search };
}

test('two letters, the children, Enter', async ({ api, visit }) => {
  const family = await api.family('Sara Ibrahim', {
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
    await expect(insideRow(page, 'Nour Ibrahim').getByRole('timer')).toBeVisible();
    await expect(insideRow(page, 'Adam Ibrahim').getByRole('timer')).toBeVisible();
    await success.getByRole('button', { name: 'Print slips' }).click();
    await expect(page.getByRole('dialog', { name: 'Print slips' }).getByRole('article')).toHaveCount(2);
    await page.keyboard.press('Escape');
  });

  await test.step('one undo takes both back', async () => {
    await page.keyboard.press('Control+z');
    await expect(page.getByText('No children currently detected.')).toBeVisible();
    for (const { _id } of family.children.slice(0, 2))
      expect(await api.countAudit('child.check_in_undone', _id)).toBe(1);
  });

  await test.step('the last child outside is not ticked by itself: the others may have come in just now', async () => {
    for (const { _id } of family.children.slice(0, 2)) await api.checkIn(_id);
    const { dialog } = await openEntry(page);
    await page.keyboard.type('ra');
    await expect(dialog.getByRole('checkbox', { name: /^Nour Ibrahim/ })).toBeDisabled();
    await expect(dialog.getByRole('checkbox', { name: 'Laila Ibrahim' })).not.toBeChecked();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });
});

test('a hurried hand checks in nobody it has not seen', async ({ api, visit }) => {
  const family = await api.family('Mona Hassan', { 'Omar Hassan': 5 });
  await api.family('Mostafa Aly', { 'Yara Aly': 6 });
  const omar = family.children[0]?._id ?? '';
  const { page } = await visit({ as: await api.administrator() });
  await page.goto('/adminDashboard');
  const { dialog, search } = await openEntry(page);

  await test.step('Enter before the answer chooses the family, and does not check in', async () => {
    const held = Promise.withResolvers<void>();
    await page.route('**/get-all-parents?*search=mona*', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.keyboard.type('mona');
    await page.keyboard.press('Enter');
    held.resolve();
    await expect(dialog.getByRole('checkbox', { name: 'Omar Hassan' })).toBeFocused();
    await expect(dialog.getByRole('button', { name: 'Change parent' })).toBeVisible();
    expect(await api.countAudit('child.checked_in', omar)).toBe(0);
    await page.unroute('**/get-all-parents?*search=mona*');
    await dialog.getByRole('button', { name: 'Change parent' }).click();
  });

  await test.step('while further letters are looked up, what stands there cannot be checked in', async () => {
    await search.pressSequentially('mo');
    await expect(dialog.getByRole('checkbox', { name: 'Omar Hassan' })).toBeChecked();
    const held = Promise.withResolvers<void>();
    await page.route('**/get-all-parents?*search=mos*', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.keyboard.press('s');
    await expect(dialog.getByRole('checkbox', { name: 'Omar Hassan' })).toBeDisabled();
    await dialog.getByRole('button', { name: 'Check in', exact: true }).click();
    held.resolve();
    await expect(dialog.getByRole('checkbox', { name: 'Yara Aly' })).toBeChecked();
    expect(await api.countAudit('child.checked_in', omar)).toBe(0);
  });

  await test.step('a double press makes one stay and one notice', async () => {
    const [yara] = (
      await api.call<{ children: { _id: string }[] }>('/api/children/get-all-children?search=Yara', {
        token: (await api.administrator()).token,
      })
    ).children;
    await dialog.getByRole('button', { name: 'Check in', exact: true }).dblclick();
    await expect(insideRow(page, 'Yara Aly').getByRole('timer')).toBeVisible();
    await expect(notice(page, 'Child checked in successfully')).toHaveCount(1);
    expect(await api.countAudit('child.checked_in', yara?._id ?? '')).toBe(1);
  });
});
