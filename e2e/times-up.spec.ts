/** The end of a stay: MM:SS with minutes past 59, zero, and what is said then. */

import { expect, test } from './fixtures.ts';
import { moveEntryBack } from './harness/past.ts';
import { childCard, insideRow, secondsLeft } from './harness/person.ts';

const ARABIC = 'انتهى الوقت المحدد. يُرجى إخراج الطفل من المنطقة.';

test('the countdown runs to zero, at the desk and on the phone', async ({ server, api, visit }) => {
  const family = await api.family('Mona Hassan', { 'Omar Hassan': 1 });
  const { page: desk } = await visit({ as: await api.administrator() });
  const { page: phone } = await visit({ size: 'phone', as: family });
  await desk.goto('/adminDashboard');
  const omar = family.children[0]?._id ?? '';
  await api.checkIn(omar, 120);

  await test.step('two hours are 120 minutes: 119:58', async () => {
    await expect(insideRow(desk, 'Omar Hassan').getByRole('timer')).toHaveText('119:58');
  });

  const due = desk.getByText('Due within 10 min').locator('xpath=..');
  const overTime = desk.getByText('Over time').locator('xpath=..');
  await test.step('the last seconds', async () => {
    moveEntryBack(server.dataDir, omar, 119 * 60_000 + 50_000);
    await desk.reload();
    await phone.goto('/profile');
    await phone.getByRole('button', { name: 'View Details of Omar Hassan' }).click();
    expect(await secondsLeft(insideRow(desk, 'Omar Hassan'))).toBeLessThan(10);
    await expect(due).toContainText('1');
    await expect(overTime).toContainText('0');
  });

  await test.step('zero', async () => {
    const card = phone.getByRole('dialog', { name: 'Omar Hassan' });
    await expect(card.getByText("Time's up!")).toBeVisible({ timeout: 15_000 });
    await expect(card.getByText(ARABIC)).toBeVisible();
    await expect(card.getByRole('timer')).toHaveText('00:00');
    const row = insideRow(desk, 'Omar Hassan');
    await expect(row.getByText("Time's up!")).toBeVisible();
    await expect(row.getByRole('timer')).toHaveText('00:00');
    await expect(overTime).toContainText('1');
    await expect(due).toContainText('0');
    await expect(desk.getByRole('status').filter({ hasText: "Time's up: Omar Hassan" })).toBeAttached();
  });

  await test.step('it stays at zero, and the child is still inside until checked out', async () => {
    const shown = await desk.evaluate<number>('performance.now()');
    await expect.poll(() => desk.evaluate<number>('performance.now()')).toBeGreaterThan(shown + 1500);
    await expect(insideRow(desk, 'Omar Hassan').getByRole('timer')).toHaveText('00:00');
    await insideRow(desk, 'Omar Hassan').getByRole('button', { name: 'Checkout' }).click();
    await expect(phone.getByRole('dialog').getByText("Time's up!")).toBeHidden();
    await phone.keyboard.press('Escape');
    await expect(childCard(phone, 'Omar Hassan').getByText('Outside')).toBeVisible();
  });
});
