/** Alarms of the air: what a device sends opens a dialog on every desk, sounds, and is closed by acknowledging it. */
import type { Settings } from '@haris/contract/objects';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import type { Api } from './harness/api.ts';

interface Made {
  readonly sensor: { readonly _id: string };
  readonly deviceKey: string;
}

test.slow();

/** The page looks every 8 and every 12 seconds. */
const WITHIN_A_CHECK = { timeout: 30_000 };

async function addSensor(api: Api, area: string): Promise<Made> {
  const { token } = await api.administrator();
  return api.call<Made>('/api/sensors', {
    method: 'POST',
    token,
    json: { name: `Sensor of ${area}`, area, kind: 'haris', period: 600 },
  });
}

/** Sends as a device without MQTT does. */
async function send(url: string, { sensor, deviceKey }: Made, reading: object): Promise<void> {
  const answer = await fetch(`${url}/api/sensors/${sensor._id}/readings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-device-key': deviceKey },
    body: JSON.stringify(reading),
  });
  expect(answer.status).toBe(202);
}

const alarm = (page: Page, name: string) => page.getByRole('alertdialog', { name });

/** Counts the tones that the page plays. */
async function listen(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(`
    window.tones = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...given) { window.tones++; return start.apply(this, given); };
  `);
  return () => page.evaluate<number>('window.tones');
}

test('with nothing but readings from the server the page finds both alarms itself; each is closed by its own Acknowledge', async ({
  api,
  server,
  visit,
}) => {
  const staff = await api.administrator();
  const made = await addSensor(api, 'Playroom');
  const { page, trap } = await visit({ as: staff });
  trap.expectBlocked(/\/api\/(events|incidents|evacuations)\b/);
  await page.route(/\/api\/(events|incidents|evacuations)\b/, (route) => route.abort());
  const tones = await listen(page);
  await page.goto('/viewEmployees');
  await page.getByRole('heading', { level: 1 }).click();
  await send(server.url(), made, { temperature: 39.9, mq2: 999 });
  await send(server.url(), made, { temperature: 40, mq2: 1000 });

  await expect(alarm(page, 'Temperature alert')).toBeVisible(WITHIN_A_CHECK);
  await expect(alarm(page, 'Air quality alert')).toBeVisible(WITHIN_A_CHECK);
  await expect(alarm(page, 'Temperature alert')).toContainText('It is 40°C in Playroom.');
  await expect(alarm(page, 'Air quality alert')).toContainText('The gas sensor in Playroom shows 1,000.');
  await expect(page).toHaveTitle(/^\(2\) /);
  await expect.poll(tones).toBeGreaterThan(0);

  await test.step('Escape and Enter close nothing', async () => {
    for (const key of ['Enter', 'Escape', 'Escape', 'Escape']) await page.keyboard.press(key);
    await expect(page.getByRole('alertdialog')).toHaveCount(2);
    await expect(alarm(page, 'Temperature alert')).toBeVisible();
  });

  await test.step('acknowledging the air leaves the temperature', async () => {
    await alarm(page, 'Air quality alert').getByRole('button', { name: 'Acknowledge' }).click();
    await expect(alarm(page, 'Air quality alert')).toHaveCount(0);
    await expect(alarm(page, 'Temperature alert')).toBeVisible();
    await expect(page).toHaveTitle(/^\(1\) /);
  });

  await test.step('with the keyboard alone', async () => {
    await page.keyboard.press('Tab');
    await expect(alarm(page, 'Temperature alert').getByRole('button')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await expect(page).toHaveTitle(/^[^(]/);
    const before = await tones();
    await page.waitForTimeout(3_000);
    expect(await tones()).toBe(before);
  });

  await api.call(`/api/sensors/${made.sensor._id}`, { method: 'DELETE', token: staff.token });
});

test('a parent hears of the air while the own child is in it, and not before', async ({
  api,
  server,
  visit,
}) => {
  const family = await api.family('Mona Hassan', { 'Omar Hassan': 1 });
  const made = await addSensor(api, 'Nap room');
  await send(server.url(), made, { temperature: 41.5 });
  const { page } = await visit({ as: family, size: 'phone' });
  await page.goto('/profile');
  await expect(page.getByText('Omar Hassan')).toBeVisible();
  // Longer than a check takes.
  await page.waitForTimeout(10_000);
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await api.checkIn(family.children[0]?._id ?? '');
  // In the server's words or the page's own, whichever comes first.
  await expect(alarm(page, 'Temperature alert')).toContainText(/41\.5°C .*in Nap room\./, WITHIN_A_CHECK);
  await alarm(page, 'Temperature alert').getByRole('button', { name: 'Acknowledge' }).click();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  const { token } = await api.administrator();
  await api.call(`/api/sensors/${made.sensor._id}`, { method: 'DELETE', token });
});

test('what a device sends raises one incident, which one desk acknowledges for all', async ({
  api,
  server,
  visit,
}) => {
  const staff = await api.administrator();
  const { settings } = await api.call<{ settings: Settings }>('/api/settings', { token: staff.token });
  const put = (alarms: Settings['alarms']) =>
    api.call('/api/settings', { method: 'PUT', token: staff.token, json: { alarms } });
  // Over with the first good reading.
  await put({ ...settings.alarms, temperature: { ...settings.alarms.temperature, clearSeconds: 0 } });
  const made = await addSensor(api, 'Playroom');
  const { page: first } = await visit({ as: staff });
  const { page: second } = await visit({ as: await api.signIn('admin', staff), size: 'phone' });
  await first.goto('/adminDashboard');
  await second.goto('/viewEmployees');
  await first.getByRole('heading', { level: 1 }).click();
  await send(server.url(), made, { temperature: 41.5 });
  for (const page of [first, second])
    await expect(alarm(page, 'Temperature alert')).toContainText(
      '41.5°C was measured in Playroom.',
      WITHIN_A_CHECK,
    );
  await alarm(first, 'Temperature alert').getByRole('button', { name: 'Acknowledge' }).click();
  for (const page of [first, second])
    await expect(page.getByRole('alertdialog')).toHaveCount(0, WITHIN_A_CHECK);

  await test.step('its timeline says who did what', async () => {
    await first.goto('/incidents');
    const card = first.getByRole('listitem').filter({ hasText: 'Temperature alert' }).first();
    await expect(card.getByText('Acknowledged', { exact: true })).toBeVisible();
    await card.getByText('What happened').click();
    await expect(card.getByText(/^Acknowledged by /).last()).toBeVisible();
    await send(server.url(), made, { temperature: 42.5 });
    await expect(card.getByText(/^Got worse: 42\.5°C/)).toBeVisible();
    await expect(card.getByText(/^Raised: 41\.5°C/)).toBeVisible();
    // It is no second alarm: neither the page's own check nor the server raises it again.
    await first.waitForTimeout(10_000);
    await expect(first.getByRole('alertdialog')).toHaveCount(0);
  });

  await test.step('its end opens no dialog: neither where it was acknowledged nor where the page had found it itself', async () => {
    await send(server.url(), made, { temperature: 20 });
    await expect(first.getByRole('listitem').filter({ hasText: 'Temperature alert' })).toHaveCount(
      0,
      WITHIN_A_CHECK,
    );
    // Longer than a check takes.
    await first.waitForTimeout(9_000);
    for (const page of [first, second]) await expect(page.getByRole('alertdialog')).toHaveCount(0);
  });

  await test.step('one that is over before anybody took it on still asks for that, and the record has the name', async () => {
    await send(server.url(), made, { temperature: 43 });
    for (const page of [first, second])
      await expect(alarm(page, 'Temperature alert')).toBeVisible(WITHIN_A_CHECK);
    // Until the pages have found it themselves, too.
    await first.waitForTimeout(9_000);
    await send(server.url(), made, { temperature: 20 });
    for (const page of [first, second])
      await expect(alarm(page, 'Temperature alert')).toContainText('20°C', WITHIN_A_CHECK);
    await alarm(first, 'Temperature alert').getByRole('button', { name: 'Acknowledge' }).click();
    for (const page of [first, second]) await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await first.getByText('All', { exact: true }).click();
    const card = first.getByRole('listitem').filter({ hasText: '43°C was measured' });
    await expect(card.getByText(/Acknowledged by /).first()).toBeVisible();
  });

  await test.step('an incident is acknowledged from the list with a note', async () => {
    const other = await addSensor(api, 'Nap room');
    await second.goto('/incidents');
    await send(server.url(), other, { mq2: 1500 });
    await expect(alarm(second, 'Air quality alert')).toBeVisible(WITHIN_A_CHECK);
    await api.call(`/api/sensors/${other.sensor._id}`, { method: 'DELETE', token: staff.token });
    await alarm(second, 'Air quality alert').getByRole('button', { name: 'Acknowledge' }).click();
    await expect(second.getByRole('alertdialog')).toHaveCount(0);
  });
  await api.call(`/api/sensors/${made.sensor._id}`, { method: 'DELETE', token: staff.token });
  await put(settings.alarms);
});
