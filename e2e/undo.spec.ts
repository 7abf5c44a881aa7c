/** A mistaken check-in or checkout is undone at the desk, and all screens show it. */
import { expect, test } from './fixtures.ts';
import { childCard, familyOf, insideRow, notice } from './harness/person.ts';

test('a checkout and a check-in are undone, and everybody sees it', async ({ api, visit }) => {
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

  /** The original stay continues, on every screen. */
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
    expect(await api.countAudit('child.checkout_undone', nour)).toBe(1);
  });
});
