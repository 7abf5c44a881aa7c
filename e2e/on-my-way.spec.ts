/** "I'm on my way": a parent announces the pick-up on a phone, and the desk sees it at once (decision 036). */
import { expect, test } from './fixtures.ts';
import { insideRow } from './harness/person.ts';

test('a parent says when they come, changes it, and the desk sees it until the checkout', async ({
  api,
  visit,
}) => {
  const mona = await api.family('Mona Hassan', { 'Omar Hassan': 1, 'Zeina Hassan': 3 });
  for (const { _id } of mona.children) await api.checkIn(_id, 120);
  const { page: desk } = await visit({ as: await api.administrator() });
  await desk.goto('/adminDashboard');
  await expect(insideRow(desk, 'Omar Hassan')).toBeVisible();
  const { page: phone } = await visit({ size: 'phone', as: mona });
  await phone.goto('/profile');
  const strip = desk.getByRole('region', { name: 'On the way' });
  const timer = phone.getByRole('timer', { name: 'Time left Omar Hassan' });

  await test.step('the time left is on the first screen, with no press', async () => {
    await expect(timer).toBeInViewport();
    await expect(timer).toHaveText(/^(2 h 0|1 h \d+) min$/);
  });

  await test.step('two presses announce both children', async () => {
    await phone.getByRole('button', { name: "I'm on my way" }).click();
    await phone.getByRole('button', { name: 'In 10 min' }).click();
    await expect(phone.getByText(/^The nursery expects you at/)).toBeVisible();
    await expect(timer).toBeInViewport();
    await expect(strip.getByRole('listitem')).toHaveCount(1);
    await expect(strip).toContainText('Omar Hassan');
    await expect(strip).toContainText('Zeina Hassan');
    await expect(strip).toContainText(/in (9|10) min/);
    await expect(insideRow(desk, 'Zeina Hassan')).toContainText('On the way');
  });

  await test.step('another time replaces it', async () => {
    await phone.getByRole('button', { name: 'Change' }).click();
    await phone.getByRole('button', { name: 'In 30 min' }).click();
    await expect(strip).toContainText(/in (29|30) min/);
  });

  await test.step('a checked-out child is no longer expected; taking it back empties the strip', async () => {
    await insideRow(desk, 'Zeina Hassan').getByRole('button', { name: 'Checkout' }).click();
    await expect(strip).not.toContainText('Zeina Hassan');
    await expect(strip).toContainText('Omar Hassan');
    await phone.getByRole('button', { name: 'Not coming after all' }).click();
    await expect(strip).toBeHidden();
    await expect(phone.getByRole('button', { name: "I'm on my way" })).toBeVisible();
  });
});
