/**
 * A camera that shows the wrong thing, and the release of the camera. Page tests cover the messages without a camera.
 */

import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { FROM_CAMERA_MS, seedOf } from './harness/camera.ts';
import { capturePhoto } from './harness/person.ts';

/** Records every track that the page receives, before its own code runs. */
const REMEMBER_TRACKS = `
  const media = navigator.mediaDevices;
  const open = media.getUserMedia.bind(media);
  window.givenTracks = [];
  media.getUserMedia = async (wanted) => {
    const stream = await open(wanted);
    window.givenTracks.push(...stream.getTracks());
    return stream;
  };
`;

/** `live` or `ended` for every track that the page has received. */
function trackStates(page: Page): Promise<string[]> {
  return page.evaluate<string[]>('window.givenTracks.map((track) => track.readyState)');
}

test('the guide says what to change', async ({ server, api, camera, visit }) => {
  const parent = await api.family('Mona Hassan');
  await server.engineReady();
  const { page } = await visit({ size: 'phone', as: parent, camera: 'allowed' });
  const capture = page.getByRole('button', { name: 'Capture Photo' });
  const one = { seed: seedOf(1), x: 0.5, y: 0.47, head: 0.62 };
  const scenes = [
    { advice: 'Look at the camera', scene: { people: [] } },
    {
      advice: 'One face only',
      scene: {
        people: [
          { ...one, x: 0.3 },
          { ...one, seed: seedOf(2), x: 0.7 },
        ],
      },
    },
    { advice: 'More light', scene: { people: [one], exposure: 0.12 } },
    { advice: 'Move closer', scene: { people: [{ ...one, head: 0.14 }] } },
    { advice: 'Keep the whole face inside', scene: { people: [{ ...one, x: 0.1 }] } },
  ];
  for (const { advice, scene } of scenes) {
    await test.step(advice, async () => {
      await camera.showScene(scene);
      await page.goto('/addChild');
      await expect(page.getByRole('status').filter({ hasText: advice })).toBeVisible({
        timeout: FROM_CAMERA_MS,
      });
      await expect(capture).toBeDisabled();
    });
  }
  await camera.showPerson(1);
  await page.goto('/addChild');
  await expect(page.getByRole('status').filter({ hasText: 'Good. Capture now' })).toBeVisible({
    timeout: FROM_CAMERA_MS,
  });
  await expect(capture).toBeEnabled();
});

test('the camera is let go when the photo is taken and when the screen is left', async ({
  server,
  api,
  camera,
  visit,
}) => {
  const parent = await api.family('Mona Hassan');
  await server.engineReady();
  await camera.showPerson(1);
  const { page } = await visit({ size: 'phone', as: parent, camera: 'allowed' });
  await page.addInitScript(REMEMBER_TRACKS);
  await page.goto('/profile');
  const add = page.getByRole('link', { name: 'Add Child' });

  await add.click();
  await capturePhoto(page);
  await expect.poll(() => trackStates(page), 'after Capture').not.toContain('live');
  await page.getByRole('button', { name: 'Retake Photo' }).click();
  await expect(page.getByText('Good. Capture now')).toBeVisible({ timeout: FROM_CAMERA_MS });
  await expect.poll(() => trackStates(page), 'after Retake').toContain('live');

  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(page).toHaveURL('/profile');
  await expect.poll(() => trackStates(page), 'after Back').not.toContain('live');

  await add.click();
  await expect(page.getByText('Good. Capture now')).toBeVisible({ timeout: FROM_CAMERA_MS });
  await expect.poll(async () => (await trackStates(page)).at(-1)).toBe('live');
  await page.goBack();
  await expect(page).toHaveURL('/profile');
  await expect.poll(() => trackStates(page), 'after the browser went back').not.toContain('live');
});
