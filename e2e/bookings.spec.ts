/** Bookings: staff enter a week, a late child's family is asked and answers, the desk sees who is expected (decision 051). */
import { expect, test } from './fixtures.ts';
import { forgetWhenBooked } from './harness/past.ts';
import { zoneAtNoon } from './harness/zone.ts';

test('a week is entered in the sheet; the late child’s family answers; an absence in two presses', async ({
  api,
  server,
  visit,
}) => {
  const staff = await api.administrator();
  const { token } = staff;
  await api.call('/api/settings', { method: 'PUT', token, json: { timeZone: zoneAtNoon() } });
  const mona = await api.family('Mona Hassan', { 'Omar Hassan': 1 });
  const omar = String(mona.children[0]?._id);
  const { page: desk } = await visit({ as: staff });
  const { page: phone } = await visit({ size: 'phone', as: mona });
  const question = phone.getByRole('region', { name: 'Is Omar Hassan coming?' });

  await test.step('staff enter the week; the family reads it at once', async () => {
    await phone.goto('/profile');
    await expect(phone.getByText('The nursery has entered no booked times.')).toBeVisible();
    await desk.goto(`/adminDashboard?child=${omar}`);
    await desk.getByRole('button', { name: 'Enter booking' }).click();
    const dialog = desk.getByRole('dialog', { name: 'Weekly booking of Omar Hassan' });
    for (const name of ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']) {
      const day = dialog.getByRole('switch', { name });
      if (!(await day.isChecked())) await day.click();
    }
    await dialog.getByRole('button', { name: 'Save booking' }).click();
    await expect(dialog).toBeHidden();
    await expect(phone.getByRole('list', { name: 'The next 7 days' }).getByRole('listitem')).toHaveCount(7);
  });

  await test.step('the family is asked, and says that the child comes later', async () => {
    forgetWhenBooked(server.dataDir);
    await expect(question).toBeVisible({ timeout: 30_000 });
    await question.getByRole('button', { name: 'Coming later' }).click();
    await question.getByRole('button', { name: 'in 60 min' }).click();
    await expect(question).toBeHidden();
    await expect(phone.getByRole('region', { name: 'Booked times' })).toContainText('Comes at');
  });

  await test.step('the desk sees it, and the absence that two presses report', async () => {
    await desk.goto('/adminDashboard');
    await desk.getByRole('button', { name: /Still expected/ }).click();
    const list = desk.getByRole('region', { name: 'Expected today' });
    await expect(list.getByRole('listitem')).toContainText('Comes at');
    await phone.getByRole('button', { name: 'Report absence of Omar Hassan' }).click();
    await phone.getByRole('button', { name: 'Illness' }).click();
    await expect(phone.getByRole('list', { name: 'Absences' })).toContainText('Illness');
    await expect(list.getByRole('region', { name: /^Absent/ })).toContainText('Omar Hassan');
    await phone.getByRole('button', { name: /^Withdraw absence/ }).click();
    await expect(list.getByRole('region', { name: /^Absent/ })).toBeHidden();
  });
});
