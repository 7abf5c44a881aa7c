/** A child's sheet, from the row at the desk: extended, renamed, checked out; a reload and Back in between. */
import { expect, test } from './fixtures.ts';
import { insideRow, notice } from './harness/person.ts';

test('the desk opens a child, extends the stay, corrects the name and checks out', async ({ api, visit }) => {
  const mona = await api.family('Mona Hassan', { 'Omar Hasan': 1 });
  await api.checkIn(mona.children[0]?._id ?? '', 30);
  const { page } = await visit({ as: await api.administrator() });
  await page.goto('/adminDashboard');
  const name = insideRow(page, 'Omar Hasan').getByRole('link', { name: 'Omar Hasan' }).first();
  await name.click();
  const sheet = page.getByRole('dialog', { name: 'Child' });
  await expect(sheet.getByRole('heading', { name: 'Omar Hasan' })).toBeVisible();

  await test.step('it stands at the side, from the top to the bottom', async () => {
    const { width = 0, height = 0 } = page.viewportSize() ?? {};
    const edges = async () => {
      const box = await sheet.boundingBox();
      return box && [box.x + box.width, box.y, box.height].map(Math.round);
    };
    await expect.poll(edges).toEqual([width, 0, height]);
  });

  await test.step('the address opens it again, and Back closes it', async () => {
    await page.reload();
    await expect(sheet.getByRole('heading', { name: 'Omar Hasan' })).toBeVisible();
    await page.goBack();
    await expect(sheet).toBeHidden();
    await name.click();
    await expect(sheet.getByRole('timer')).toBeVisible();
  });

  await test.step('half an hour more', async () => {
    await sheet.getByRole('button', { name: /^\+30 min/ }).click();
    await expect(notice(page, /^Stays until/)).toBeVisible();
    await expect(sheet.getByText('Booked 30 + 30 min')).toBeVisible();
    await expect(sheet.getByRole('timer')).toHaveText(/^(60:00|5\d:\d\d)$/);
  });

  await test.step('the name as it is written', async () => {
    await sheet.getByRole('button', { name: 'Edit details' }).click();
    await sheet.getByRole('textbox', { name: "Child's name" }).fill('Omar Hassan');
    await sheet.getByRole('button', { name: 'Save' }).click();
    await expect(sheet.getByRole('heading', { name: 'Omar Hassan' })).toBeVisible();
  });

  await test.step('and out', async () => {
    await sheet.getByRole('button', { name: 'Checkout' }).click();
    await expect(sheet.getByRole('button', { name: 'Check in' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
    expect(await api.countAudit('child.stay_extended', mona.children[0]?._id ?? '')).toBe(1);
    expect(await api.countAudit('child.checked_out', mona.children[0]?._id ?? '')).toBe(1);
  });
});
