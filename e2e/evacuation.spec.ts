/** An evacuation: the button must be held; every desk calls the roll, also offline; parents get a calm notice. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { childCard, tick } from './harness/person.ts';

const roll = (page: Page) => page.getByRole('dialog', { name: 'Evacuation: roll call' });
const rowOf = (page: Page, child: string) => roll(page).getByRole('listitem').filter({ hasText: child });

/** Without events the page fetches again after a while. */
const IN_STEP = { timeout: 30_000 };

/** Holds the button until the roll call appears. */
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
  await desk.clock.install();
  await desk.goto('/adminDashboard');
  await phone.goto('/viewEmployees');
  await parent.goto('/profile');
  await expect(childCard(parent, 'Omar Hassan')).toBeVisible();

  await test.step('a short press begins nothing', async () => {
    await desk.getByRole('button', { name: 'Evacuate' }).click();
    await expect(desk.getByText('Hold the button for a second and a half.').first()).toBeVisible();
    // Longer than the button must be held.
    await desk.clock.runFor(2_000);
    await expect(roll(desk)).toHaveCount(0);
  });

  await test.step('held, it turns every screen of staff to the roll call', async () => {
    await holdUntilItBegins(desk);
    await expect(roll(phone)).toBeVisible(IN_STEP);
    for (const page of [desk, phone]) {
      for (const child of ['Omar Hassan', 'Youssef Ahmed']) await expect(rowOf(page, child)).toHaveCount(1);
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
    await tick(rowOf(desk, 'Omar Hassan').getByRole('checkbox'));
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
    await tick(rowOf(phone, 'Layla Hassan').getByRole('checkbox'));
    await expect(roll(phone).getByText('2 marks not sent yet. Keep going.')).toBeVisible();
    await tick(rowOf(desk, 'Youssef Ahmed').getByRole('checkbox'));
    // Newer than the phone's tick.
    await expect(rowOf(desk, 'Youssef Ahmed').getByRole('checkbox')).toBeChecked();
    await phone.context().setOffline(false);
    await expect(roll(phone).getByText(/not sent yet/)).toHaveCount(0, IN_STEP);
    for (const page of [desk, phone]) {
      await expect(rowOf(page, 'Layla Hassan').getByRole('checkbox')).toBeChecked(IN_STEP);
      await expect(rowOf(page, 'Youssef Ahmed').getByRole('checkbox')).toBeChecked(IN_STEP);
    }
  });

  await test.step('the page below is in reach, and the roll call comes back', async () => {
    await roll(desk).getByRole('button', { name: 'Minimise' }).click();
    await expect(desk.getByText('Evacuation in progress.')).toBeVisible();
    await desk.getByRole('button', { name: 'Open roll call' }).click();
  });

  await test.step('it ends after a question, for everybody', async () => {
    await endIt(desk);
    await expect(roll(phone)).toHaveCount(0, IN_STEP);
    await expect(parent.getByText('The building is being evacuated.')).toHaveCount(0, IN_STEP);
  });
});

/** Names of all files that the service worker has stored. */
const storedFiles = `(async () => {
  const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
  const requests = await Promise.all(stores.map((store) => store.keys()));
  return requests.flat().map(({ url }) => url).join(' ');
})()`;

test('a reload without a connection keeps the roll call, until the evacuation ends', async ({
  api,
  visit,
}) => {
  const rania = await api.family('Rania Fathy', { 'Selim Fathy': 4 });
  await api.checkIn(rania.children[0]?._id ?? '');
  const staff = await api.administrator();
  await api.call('/api/evacuations', { method: 'POST', token: staff.token, json: {} });
  const { page, trap } = await visit({ as: staff, size: 'phone', worker: 'allowed' });
  await page.goto('/viewEmployees');
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  // With the worker, which stores the code that this page loads.
  await page.reload();
  await expect(rowOf(page, 'Selim Fathy')).toBeVisible();
  await expect.poll(() => page.evaluate(`localStorage.getItem('haris.evacuation')`)).not.toBeNull();
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('Selim');
  await expect.poll(() => page.evaluate(storedFiles), IN_STEP).toContain('kept-roll-call');

  trap.expectOutage();
  await page.context().setOffline(true);
  await page.reload();
  await expect(roll(page)).toContainText('List as of', IN_STEP);
  await expect(rowOf(page, 'Selim Fathy').getByRole('link')).toHaveAttribute('href', /^tel:010/);
  await tick(rowOf(page, 'Selim Fathy').getByRole('checkbox'));
  await expect(roll(page).getByText('1 mark not sent yet')).toBeVisible();

  await page.context().setOffline(false);
  await expect(roll(page).getByText('List as of')).toHaveCount(0, IN_STEP);
  await expect(roll(page).getByText(/not sent yet/)).toHaveCount(0, IN_STEP);
  await expect(rowOf(page, 'Selim Fathy').getByRole('checkbox')).toBeChecked();
  await endIt(page);
  await expect.poll(() => page.evaluate(`localStorage.getItem('haris.evacuation')`)).toBeNull();
});

test('in a fire, Evacuate is held in the dialog without acknowledging, and the banner stays until the fire is over', async ({
  api,
  server,
  visit,
}) => {
  const huda = await api.family('Huda Amin', { 'Fares Amin': 1 });
  await api.checkIn(huda.children[0]?._id ?? '');
  const staff = await api.administrator();
  const { sensor, deviceKey } = await api.call<{ sensor: { _id: string }; deviceKey: string }>(
    '/api/sensors',
    {
      method: 'POST',
      token: staff.token,
      json: { name: 'Wall', area: 'Playroom', kind: 'haris', period: 600 },
    },
  );
  const { page } = await visit({ as: staff });
  await page.goto('/viewEmployees');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await fetch(`${server.url()}/api/sensors/${sensor._id}/readings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-device-key': deviceKey },
    body: JSON.stringify({ temperature: 46.7, humidity: 30, mq2: 100 }),
  });
  const danger = page.getByRole('alertdialog', { name: 'Temperature alert' });
  await expect(danger).toBeVisible(IN_STEP);
  const dangers = page.getByRole('dialog', { name: 'Dangers' });
  await expect(dangers.getByRole('region', { name: /room unknown/ })).toContainText('Fares Amin', IN_STEP);
  await dangers.getByRole('button', { name: 'Evacuate' }).hover();
  await page.mouse.down();
  await expect(roll(page)).toBeVisible();
  await page.mouse.up();
  await expect(danger).toHaveCount(0);
  await expect(roll(page)).toContainText('Temperature alert: Playroom');
  await tick(rowOf(page, 'Fares Amin').getByRole('checkbox'));
  await endIt(page);
  // Nobody has acknowledged the fire: the dialog is back, and then the banner stays.
  await expect(danger).toBeVisible();
  await danger.getByRole('button', { name: 'Acknowledge' }).click();
  const banner = page.getByRole('region', { name: 'Danger', exact: true });
  await expect(banner).toContainText('Temperature alert: Playroom');
  await api.call(`/api/sensors/${sensor._id}`, { method: 'DELETE', token: staff.token });
  await expect(banner).toHaveCount(0, IN_STEP);
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
  await expect(roll(page).getByRole('button', { name: 'Keep evacuating' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(roll(page)).toHaveCount(0);
});
