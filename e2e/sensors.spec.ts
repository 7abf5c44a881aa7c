/**
 * Sensors: staff add one, its device sends, desk and parents see the reading at once, and old values never look new.
 */
import type { Page } from '@playwright/test';
import { expect, sizes, test } from './fixtures.ts';
import { wordsOf } from './harness/words.ts';

interface Made {
  readonly sensor: { readonly _id: string };
  readonly deviceKey: string;
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

/** A quantity with its value in a group of indicators. */
function indicatorOf(page: Page, group: string, quantity: string) {
  return page.locator(`dl[aria-label="${group}"] > div`).filter({ hasText: quantity });
}

test('staff add a sensor, see its secrets once, and what it sends appears by itself', async ({
  api,
  server,
  visit,
}) => {
  const staff = await api.administrator();
  const { page } = await visit({ as: staff });
  await page.goto('/adminDashboard');
  await page.getByRole('link', { name: 'Sensors' }).click();
  await expect(page.getByText('No sensors yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Add sensor' }).first().click();
  const dialog = page.getByRole('dialog');

  await dialog.getByRole('button', { name: 'Add sensor' }).click();
  await expect(dialog.getByText('Name is required')).toBeVisible();
  await expect(dialog.getByText('Room is required')).toBeVisible();

  await dialog.getByLabel('Name').fill('By the window');
  await dialog.getByRole('combobox', { name: 'Room' }).fill('Playroom');
  const answered = page.waitForResponse(
    (response) => response.url().endsWith('/api/sensors') && response.status() === 201,
  );
  await dialog.getByRole('button', { name: 'Add sensor' }).click();
  const made = (await (await answered).json()) as Made;
  await expect(dialog.getByText('Shown only once')).toBeVisible();
  await expect(dialog.getByText(made.deviceKey)).toBeVisible();
  await dialog.getByRole('button', { name: 'I have saved these' }).click();
  await expect(page.getByText(made.deviceKey)).toHaveCount(0);

  const card = page.getByRole('listitem').filter({ hasText: 'By the window' });
  await expect(card.getByText('No data yet.')).toBeVisible();
  await expect(card.getByText('--')).toHaveCount(3);
  await send(server.url(), made, { temperature: 21.5, humidity: 40, mq2: 120 });
  await expect(card.getByText('21.5°C')).toBeVisible();
  await expect(card.getByText('40%')).toBeVisible();
  await expect(card.getByText('Warming up').first()).toBeVisible();
  await send(server.url(), made, { temperature: 22.5 });
  await expect(card.getByText('22.5°C')).toBeVisible();
  expect(await api.countAudit('sensor.created', made.sensor._id)).toBe(1);

  await test.step('the dashboard shows the air of the room', async () => {
    await page.goto('/adminDashboard');
    const rooms = page.getByRole('region', { name: 'Rooms', exact: true });
    await expect(rooms.getByText('Playroom')).toBeVisible();
    await expect(rooms.getByText('22.5°C')).toBeVisible();
  });

  await api.call(`/api/sensors/${made.sensor._id}`, { method: 'DELETE', token: staff.token });
});

test('staff look at the history of a sensor, rename it and remove it', async ({ api, visit }) => {
  const staff = await api.administrator();
  await api.call('/api/sensors', {
    method: 'POST',
    token: staff.token,
    json: { name: 'By the window', area: 'Playroom', kind: 'haris' },
  });
  const { page } = await visit({ as: staff });
  await page.goto('/sensors');
  await page.getByRole('button', { name: 'History: By the window' }).click();
  const history = page.getByRole('dialog', { name: 'History: By the window' });
  await expect(history.getByText('No readings in this period.')).toBeVisible();
  await history.getByText('Month').click();
  await expect(history.getByText('No readings in this period.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(history).toBeHidden();

  await page.getByRole('button', { name: 'Actions for By the window' }).click();
  await page.getByRole('menuitem', { name: 'Rename or move' }).click();
  const edit = page.getByRole('dialog', { name: 'Rename or move' });
  await edit.getByLabel('Name').fill('By the door');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'By the door' })).toBeVisible();

  await page.getByRole('button', { name: 'Actions for By the door' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove sensor' }).click();
  await expect(page.getByText('No sensors yet.')).toBeVisible();
});

test('parents see the air when they want to: -- until it is received, live, and old when it is old', async ({
  api,
  server,
  visit,
}) => {
  const staff = await api.administrator();
  const family = await api.family('Sara Ibrahim', {});
  const { page } = await visit({ as: family, size: 'phone' });
  await page.goto('/profile');
  await expect(page.getByText('Humidity')).toHaveCount(0);
  const toggle = page.getByRole('switch', { name: 'Environmental Readings' });
  await toggle.press('Space');
  await expect(toggle).toBeChecked();
  for (const quantity of ['Temperature', 'Humidity', 'Air quality'])
    await expect(indicatorOf(page, 'Environmental Readings', quantity).getByText('--')).toBeVisible();

  const made = await api.call<Made>('/api/sensors', {
    method: 'POST',
    token: staff.token,
    json: { name: 'Window', area: 'Nap room', kind: 'haris', period: 1 },
  });
  await send(server.url(), made, { temperature: 23, humidity: 45 });
  await expect(indicatorOf(page, 'Air: Nap room', 'Temperature').getByText('23.0°C')).toBeVisible();
  await expect(indicatorOf(page, 'Air: Nap room', 'Air quality').getByText('--')).toBeVisible();
  // The period is one second: after three periods without a reading the value is no longer shown as current.
  await expect(indicatorOf(page, 'Air: Nap room', 'Temperature').getByText('Out of date')).toBeVisible();

  await test.step('the choice is kept on this device', async () => {
    await page.reload();
    await expect(indicatorOf(page, 'Air: Nap room', 'Temperature').getByText('Out of date')).toBeVisible();
    await page.getByRole('switch', { name: 'Environmental Readings' }).press('Space');
    await expect(page.getByText('Nap room')).toHaveCount(0);
  });
  await api.call(`/api/sensors/${made.sensor._id}`, { method: 'DELETE', token: staff.token });
});

test('the card of a child inside shows the air of its area', async ({ api, server, visit }) => {
  const staff = await api.administrator();
  const family = await api.family('Mona Hassan', { 'Omar Hassan': 1 });
  await api.checkIn(family.children[0]?._id ?? '', 60);
  const { page } = await visit({ as: family, size: 'phone' });
  await page.goto('/profile');
  await page.getByRole('button', { name: 'View Details of Omar Hassan' }).click();
  const dialog = page.getByRole('dialog', { name: 'Omar Hassan' });
  await expect(dialog.getByText('Time in Area')).toBeVisible();
  await expect(dialog.getByText('--')).toHaveCount(3);
  const made = await api.call<Made>('/api/sensors', {
    method: 'POST',
    token: staff.token,
    json: { name: 'Window', area: 'Playroom', kind: 'haris', period: 600 },
  });
  await send(server.url(), made, { temperature: 24, humidity: 51, mq2: 130 });
  await expect(dialog.getByText('24.0°C')).toBeVisible();
  await expect(dialog.getByText('51%')).toBeVisible();
  await expect(dialog.getByText('130')).toBeVisible();
  await api.call(`/api/sensors/${made.sensor._id}`, { method: 'DELETE', token: staff.token });
});

test('in Arabic, on a phone: values in Arabic digits, nothing beyond the edge', async ({
  api,
  server,
  visit,
}) => {
  const t = wordsOf('ar');
  const staff = await api.administrator();
  const made = await api.call<Made>('/api/sensors', {
    method: 'POST',
    token: staff.token,
    json: { name: 'بجوار النافذة', area: 'غرفة النوم', kind: 'haris', period: 600 },
  });
  await send(server.url(), made, { temperature: 21.5, humidity: 40 });
  const { page } = await visit({ as: staff, size: 'phone', language: 'ar' });
  await page.goto('/sensors');
  const card = page.getByRole('listitem').filter({ hasText: 'بجوار النافذة' });
  await expect(card.getByText('٢١٫٥', { exact: false })).toBeVisible();
  await expect(card.getByText(t('environment:quantity.temperature'))).toBeVisible();
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
    sizes.phone.width,
  );
  await page.getByRole('button', { name: t('environment:homeAssistant.open') }).click();
  await expect(page.getByRole('dialog').getByText(t('environment:homeAssistant.noBroker'))).toBeVisible();
});
