/** Notifications outside the page: a person's preferences, the test, the push on the screen; limits of alarms. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, sizes, test } from './fixtures.ts';
import { wordsOf } from './harness/words.ts';

test.use({ hasEngine: false });

test.slow();

test('a member of staff chooses what comes by which way, and the test says what became of it', async ({
  api,
  server,
  visit,
}) => {
  const staff = await api.administrator();
  const { page } = await visit({ as: staff });
  await page.goto('/adminDashboard');
  await page.getByRole('link', { name: 'Notifications', exact: true }).click();
  const mail = page.getByRole('checkbox', { name: 'Backup overdue: Email' });
  const before = await mail.isChecked();
  await mail.click();
  await expect(page.getByText('Saved.').first()).toBeVisible();
  await page.reload();
  await expect(mail).toBeChecked({ checked: !before });

  await test.step('what is a danger keeps at least one way', async () => {
    for (const way of ['On devices', 'Email']) {
      const box = page.getByRole('checkbox', { name: `Evacuation: ${way}` });
      // Not `uncheck`, which looks at the tick at once: the page draws it a moment after the press.
      if ((await box.isChecked()) && (await box.isEnabled())) {
        await box.click();
        await expect(box).not.toBeChecked();
      }
    }
    const left = page.getByRole('checkbox', { name: /^Evacuation: /, checked: true });
    await expect(left).toHaveCount(1);
    await expect(left).toBeDisabled();
  });

  await test.step('quiet hours are kept', async () => {
    await page.getByRole('switch', { name: 'Mute at set hours' }).press('Space');
    await page.getByLabel('From').fill('21:30');
    const saved = page.waitForResponse(
      (answer) =>
        answer.request().method() === 'PUT' && answer.request().postData()?.includes('21:30') === true,
    );
    await page.getByRole('region', { name: 'Quiet hours' }).getByRole('button', { name: 'Save' }).click();
    // The page shows the new hours before the server has them.
    expect((await saved).status()).toBe(200);
    await expect(page.getByText(/^Time zone: \S+$/)).toBeVisible();
    await page.reload();
    await expect(page.getByLabel('From')).toHaveValue('21:30');
  });

  await test.step('a test is mailed; without a mail server it says where the mail lies', async () => {
    await page.getByRole('button', { name: 'Send a test' }).click();
    const part = page.getByRole('region', { name: 'Test' });
    await expect(
      part.getByText('Not sent, but kept on the server: there is no mail server.', { exact: true }),
    ).toBeVisible({ timeout: 30_000 });
    const outbox = join(server.dataDir, 'outbox');
    const mails = (await readdir(outbox)).map((name) => readFile(join(outbox, name), 'utf8'));
    expect((await Promise.all(mails)).join('\n')).toContain('Subject: A test from Haris');
  });

  await test.step('a webhook is set, its secret is shown once, and it is ended', async () => {
    const part = page.getByRole('region', { name: 'Webhook' });
    await part.getByLabel('Address').fill('no address');
    await part.getByRole('button', { name: 'Save' }).click();
    await expect(part.getByText(/must look like/)).toBeVisible();
    await part.getByLabel('Address').fill('https://alarms.haris.example/hook');
    await part.getByRole('button', { name: 'Save' }).click();
    await expect(part.getByText('It is shown only once.', { exact: false })).toBeVisible();
    await page.reload();
    await expect(part.getByText('https://alarms.haris.example')).toBeVisible();
    await expect(part.getByText('It is shown only once.', { exact: false })).toHaveCount(0);
    await part.getByRole('button', { name: 'Remove webhook' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove webhook' }).click();
    await expect(part.getByText('https://alarms.haris.example')).toHaveCount(0);
  });
});

test('a parent finds the notices in the bar of the phone, in Arabic, and nothing of the staff', async ({
  api,
  visit,
}) => {
  const t = wordsOf('ar');
  const family = await api.family('Mona Hassan');
  const { page } = await visit({ as: family, size: 'phone', language: 'ar' });
  await page.goto('/profile');
  await page.getByRole('link', { name: t('frame:parent.notifications'), exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: t('notifications:title') })).toBeVisible();
  await expect(page.getByText(t('incidents:kind.time_up')).first()).toBeVisible();
  await expect(page.getByText(t('notifications:webhook.title'))).toHaveCount(0);
  await expect(page.getByText(t('notifications:failed.title'))).toHaveCount(0);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
    sizes.phone.width,
  );
});

test('limits are changed, and what is out of range is refused at its field', async ({
  api,
  server,
  visit,
}) => {
  const { token, ...staff } = await api.administrator();
  const made = await api.call<{ sensor: { _id: string }; deviceKey: string }>('/api/sensors', {
    method: 'POST',
    token,
    json: { name: 'Window', area: 'Kitchen', kind: 'haris', period: 600 },
  });
  const { page } = await visit({ as: { ...staff, token } });
  await page.goto('/incidents');
  await page.getByRole('main').getByRole('link', { name: 'Alert settings' }).click();
  const place = page.getByRole('region', { name: 'Temperature alert' });
  await place.getByLabel('Alert at or above').fill('400');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(place.getByText('Enter a number within the range.')).toBeVisible();
  await expect(place.getByLabel('Alert at or above')).toBeFocused();
  await place.getByLabel('Alert at or above').fill('45');
  await page.getByRole('combobox', { name: 'Add a room' }).click();
  await page.getByRole('option', { name: 'Kitchen' }).click();
  const kitchen = page.getByRole('group', { name: 'Kitchen' });
  await kitchen.getByRole('switch', { name: 'Own limit for temperature' }).press('Space');
  await kitchen.getByLabel('Alert at or above').fill('30');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  await page.reload();
  await expect(place.getByLabel('Alert at or above')).toHaveValue('45');

  const answer = await fetch(`${server.url()}/api/sensors/${made.sensor._id}/readings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-device-key': made.deviceKey },
    body: JSON.stringify({ temperature: 31 }),
  });
  expect(answer.status).toBe(202);
  const alarm = page.getByRole('alertdialog', { name: 'Temperature alert' });
  await expect(alarm).toContainText('Alert limit: 30°C.', { timeout: 30_000 });
  await alarm.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(alarm).toHaveCount(0);
  await api.call(`/api/sensors/${made.sensor._id}`, { method: 'DELETE', token });
});

test('a push is on the screen with its words, and takes the place of the one before', async ({
  api,
  visit,
}) => {
  const { page } = await visit({
    as: await api.administrator(),
    notifications: 'allowed',
    worker: 'allowed',
  });
  await page.goto('/incidents');
  const origin = new URL(page.url()).origin;
  await page.evaluate('navigator.serviceWorker.ready.then(() => null)');
  const browser = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations;
      if (first !== undefined) resolve(first.registrationId);
    });
  });
  await browser.send('ServiceWorker.enable');
  const registrationId = await registered;
  const push = (body: string) =>
    browser.send('ServiceWorker.deliverPushMessage', {
      origin,
      registrationId,
      data: JSON.stringify({
        title: 'Temperature alert',
        body,
        tag: 'incident-1',
        url: '/incidents',
        kind: 'temperature',
        phase: 'raised',
        lang: 'en',
        dir: 'ltr',
        receipt: null,
      }),
    });
  const shown = () =>
    page.evaluate<string[]>(`navigator.serviceWorker.ready
      .then((registration) => registration.getNotifications())
      .then((all) => all.map(({ title, body, data }) => title + '|' + body + '|' + data.url))`);
  await push('41°C in Playroom');
  await expect.poll(shown).toEqual(['Temperature alert|41°C in Playroom|/incidents']);
  await push('43°C in Playroom');
  await expect.poll(shown).toEqual(['Temperature alert|43°C in Playroom|/incidents']);
});
