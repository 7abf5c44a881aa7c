/** Opt-in recognition of adults: requested on their own screen, with photos that the real face engine analyses. */

import { paintTwoFaces } from '@haris/painter/bad-photos';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { FROM_CAMERA_MS, portraitFile, seedOf } from './harness/camera.ts';
import { furnishRoom } from './harness/furnished-room.ts';
import { notice } from './harness/person.ts';
import { livePicture } from './harness/room-camera.ts';

async function choosePhoto(page: Page, button: string, photo: Buffer): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button }).click();
  await (await choosing).setFiles({ name: 'me.png', mimeType: 'image/png', buffer: photo });
}

test('a parent lets the cameras recognise them, with a photo that shows the parent alone, and takes it back', async ({
  server,
  api,
  visit,
}) => {
  const mona = await api.family('Mona Hassan');
  const { token } = await api.administrator();
  const path = `/api/parent/${mona.id}/recognition`;
  const isOn = async () => (await api.call<{ recognition: { on: boolean } }>(path, { token })).recognition.on;
  const confirm = () =>
    api.call(`/api/parent/${mona.id}/confirm`, { method: 'POST', token, json: { accept: true } });
  await server.engineReady();
  const { page, trap } = await visit({ size: 'phone', as: mona });
  await page.goto('/account');
  const cameras = page.getByRole('region', { name: 'Face recognition' });
  const toggle = cameras.getByRole('switch', { name: 'Show my name in live pictures' });
  await expect(toggle).not.toBeChecked();
  await expect(cameras).toContainText('Your whereabouts are never recorded.');

  await toggle.press('Space');
  await expect(cameras.getByRole('alert')).toContainText('There is no photo in your account yet.');
  trap.expectHttp(422, path);
  await choosePhoto(page, 'Choose a photo', await paintTwoFaces(seedOf(3), seedOf(4)));
  await expect(cameras.getByRole('alert')).toContainText('Use a photo that shows only you.', {
    timeout: FROM_CAMERA_MS,
  });
  await expect(toggle).not.toBeChecked();
  expect(await isOn()).toBe(false);

  await choosePhoto(page, 'Use another photo', await portraitFile(5));
  const asked = 'Saved. The cameras will recognise you once the nursery has confirmed it.';
  await expect(notice(page, asked)).toBeVisible({ timeout: FROM_CAMERA_MS });
  await expect(toggle).toBeChecked();
  await expect(cameras.getByRole('status')).toContainText('Waiting for the nursery to confirm');
  await expect(cameras.locator('img')).toBeVisible();
  expect(await isOn()).toBe(false);
  await confirm();
  await expect(cameras.getByText('Waiting for the nursery to confirm')).toHaveCount(0);
  expect(await isOn()).toBe(true);

  await choosePhoto(page, 'Change the photo', await paintTwoFaces(seedOf(3), seedOf(4)));
  await expect(cameras.getByRole('status')).toContainText('Waiting for the nursery to confirm', {
    timeout: FROM_CAMERA_MS,
  });
  await confirm();
  await expect(cameras.getByRole('alert')).toContainText('Switched off: your new photo cannot be used');
  await expect(toggle).not.toBeChecked();
  await choosePhoto(page, 'Use another photo', await portraitFile(5));
  await expect(toggle).toBeChecked({ timeout: FROM_CAMERA_MS });
  await confirm();
  await expect(cameras.getByText('Waiting for the nursery to confirm')).toHaveCount(0);

  await toggle.press('Space');
  await expect(notice(page, 'Erased. Cameras no longer recognise you.')).toBeVisible();
  await expect(toggle).not.toBeChecked();
  await page.reload();
  await expect(toggle).not.toBeChecked();
  expect(await isOn()).toBe(false);
  expect(await api.countAudit('parent.recognition_on', mona.id)).toBe(2);
});

test('a member of staff does so in the own row, and in no other', async ({ server, api, visit }) => {
  const director = await api.administrator();
  await server.engineReady();
  const { page } = await visit({ as: director });
  await page.goto('/viewEmployees');
  const opener = page.getByRole('button', { name: 'Face recognition' });
  await expect(opener).toHaveCount(1);
  await opener.click();
  const dialog = page.getByRole('dialog', { name: 'Face recognition' });
  await expect(dialog).toContainText('the photo is not kept');
  await choosePhoto(page, 'Take or choose a photo', await portraitFile(6));
  await expect(notice(page, 'The cameras recognise you now.')).toBeVisible({ timeout: FROM_CAMERA_MS });
  const toggle = dialog.getByRole('switch', { name: 'Show my name in live pictures' });
  await expect(toggle).toBeChecked();
  await toggle.press('Space');
  await expect(notice(page, 'Erased. Cameras no longer recognise you.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Take or choose a photo' })).toBeVisible();
  expect(await api.countAudit('admin.recognition_off', director.id)).toBe(1);
});

test('staff read name and role beside the face in a live picture; a parent reads nothing', async ({
  server,
  api,
  visit,
}) => {
  const mona = await api.family('Mona Hassan', { 'Omar Hassan': 1 });
  const omar = mona.children[0]?._id ?? '';
  await api.checkIn(omar);
  const form = new FormData();
  form.set('photo', new Blob([new Uint8Array(await portraitFile(7))], { type: 'image/png' }), 'me.png');
  const { token } = mona;
  await api.call(`/api/parent/update-parent/${mona.id}`, { method: 'PUT', token, form });
  await api.call(`/api/parent/${mona.id}/recognition`, { method: 'PUT', token });
  const desk = { token: (await api.administrator()).token, json: { accept: true, confirm: true } };
  await api.call(`/api/parent/${mona.id}/confirm`, { method: 'POST', ...desk });
  const { camera } = await furnishRoom(api, server, [1, 7]);

  const staff = await visit({ as: await api.administrator() });
  await staff.page.goto(`/cameras/${camera._id}`);
  const faces = staff.page.getByRole('list', { name: 'Faces in the picture' }).getByRole('listitem');
  await expect(faces.filter({ hasText: 'Mona Hassan' })).toContainText('Parent', { timeout: FROM_CAMERA_MS });
  await expect(faces.filter({ hasText: 'Omar Hassan' })).not.toContainText('Parent', {
    timeout: FROM_CAMERA_MS,
  });

  const parent = await visit({ size: 'phone', as: mona });
  await parent.page.goto('/liveFeed');
  await expect(livePicture(parent.page, 'Omar Hassan')).toBeVisible({ timeout: FROM_CAMERA_MS });
  await expect(parent.page.getByRole('list', { name: 'Faces in the picture' })).toHaveCount(0);
});
