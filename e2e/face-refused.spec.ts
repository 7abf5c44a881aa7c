/**
 * An unrecognisable face before the camera: the guide says what to change. Page tests cover the text of each refusal.
 */
import { paintMaskedFace } from '@haris/painter/bad-photos';
import { expect, test } from './fixtures.ts';
import { FROM_CAMERA_MS, seedOf } from './harness/camera.ts';

test('the guide asks for the mask to be taken off before the photo is taken', async ({
  server,
  api,
  camera,
  visit,
}) => {
  const parent = await api.family('Mona Hassan');
  await server.engineReady();
  await camera.showPicture(await paintMaskedFace(seedOf(1)));
  const { page } = await visit({ size: 'phone', as: parent, camera: 'allowed' });
  await page.goto('/addChild');
  await expect(page.getByText('Show the whole face, no mask')).toBeVisible({ timeout: FROM_CAMERA_MS });
  await expect(page.getByRole('button', { name: 'Capture Photo' })).toBeDisabled();
});
