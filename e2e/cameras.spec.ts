/** Cameras of staff, with the real face engine: a browser becomes a camera, and staff see its pictures. */
import { expect, test } from './fixtures.ts';
import { FROM_CAMERA_MS } from './harness/camera.ts';
import { notice, tabTo } from './harness/person.ts';
import {
  addDeviceCamera,
  becomeCamera,
  cameraState,
  detailAt,
  livePicture,
  pairingCode,
} from './harness/room-camera.ts';

test('a device becomes a camera; staff see its picture with the name of the child in it', async ({
  server,
  api,
  camera,
  visit,
}) => {
  test.setTimeout(240_000);
  await server.engineReady();
  const family = await api.family('Mona Hassan', { 'عمر حسن': 1 });
  await api.checkIn(family.children[0]?._id ?? '');
  await camera.showPerson(1);
  const desk = await visit({ as: await api.administrator() });
  const device = await visit({ size: 'phone', camera: 'allowed' });

  let link = '';
  await test.step('staff add it and get a code', async () => {
    const { page } = desk;
    await page.goto('/adminDashboard');
    await page.getByRole('link', { name: 'Cameras' }).click();
    await expect(page.getByText('No cameras yet.')).toBeVisible();
    await page.getByRole('button', { name: 'Add Camera' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add Camera' });
    await dialog.getByLabel('Name').fill('Old tablet');
    await dialog.getByLabel('Room').fill('Play room');
    await dialog.getByRole('radio', { name: 'A phone, tablet or laptop' }).check();
    await expect(dialog.getByLabel('Address')).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Add Camera' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Old tablet' })).toBeVisible();
    await expect(page.getByText('No device is paired with this camera yet.').first()).toBeVisible();
    await page.getByRole('button', { name: 'Pair a Device' }).click();
    await expect(page.getByRole('img', { name: 'QR code of the link for the device' })).toBeVisible();
    await expect(page.getByRole('timer', { name: 'Valid for' })).toHaveText(/^(10:00|09:\d\d)$/);
    link = await page.getByText(/\/camera\/[0-9A-Z]{10}$/).innerText();
  });

  await test.step('the device opens the link, without signing in, and sends', async () => {
    const { page } = device;
    await page.goto(link);
    await expect(page.getByRole('heading', { level: 1, name: 'Old tablet' })).toBeVisible();
    await expect(page).toHaveURL('/camera');
    await expect(page.getByRole('status').filter({ hasText: 'Sending' })).toBeAttached({
      timeout: FROM_CAMERA_MS,
    });
    await expect(page.getByText('1280 × 720')).toBeVisible();
    const kept = await page.evaluate(() => Object.keys(localStorage));
    expect(kept).toContain('haris.device-camera');
    expect(kept).not.toContain('token');
  });

  await test.step('staff see it live, with the name in a box', async () => {
    const { page } = desk;
    await expect(page.getByText('A device is paired with this camera.')).toBeVisible();
    await expect(livePicture(page, 'Old tablet')).toBeVisible({ timeout: FROM_CAMERA_MS });
    await expect(page.getByText(/^Live · \d+\.\d s$/)).toBeVisible({ timeout: FROM_CAMERA_MS });
    await expect
      .poll(() => detailAt(page, 'Old tablet', 0.5, 0.47), { timeout: FROM_CAMERA_MS })
      .toBeGreaterThan(1);
    const named = page.getByRole('list', { name: 'Faces in the picture' }).getByText('عمر حسن');
    await expect(named).toBeVisible({ timeout: FROM_CAMERA_MS });
    await expect(page.getByText('1280 × 720')).toBeVisible();
  });
});

test('privacy zones are drawn with the keyboard alone, and cover the picture', async ({
  server,
  api,
  camera,
  visit,
}) => {
  test.setTimeout(240_000);
  await server.engineReady();
  await camera.showPerson(2);
  const added = await addDeviceCamera(api, 'Zoned', 'Nap room');
  const device = await visit({ size: 'phone', camera: 'allowed' });
  await becomeCamera(device.page, await pairingCode(api, added));
  const { page } = await visit({ as: await api.administrator() });
  await page.goto(`/cameras/${added._id}`);
  await expect(livePicture(page, 'Zoned')).toBeVisible({ timeout: FROM_CAMERA_MS });
  await expect.poll(() => detailAt(page, 'Zoned', 0.5, 0.47), { timeout: FROM_CAMERA_MS }).toBeGreaterThan(1);
  const before = await detailAt(page, 'Zoned', 0.5, 0.47);

  for (const name of ['Edit Zones', 'Add Zone']) {
    await tabTo(page, page.getByRole('button', { name }), 80);
    await page.keyboard.press('Enter');
  }
  const corner = page.getByRole('button', { name: 'Corner 1 of zone 1' });
  await tabTo(page, corner, 80);
  const place = await corner.getAttribute('aria-description');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Shift+ArrowUp');
  await expect(corner).not.toHaveAttribute('aria-description', place ?? '');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Corner 5 of zone 1' })).toBeVisible();
  await page.keyboard.press('Delete');
  await expect(page.getByRole('button', { name: 'Corner 5 of zone 1' })).toHaveCount(0);
  await tabTo(page, page.getByRole('button', { name: 'Save Zones' }), 80);
  await page.keyboard.press('Enter');
  await expect(notice(page, 'Privacy zones saved')).toBeVisible();
  await expect(page.getByText('1 zone', { exact: true })).toBeVisible();
  await expect
    .poll(() => detailAt(page, 'Zoned', 0.48, 0.47), { timeout: FROM_CAMERA_MS })
    .toBeLessThan(before / 4);
});

