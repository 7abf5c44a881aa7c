/** A tablet becomes a kiosk, a family comes with digits and PIN, the desk accepts, and the kiosk welcomes by first name. */
import { expect, test } from './fixtures.ts';
import { makeKiosk } from './harness/kiosk.ts';
import { insideRow, notice, scanByKeyboard } from './harness/person.ts';

test('from pairing to welcome: the kiosk asks, the desk decides, and nothing stays on the tablet', async ({
  api,
  server,
  visit,
}) => {
  const mona = await api.family('Mona Hassan', { 'Omar Hassan': 1, 'Layla Hassan': 2 });
  const { code } = await makeKiosk(api, server);
  const tablet = (await visit()).page;
  await tablet.setViewportSize({ width: 1024, height: 768 });
  await tablet.goto(`/kiosk/${code}`);
  await expect(tablet.getByRole('heading', { name: 'Welcome', exact: true })).toBeVisible();
  await expect(tablet).toHaveURL('/kiosk');
  await tablet.goto('/adminDashboard');
  await expect(tablet.getByRole('button', { name: /Phone number and PIN/ })).toBeVisible();
  await tablet.goBack();
  await expect(tablet.getByRole('button', { name: /Phone number and PIN/ })).toBeVisible();

  // The parent sets a PIN on the account page.
  const phone = (await visit({ size: 'phone', as: mona })).page;
  await phone.goto('/account');
  await phone.getByRole('button', { name: 'Set a PIN' }).click();
  const form = phone.getByRole('dialog', { name: 'Set a PIN' });
  await form.getByLabel(/^New PIN/).fill('8305');
  await form.getByLabel(/^Repeat the PIN/).fill('8305');
  await form.getByRole('button', { name: 'Save PIN' }).click();
  await expect(notice(phone, 'PIN saved.')).toBeVisible();
  const digits = /digits are (\d{4})/.exec(
    (await phone.getByText(/Your digits are/).textContent()) ?? '',
  )?.[1];

  const type = async (text: string) => {
    for (const key of text) await tablet.getByRole('button', { name: key, exact: true }).click();
  };
  // Before the family comes: the tablet forgets who does not touch it.
  const desk = (await visit({ as: await api.administrator() })).page;
  await desk.goto('/adminDashboard');
  await expect(desk.getByRole('heading', { name: 'Children in Monitored Area' })).toBeVisible();
  await tablet.getByRole('button', { name: /Phone number and PIN/ }).click();
  await type(digits ?? '');
  await type('8305');
  await tablet.getByRole('button', { name: 'Continue' }).click();
  await expect(tablet.getByRole('checkbox', { name: 'Omar Hassan' })).toBeChecked();
  await expect(tablet.getByRole('checkbox', { name: 'Layla Hassan' })).toBeChecked();
  await tablet.getByRole('radio', { name: '1 hour' }).check();
  await tablet.getByRole('button', { name: /^Check in / }).click();
  await expect(tablet.getByRole('heading', { name: 'Waiting for staff' })).toBeVisible();

  const queue = desk.getByRole('region', { name: 'At the kiosk' });
  await expect(queue.getByText('Check in, 1 hour')).toBeVisible();
  await expect(insideRow(desk, 'Omar Hassan')).toHaveCount(0);
  await queue.getByRole('button', { name: 'Check all in' }).click();
  // It is shown for a few seconds.
  await expect(tablet.getByRole('heading', { name: /^Welcome, / })).toBeVisible();
  await tablet.getByRole('button', { name: 'OK' }).click();
  await expect(insideRow(desk, 'Omar Hassan').getByRole('timer')).toBeVisible();
  await expect(insideRow(desk, 'Layla Hassan').getByRole('timer')).toBeVisible();
  await expect(queue).toHaveCount(0);
  await expect(tablet.getByRole('heading', { name: 'Welcome', exact: true })).toBeVisible();
  expect(await tablet.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toMatch(
    /Omar|Layla|8305/,
  );

  // With the code of the phone, by a scanner that types; the desk sees the pick-up.
  const shown = await api.call<{ code: string }>('/api/account/kiosk-code', {
    method: 'POST',
    token: mona.token,
  });
  await scanByKeyboard(tablet, shown.code);
  await tablet.getByRole('button', { name: /pick up/ }).click();
  await queue.getByRole('button', { name: 'Check all out' }).click();
  await expect(tablet.getByRole('heading', { name: /^Goodbye, / })).toBeVisible();
});

test('the tablet’s camera reads the code from the screen of a parent’s phone', async ({
  api,
  camera,
  server,
  visit,
}) => {
  const huda = await api.family('Huda Amin', { 'Fares Amin': 3 });
  const { code } = await makeKiosk(api, server, 'Back door');
  const tablet = (await visit({ camera: 'allowed' })).page;
  await tablet.goto(`/kiosk/${code}`);
  await expect(tablet.getByRole('heading', { name: 'Welcome', exact: true })).toBeVisible();
  // An untouched kiosk starts again by itself, and a code lives a minute: on a busy machine it takes another try.
  const SOON = { timeout: 10_000 };
  const scan = async () => {
    await tablet.reload();
    await tablet.getByRole('button', { name: /Code on my phone/ }).click();
  };

  await test.step('a code from elsewhere is none of ours', async () => {
    await camera.showCode('https://example.com/menu');
    await expect(async () => {
      await scan();
      await expect(tablet.getByRole('alert')).toContainText('That is not a code for the kiosk.', SOON);
    }).toPass();
  });

  await test.step('the code of the family opens its children', async () => {
    const phone = (await visit({ size: 'phone', as: huda })).page;
    await expect(async () => {
      await phone.goto('/account');
      await phone.getByRole('button', { name: 'Code for the kiosk' }).click();
      await camera.showPicture(await phone.getByRole('img', { name: 'QR code for the kiosk' }).screenshot());
      await scan();
      await expect(tablet.getByRole('heading', { name: 'Who is here?' })).toBeVisible(SOON);
      await expect(tablet.getByRole('checkbox')).toHaveCount(1);
      await expect(tablet.getByRole('checkbox', { name: 'Fares Amin' })).toBeChecked();
    }).toPass();
  });
});
