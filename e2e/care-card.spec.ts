/** A care card: a parent fills it in at home, the desk sees the sign at once, and a roll call has it without a connection. */
import { expect, test } from './fixtures.ts';
import { insideRow, notice } from './harness/person.ts';

test('from the parent’s phone to the desk’s row, and to a roll call without a connection', async ({
  api,
  visit,
}) => {
  const mona = await api.family('Mona Hassan', { 'Omar Hassan': 1 });
  const omar = mona.children[0]?._id ?? '';
  await api.checkIn(omar);
  const { page: desk, trap } = await visit({ as: await api.administrator() });
  const { page: parent } = await visit({ as: mona, size: 'phone' });
  await desk.goto('/adminDashboard');
  await expect(insideRow(desk, 'Omar Hassan')).toBeVisible();
  await parent.goto('/profile');

  await test.step('the parent says what Omar must not eat, and whom to call', async () => {
    await parent.getByRole('button', { name: 'Open the care card of Omar Hassan' }).click();
    const card = parent.getByRole('dialog', { name: 'Care card: Omar Hassan' });
    await card.getByRole('button', { name: 'Fill in' }).click();
    await card.getByRole('button', { name: 'Add an allergy' }).click();
    await card.getByRole('combobox', { name: 'Allergic to' }).selectOption('Peanuts');
    await card.getByRole('combobox', { name: 'Severity' }).selectOption('Severe: danger to life');
    await card.getByRole('textbox', { name: 'What to do' }).fill('Use the EpiPen in the red bag');
    await card.getByRole('button', { name: 'Add a contact' }).click();
    const contact = card.getByRole('group', { name: 'Emergency contacts 1' });
    await contact.getByRole('textbox', { name: 'Name', exact: true }).fill('Nadia Hassan');
    await contact.getByRole('textbox', { name: 'Phone' }).fill('01001234567');
    await card.getByRole('button', { name: 'Save' }).click();
    await expect(notice(parent, 'Care card saved')).toBeVisible();
    await expect(card.getByText('Use the EpiPen in the red bag')).toBeVisible();
  });

  const sign = insideRow(desk, 'Omar Hassan').getByRole('button', {
    name: /Peanuts \(Severe: danger to life\)/,
  });

  await test.step('the desk sees the sign without a reload, and the card with one press', async () => {
    await expect(sign).toHaveAccessibleName(/The family has changed the care card/);
    await sign.click();
    const card = desk.getByRole('dialog', { name: 'Care card: Omar Hassan' });
    await expect(card.getByText('Use the EpiPen in the red bag')).toBeVisible();
    await desk.keyboard.press('Escape');
    await expect(card).toBeHidden();
    await expect(sign).not.toHaveAccessibleName(/The family has changed/);
    expect(await api.countAudit('care_card.read', omar)).toBe(1);
  });

  await test.step('in an evacuation the card opens without a connection', async () => {
    await desk.getByRole('button', { name: 'Evacuate' }).hover();
    await desk.mouse.down();
    const roll = desk.getByRole('dialog', { name: 'Evacuation: roll call' });
    await expect(roll).toBeVisible();
    await desk.mouse.up();
    const kept = roll.getByRole('button', { name: /Peanuts/ });
    await expect(kept).toBeVisible();
    trap.expectOutage();
    await desk.context().setOffline(true);
    await kept.click();
    const card = desk.getByRole('dialog', { name: 'Care card: Omar Hassan' });
    await expect(card.getByRole('link', { name: 'Call Nadia Hassan' })).toBeVisible();
    await expect(card.getByText('As stored on this device.')).toBeVisible();
    await card.getByRole('button', { name: 'Close' }).click();
    await expect(roll).toBeVisible();
    await desk.context().setOffline(false);
  });
});