test('a device that is stopped sends nothing, goes on after a reload, and says when it was unpaired', async ({
  server,
  api,
  visit,
}) => {
  test.setTimeout(240_000);
  await server.engineReady();
  const added = await addDeviceCamera(api, 'Shelf', 'Hall');
  const { page, trap } = await visit({ size: 'phone', camera: 'allowed' });
  await becomeCamera(page, await pairingCode(api, added));
  await expect.poll(() => cameraState(api, added), { timeout: FROM_CAMERA_MS }).toBe('live');

  await test.step('reloaded, it goes on by itself', async () => {
    await page.reload();
    await expect(page.getByRole('status').filter({ hasText: 'Sending' })).toBeAttached({
      timeout: FROM_CAMERA_MS,
    });
  });
  await test.step('stopped, it stays so', async () => {
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.reload();
    await expect(page.getByText('Stopped. Nothing is sent.').first()).toBeVisible();
    await expect.poll(() => cameraState(api, added), { timeout: FROM_CAMERA_MS }).not.toBe('live');
    await page.getByRole('button', { name: 'Start' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Sending' })).toBeAttached({
      timeout: FROM_CAMERA_MS,
    });
  });
  await test.step('another device takes its place', async () => {
    const kept = () => page.evaluate(() => localStorage.getItem('haris.device-camera'));
    const before = await kept();
    const other = await visit({ size: 'phone', camera: 'allowed' });
    await becomeCamera(other.page, await pairingCode(api, added));
    await expect(page.getByRole('alert').filter({ hasText: 'no longer paired' })).toBeVisible();
    await expect.poll(kept).toBeNull();
    // The same for a device that was away meanwhile and reconnects with a revoked token.
    await page.evaluate((device) => localStorage.setItem('haris.device-camera', device ?? ''), before);
    await page.reload();
    await expect(page.getByRole('alert').filter({ hasText: 'no longer paired' })).toBeVisible();
    await expect.poll(kept).toBeNull();
  });
  await test.step('a code that was used is refused in words', async () => {
    trap.expectHttp(400, '/api/cameras/pair');
    await page.getByLabel('Code').fill('AAAAA-AAAAA');
    await page.getByRole('button', { name: 'Pair this Device' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'not valid any more' })).toBeVisible();
  });
});

test('the wall shows every camera, says why one shows nothing, and leads to each; a camera is switched off and removed', async ({
  server,
  api,
  camera,
  visit,
}) => {
  test.setTimeout(240_000);
  await server.engineReady();
  await camera.showPerson(3);
  const sends = await addDeviceCamera(api, 'Wall one', 'Garden');
  await addDeviceCamera(api, 'Wall two', 'Cellar');
  const device = await visit({ size: 'phone', camera: 'allowed' });
  await becomeCamera(device.page, await pairingCode(api, sends));
  const { page } = await visit({ as: await api.administrator() });
  await page.goto('/cameras');
  await page.getByRole('link', { name: 'All Cameras' }).click();
  // The list has the same names and pictures, and stays until the code of the wall has loaded.
  await expect(page.getByRole('heading', { level: 1, name: 'All Cameras' })).toBeVisible();
  const tile = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  await expect(livePicture(page, 'Wall one')).toBeVisible({ timeout: FROM_CAMERA_MS });
  await expect(tile('Wall two').getByText('No device is paired with this camera yet.').first()).toBeVisible();
  await page.getByRole('link', { name: 'Wall one' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Wall one' })).toBeVisible();
  await expect(livePicture(page, 'Wall one')).toBeVisible({ timeout: FROM_CAMERA_MS });
  await page.getByRole('switch', { name: 'Enabled: Wall one' }).click();
  await expect(page.getByText('This camera is switched off.').first()).toBeVisible();
  await expect(livePicture(page, 'Wall one')).toBeHidden();
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove Camera' }).click();
  await expect(page).toHaveURL('/cameras');
  await expect(page.getByRole('link', { name: 'Wall two' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Wall one' })).toHaveCount(0);
});

test('an address is checked before it is sent, and a password is never shown again', async ({
  api,
  visit,
}) => {
  const { page } = await visit({ as: await api.administrator() });
  await page.goto('/cameras');
  await page.getByRole('button', { name: 'Add Camera' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Camera' });
  await dialog.getByRole('button', { name: 'Add Camera' }).click();
  await expect(dialog.getByText('Name is required')).toBeVisible();
  await expect(dialog.getByText('Room is required')).toBeVisible();
  await expect(dialog.getByText('Address is required')).toBeVisible();
  await dialog.getByLabel('Name').fill('Door');
  await dialog.getByLabel('Room').fill('Entrance');
  await dialog.getByLabel('Address').fill('ftp://camera.invalid');
  await dialog.getByRole('button', { name: 'Add Camera' }).click();
  await expect(dialog.getByText('Address must start with rtsp:// or rtsps://')).toBeVisible();
  // No service listens on this port.
  await dialog.getByLabel('Address').fill('rtsp://desk:open-sesame@127.0.0.1:9/stream');
  await dialog.getByRole('button', { name: 'Add Camera' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Door' })).toBeVisible();
  await expect(page.getByText('rtsp://127.0.0.1:9/stream')).toBeVisible();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(
    page.getByRole('dialog').getByText('The saved user name and password are never shown.'),
  ).toBeVisible();
  expect(await page.content()).not.toContain('open-sesame');
});
