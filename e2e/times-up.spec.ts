/** The end of a stay: the countdown, zero, and the message that follows. */

import { expect, test } from './fixtures.ts';
import { moveEntryBack } from './harness/past.ts';
import { childCard, insideRow, secondsLeft } from './harness/person.ts';

/** What is left of the stay while the desk reads it as "due": enough for the slowest machine. */
const DUE_MS = 8 * 60_000;
/** What is left when the pages are opened for the end. Where loading takes longer, they open at zero. */
const LAST_MS = 40_000;

const ARABIC = 'انتهى الوقت المحدد. يُرجى إخراج الطفل من المنطقة.';

test('the countdown runs to zero, at the desk and on the phone', async ({ server, api, visit }) => {
  const family = await api.family('Mona Hassan', { 'Omar Hassan': 1 });
  const { page: desk } = await visit({ as: await api.administrator() });
  const { page: phone } = await visit({ size: 'phone', as: family });
  await desk.clock.install();
  await desk.goto('/adminDashboard');
  const omar = family.children[0]?._id ?? '';
  const { entryTime } = await api.checkIn(omar, 120);

  await test.step('two hours are 1 h 59 min at the desk and 119:58 on the card', async () => {
    await expect(insideRow(desk, 'Omar Hassan').getByRole('timer')).toHaveText('1 h 59 min');
    await phone.goto('/profile');
    await phone.getByRole('button', { name: 'View Details of Omar Hassan' }).click();
    const card = phone.getByRole('dialog', { name: 'Omar Hassan' });
    await expect(card.getByRole('timer')).toHaveText(/^1(20:00|19:\d\d)$/);
  });

  const due = desk.getByRole('button', { name: /Due within 10 min/ });
  const overTime = desk.getByRole('button', { name: /Over time/ });
  const leave = async (ms: number) => {
    const left = 120 * 60_000 - (Date.now() - Date.parse(entryTime ?? '')) - moved;
    moveEntryBack(server.dataDir, omar, left - ms);
    moved += left - ms;
    await desk.reload();
  };
  let moved = 0;
  await test.step('the last minutes', async () => {
    await leave(DUE_MS);
    await expect(due).toContainText('1');
    await expect(overTime).toContainText('0');
    expect(await secondsLeft(insideRow(desk, 'Omar Hassan'))).toBeLessThanOrEqual(DUE_MS / 1000);
    await leave(LAST_MS);
    await phone.goto('/profile');
    await phone.getByRole('button', { name: 'View Details of Omar Hassan' }).click();
  });

  await test.step('zero', async () => {
    const card = phone.getByRole('dialog', { name: 'Omar Hassan' });
    await expect(card.getByText("Time's up!")).toBeVisible({ timeout: 2 * LAST_MS });
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
    await desk.clock.runFor(1_500);
    await expect(insideRow(desk, 'Omar Hassan').getByRole('timer')).toHaveText('00:00');
    await insideRow(desk, 'Omar Hassan').getByRole('button', { name: 'Checkout' }).click();
    await expect(phone.getByRole('dialog').getByText("Time's up!")).toBeHidden();
    await phone.keyboard.press('Escape');
    await expect(childCard(phone, 'Omar Hassan').getByText('Outside')).toBeVisible();
  });
});
