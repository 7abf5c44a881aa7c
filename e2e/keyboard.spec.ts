/** The desk by keyboard alone: two siblings come in, one is looked up, and screens are reached. */
import { expect, test } from './fixtures.ts';
import { insideRow, notice } from './harness/person.ts';

/** Slower than a scanner, faster than the longest pause inside a shortcut. Milliseconds. */
const BETWEEN_KEYS_MS = 100;

test('two siblings come in with two keys and three letters', async ({ api, visit }) => {
  const family = await api.family('Sara Ibrahim', { 'Nour Ibrahim': 1, 'Adam Ibrahim': 2 });
  await api.family('Samir Fouad', { 'Hana Samir': 4 });
  const ids = family.children.map(({ _id }) => _id);
  for (const id of ids) await api.checkIn(id, 60);
  for (const id of ids) await api.checkOut(id);
  const { page } = await visit({ as: await api.administrator() });
  await page.clock.install();
  await page.goto('/adminDashboard');
  await expect(page.getByText('No children currently detected.')).toBeVisible();
  const dialog = page.getByRole('dialog', { name: 'Register Child Entry' });

  await test.step('n, their names’ first letters, Enter', async () => {
    // The keys work once the page is idle: pressed again until the dialog is there, however long it takes to come.
    await expect(async () => {
      if (await dialog.isHidden()) await page.keyboard.press('n');
      expect(await dialog.isVisible()).toBe(true);
    }).toPass({ intervals: [500] });
    await expect(dialog.getByRole('combobox')).toBeFocused();
    // Without the letter of a second press.
    await dialog.getByRole('combobox').fill('');
    await page.keyboard.type('ada');
    await expect(dialog.getByRole('button', { name: 'Check in 2 children' })).toBeVisible();
    await expect(dialog.getByRole('radio', { name: '1 hour' })).toBeChecked();
    await page.keyboard.press('Enter');
    await expect(notice(page, 'Child checked in successfully')).toBeVisible();
    await expect(insideRow(page, 'Nour Ibrahim').getByRole('timer')).toBeVisible();
    await expect(insideRow(page, 'Adam Ibrahim').getByRole('timer')).toBeVisible();
  });

  const search = page.getByRole('combobox', { name: 'Search' });
  await test.step('the search checks one out, typed in Arabic', async () => {
    await expect(dialog).toBeHidden();
    await page.keyboard.press('/');
    await expect(search).toBeFocused();
    await page.keyboard.type('آدم');
    await expect(page.getByRole('option', { name: /^Adam Ibrahim/, selected: true })).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('option', { name: 'Checkout Adam Ibrahim', selected: true })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(notice(page, 'Child checked out successfully')).toBeVisible();
  });

  await test.step('u takes it back', async () => {
    await expect(search).toBeHidden();
    await page.keyboard.press('u');
    await expect(notice(page, 'Checkout undone')).toBeVisible();
  });

  await test.step('? lists the keys, and g with a letter leads to a screen', async () => {
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(list.getByText('Attendance')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(list).toBeHidden();
    // By the page's own clock: on a busy machine the second key may come too late.
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await page.keyboard.press('g');
    await page.clock.runFor(BETWEEN_KEYS_MS);
    await page.keyboard.press('t');
    await page.clock.runFor(BETWEEN_KEYS_MS);
    await page.clock.resume();
    await expect(page).toHaveURL(/\/reports/);
  });
});
