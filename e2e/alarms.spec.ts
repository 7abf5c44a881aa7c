/** Air alarms: a reading opens a dialog with sound on every desk, and acknowledging closes it. */
import type { Settings } from '@haris/contract/objects';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import type { Api } from './harness/api.ts';

test.use({ hasEngine: false });

interface Made {
  readonly sensor: { readonly _id: string };
  readonly deviceKey: string;
}

/** The page checks the temperature every 8 seconds and the gas every 12. */
const BOTH_CHECKS_MS = 12_000;

/** Advances the page's clock until both of its checks have run; the clock must be installed. */
const runChecks = (page: Page) => page.clock.runFor(BOTH_CHECKS_MS);

/** Resolves once a reading with this temperature has arrived at the page. Call it before opening the page. */
function watchReadings(page: Page): (temperature: number) => Promise<void> {
  let received = '';
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      received += payload;
    });
  });
  return (temperature) =>
    expect.poll(() => received, 'readings of the page').toContain(`"temperature":${temperature}`);
}

async function addSensor(api: Api, area: string): Promise<Made> {
  const { token } = await api.administrator();
  return api.call<Made>('/api/sensors', {
    method: 'POST',
    token,
    json: { name: `Sensor of ${area}`, area, kind: 'haris', period: 600 },
  });
}

/** Sends a reading like a device without MQTT. */
async function send(url: string, { sensor, deviceKey }: Made, reading: object): Promise<void> {
  const answer = await fetch(`${url}/api/sensors/${sensor._id}/readings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-device-key': deviceKey },
    body: JSON.stringify(reading),
  });
  expect(answer.status).toBe(202);
}

const alarm = (page: Page, name: string) => page.getByRole('alertdialog', { name });

test('what a device sends raises one incident, which one desk acknowledges for all', async ({
  api,
  server,
  visit,
}) => {
  const staff = await api.administrator();
  const { settings } = await api.call<{ settings: Settings }>('/api/settings', { token: staff.token });
  const put = (alarms: Settings['alarms']) =>
    api.call('/api/settings', { method: 'PUT', token: staff.token, json: { alarms } });
  // Closes with the first good reading.
  await put({ ...settings.alarms, temperature: { ...settings.alarms.temperature, clearSeconds: 0 } });
  const made = await addSensor(api, 'Playroom');
  const { page: first } = await visit({ as: staff });
  const { page: second } = await visit({ as: await api.signIn('admin', staff), size: 'phone' });
  const desks = [first, second];
  const hasReading = desks.map(watchReadings);
  const sendToBoth = async (temperature: number) => {
    await send(server.url(), made, { temperature });
    for (const arrives of hasReading) await arrives(temperature);
  };
  for (const page of desks) await page.clock.install();
  await first.goto('/adminDashboard');
  await second.goto('/viewEmployees');
  await first.getByRole('heading', { level: 1 }).click();
  await sendToBoth(41.5);
  for (const page of desks)
    await expect(alarm(page, 'Temperature alert')).toContainText('It is 41.5°C in Playroom.');
  await alarm(first, 'Temperature alert').getByRole('button', { name: 'Acknowledge' }).click();
  for (const page of desks) await expect(page.getByRole('alertdialog')).toHaveCount(0);

  await test.step('its timeline says who did what', async () => {
    await first.goto('/incidents');
    const card = first.getByRole('listitem').filter({ hasText: 'Temperature alert' }).first();
    await expect(card.getByText('Acknowledged', { exact: true })).toBeVisible();
    await card.getByRole('button', { name: 'Details: Temperature alert' }).click();
    await expect(card.getByText(/^Acknowledged by /).last()).toBeVisible();
    await sendToBoth(42.5);
    await expect(card.getByText(/^Got worse: It is 42\.5°C/)).toBeVisible();
    await expect(card.getByText(/^Raised: It is 41\.5°C/)).toBeVisible();
    // No second alarm: neither the page's own check nor the server raises it again.
    await runChecks(first);
    await expect(first.getByRole('alertdialog')).toHaveCount(0);
  });

  await test.step('its end opens no dialog: neither where it was acknowledged nor where the page had found it itself', async () => {
    await sendToBoth(20);
    await expect(first.getByRole('listitem').filter({ hasText: 'Temperature alert' })).toHaveCount(0);
    for (const page of desks) {
      await runChecks(page);
      await expect(page.getByRole('alertdialog')).toHaveCount(0);
    }
  });

  await test.step('one that is over before anybody took it on still asks for that, and the record has the name', async () => {
    await sendToBoth(43);
    for (const page of desks) {
      await expect(alarm(page, 'Temperature alert')).toBeVisible();
      // The page's own check finds it too.
      await runChecks(page);
    }
    await sendToBoth(20.5);
    for (const page of desks) {
      await runChecks(page);
      await expect(alarm(page, 'Temperature alert')).toContainText('20.5°C');
    }
    await alarm(first, 'Temperature alert').getByRole('button', { name: 'Acknowledge' }).click();
    for (const page of desks) await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await first.getByRole('radiogroup', { name: 'Which alerts' }).getByText('All').click();
    const card = first.getByRole('listitem').filter({ hasText: 'It is 43°C' });
    await expect(card.getByText(/^Acknowledged by /).first()).toBeVisible();
  });

  await test.step('an incident is acknowledged where the list is open, too', async () => {
    const other = await addSensor(api, 'Nap room');
    await second.goto('/incidents');
    await expect(second.getByRole('heading', { level: 1 })).toBeVisible();
    await send(server.url(), other, { mq2: 1500 });
    await expect(alarm(second, 'Air quality alert')).toBeVisible();
    await alarm(second, 'Air quality alert').getByRole('button', { name: 'Acknowledge' }).click();
    await expect(second.getByRole('alertdialog')).toHaveCount(0);
    await api.call(`/api/sensors/${other.sensor._id}`, { method: 'DELETE', token: staff.token });
  });
  await api.call(`/api/sensors/${made.sensor._id}`, { method: 'DELETE', token: staff.token });
  await put(settings.alarms);
});
