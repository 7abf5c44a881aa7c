/** A check-in or checkout made by mistake is undone at the desk, and everybody sees it. */
import { expect, test } from './fixtures.ts';
import { childCard, familyOf, insideRow, notice, tabTo } from './harness/person.ts';

test('a checkout and a check-in are undone, from the notice, the row and the keyboard', async ({
  api,
  visit,
}) => {
  const family = await api.family('Sara Ibrahim', { 'Nour Ibrahim': 1 });
  const nour = family.children[0]?._id ?? '';
  const staff = await api.administrator();
  const { page: desk } = await visit({ as: staff });
  const { page: other } = await visit({ as: staff });
  const { page: phone } = await visit({ size: 'phone', as: family });
  const { uniqueEntryId } = await api.checkIn(nour, 60);
  await desk.goto('/adminDashboard');
  await other.goto('/adminDashboard');
  await phone.goto('/profile');
  const row = insideRow(desk, 'Nour Ibrahim');
  const card = childCard(phone, 'Nour Ibrahim');
  await expect(card.getByText('Inside')).toBeVisible();

  /** The stay that was begun first goes on, at every screen. */
  async function expectInside(): Promise<void> {
    await expect(row.getByRole('timer')).toBeVisible();
    await expect(insideRow(other, 'Nour Ibrahim').getByRole('timer')).toBeVisible();
    await expect(card.getByText('Inside')).toBeVisible();
    const { children } = await api.call<{ children: { uniqueEntryId: string }[] }>(
      '/api/children/get-all-children?inside=true',
      { token: staff.token },
    );
    expect(children.map((child) => child.uniqueEntryId)).toEqual([uniqueEntryId]);
  }

  await test.step('the checkout, from the notice', async () => {
    await row.getByRole('button', { name: 'Checkout' }).click();
    const success = notice(desk, 'Child checked out successfully');
    await expect(success).toBeVisible();
    await expect(card.getByText('Outside')).toBeVisible();
    await success.getByRole('button', { name: 'Undo' }).click();
    await expect(notice(desk, 'Checkout undone')).toBeVisible();
    await expectInside();
  });

  await test.step('the checkout, from the row that stays in its place, by keyboard', async () => {
    await tabTo(desk, row.getByRole('button', { name: 'Checkout Nour Ibrahim' }));
    await desk.keyboard.press('Enter');
    await expect(row.getByText('Checked out')).toBeVisible();
    await expect(desk.getByText('No children currently detected.')).toBeVisible();
    // At the other desk the row does not stay: what it did not do it cannot undo.
    await expect(insideRow(other, 'Nour Ibrahim')).toBeHidden();
    const undo = row.getByRole('button', { name: 'Undo the checkout of Nour Ibrahim' });
    await expect(undo).toBeVisible();
    await desk.keyboard.press('Tab');
    await expect(undo).toBeFocused();
    await desk.keyboard.press('Enter');
    await expectInside();
  });

  await test.step('the checkout, with Ctrl+Z', async () => {
    await row.getByRole('button', { name: 'Checkout' }).click();
    await expect(row.getByText('Checked out')).toBeVisible();
    await expect(row.getByRole('button', { name: /^Undo/ })).toBeVisible();
    await desk.keyboard.press('Control+z');
    await expectInside();
  });

  await test.step('the check-in: the visit never was', async () => {
    await api.checkOut(nour);
    await familyOf(desk, 'Sara Ibrahim').getByRole('button', { name: 'Check in Nour Ibrahim' }).click();
    await desk
      .getByRole('dialog', { name: 'Register Child Entry' })
      .getByRole('button', { name: 'Check in', exact: true })
      .click();
    const success = notice(desk, 'Child checked in successfully');
    await expect(success.getByRole('button', { name: 'Print slip' })).toBeVisible();
    await expect(card.getByText('Inside')).toBeVisible();
    await success.getByRole('button', { name: 'Undo' }).click();
    await expect(notice(desk, 'Check-in undone')).toBeVisible();
    await expect(card.getByText('Outside')).toBeVisible();
    await expect(insideRow(other, 'Nour Ibrahim')).toBeHidden();
    expect(await api.countAudit('child.check_in_undone', nour)).toBe(1);
    expect(await api.countAudit('child.checkout_undone', nour)).toBe(3);
  });
});

test('what another desk did since is not undone', async ({ api, visit }) => {
  const family = await api.family('Hoda Ali', { 'Huda Ali': 2 });
  const huda = family.children[0]?._id ?? '';
  const { page: desk, trap } = await visit({ as: await api.administrator() });
  await api.checkIn(huda);
  await desk.goto('/adminDashboard');
  await insideRow(desk, 'Huda Ali').getByRole('button', { name: 'Checkout' }).click();
  const success = notice(desk, 'Child checked out successfully');
  await expect(success).toBeVisible();
  await api.checkIn(huda);
  trap.expectHttp(409, /\/undo-checkout-child\//);
  await success.getByRole('button', { name: 'Undo' }).click();
  await expect(notice(desk, 'This child is already inside.')).toBeVisible();
  await expect(insideRow(desk, 'Huda Ali').getByRole('timer')).toBeVisible();
});

test('offline the desk says so, and does nothing', async ({ api, visit }) => {
  const family = await api.family('Mona Adel', { 'Ziad Adel': 3 });
  const ziad = family.children[0]?._id ?? '';
  const { page: desk, trap } = await visit({ as: await api.administrator() });
  await api.checkIn(ziad);
  await desk.goto('/adminDashboard');
  const row = insideRow(desk, 'Ziad Adel');
  await expect(row.getByRole('timer')).toBeVisible();
  trap.expectOutage();
  await desk.context().setOffline(true);
  await expect(
    desk.getByText(/^No connection\. Shown as of .+; check-in and checkout have to wait\.$/),
  ).toBeVisible();
  await row.getByRole('button', { name: 'Checkout' }).click();
  await expect(notice(desk, 'There is no connection. Nothing was done')).toBeVisible();
  await desk.context().setOffline(false);
  await expect(desk.getByText(/^No connection\./)).toBeHidden();
  await expect(row.getByRole('timer')).toBeVisible();
  expect(await api.countAudit('child.checked_out', ziad)).toBe(0);
});
