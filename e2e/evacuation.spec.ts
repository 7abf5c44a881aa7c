/** An evacuation: held, not pressed; every desk calls the roll, also without a connection; parents are told calmly. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

test.slow();

const roll = (page: Page) => page.getByRole('dialog', { name: 'Evacuation: roll call' });
const rowOf = (page: Page, child: string) => roll(page).getByRole('listitem').filter({ hasText: child });

/** The page asks again after a while when it is told of nothing. */
const IN_STEP = { timeout: 30_000 };

/** Holds the button as somebody does who means it, until the roll call is there. */
async function holdUntilItBegins(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Evacuate' }).hover();
  await page.mouse.down();
  await expect(roll(page)).toBeVisible();
  await page.mouse.up();
}

async function endIt(page: Page): Promise<void> {
  await roll(page).getByRole('button', { name: 'End evacuation' }).click();
  await roll(page).getByRole('button', { name: 'Yes, end it' }).click();
  await expect(roll(page)).toHaveCount(0);
}

test('two desks call the roll, one of them without a connection for a while, and their ticks become one', async ({
  api,
  visit,
}) => {
  const mona = await api.family('Mona Hassan', { 'Omar Hassan': 1, 'Layla Hassan': 2 });
  const ahmed = await api.family('Ahmed Ali', { 'Youssef Ahmed': 3 });
  const [omar, layla] = mona.children;
  const [youssef] = ahmed.children;
  for (const child of [omar, youssef]) await api.checkIn(child?._id ?? '');

  const staff = await api.administrator();
  const { page: desk } = await visit({ as: staff });
  const { page: phone, trap: phoneTrap } = await visit({ as: await again(), size: 'phone' });
  const { page: parent } = await visit({ as: mona, size: 'phone' });
  async function again() {
    return { ...(await api.signIn('admin', staff)) };
  }
  await desk.goto('/adminDashboard');
  await phone.goto('/viewEmployees');
  await parent.goto('/profile');
  await expect(parent.getByText('Omar Hassan')).toBeVisible();

  await test.step('a short press begins nothing', async () => {
    await desk.getByRole('button', { name: 'Evacuate' }).click();
    await expect(desk.getByText('Hold the button for a second and a half.').first()).toBeVisible();
    await desk.waitForTimeout(2_000);
    await expect(roll(desk)).toHaveCount(0);
  });

  await test.step('held, it turns every screen of staff to the roll call', async () => {
    await holdUntilItBegins(desk);
    await expect(roll(phone)).toBeVisible(IN_STEP);
    for (const page of [desk, phone]) {
      await expect(roll(page).getByRole('listitem')).toHaveCount(2);
      await expect(rowOf(page, 'Omar Hassan').getByRole('img', { name: 'Omar Hassan' })).toBeVisible();
      await expect(rowOf(page, 'Omar Hassan').getByRole('link')).toHaveAttribute('href', /^tel:010/);
    }
  });

  await test.step('a parent is told calmly, and sees no roll call', async () => {
    await expect(parent.getByText('The building is being evacuated.')).toBeVisible(IN_STEP);
    await expect(roll(parent)).toHaveCount(0);
    await expect(parent.getByText('Youssef Ahmed')).toHaveCount(0);
  });

  await test.step('a tick at one desk is at the other', async () => {
    await rowOf(desk, 'Omar Hassan').getByRole('checkbox').check();
    await expect(rowOf(phone, 'Omar Hassan').getByRole('checkbox')).toBeChecked(IN_STEP);
  });

  await test.step('who comes in later is of the roll, too', async () => {
    await api.checkIn(layla?._id ?? '');
    await expect(rowOf(phone, 'Layla Hassan')).toBeVisible(IN_STEP);
  });

  await test.step('without a connection the phone goes on ticking', async () => {
    phoneTrap.expectOutage();
    await phone.context().setOffline(true);
    await rowOf(phone, 'Youssef Ahmed')
      .getByRole('button', { name: /missing/ })
      .click();
    await rowOf(phone, 'Layla Hassan').getByRole('checkbox').check();
    await expect(roll(phone).getByText('2 ticks wait to be sent. Go on ticking.')).toBeVisible();
    await rowOf(desk, 'Youssef Ahmed').getByRole('checkbox').check();
    // Newer than the phone's.
    await expect(rowOf(desk, 'Youssef Ahmed').getByRole('checkbox')).toBeChecked();
    await phone.context().setOffline(false);
    await expect(roll(phone).getByText(/wait to be sent/)).toHaveCount(0, IN_STEP);
    for (const page of [desk, phone]) {
      await expect(rowOf(page, 'Layla Hassan').getByRole('checkbox')).toBeChecked(IN_STEP);
      await expect(rowOf(page, 'Youssef Ahmed').getByRole('checkbox')).toBeChecked(IN_STEP);
    }
  });

  await test.step('the page below is in reach, and the roll call comes back', async () => {
    await roll(desk).getByRole('button', { name: 'Show the page below' }).click();
    await expect(desk.getByText('An evacuation is going on.')).toBeVisible();
    await desk.getByRole('button', { name: 'Open roll call' }).click();
  });

  await test.step('it ends after a question, for everybody', async () => {
    await endIt(desk);
    await expect(roll(phone)).toHaveCount(0, IN_STEP);
    await expect(parent.getByText('The building is being evacuated.')).toHaveCount(0, IN_STEP);
  });
});

test('the keyboard alone begins and ends an evacuation', async ({ api, visit }) => {
  const { page } = await visit({ as: await api.administrator() });
  await page.goto('/incidents');
  const button = page.getByRole('button', { name: 'Evacuate' });
  await button.focus();
  await page.keyboard.down('Space');
  await expect(roll(page)).toBeVisible();
  await page.keyboard.up('Space');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(roll(page)).toBeVisible();
  await roll(page).getByRole('button', { name: 'End evacuation' }).press('Enter');
  await expect(roll(page).getByRole('button', { name: 'Go on' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(roll(page)).toHaveCount(0);
});
