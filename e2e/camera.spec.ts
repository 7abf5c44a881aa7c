/** The camera that is refused, that shows the wrong thing, and that is let go again. */

import { paintScene } from '@haris/painter/portrait';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { portraitFile, seedOf } from './harness/camera.ts';
import { capturePhoto, childCard, notice } from './harness/person.ts';

/** Remembers every track that the page was given, before any of its own code runs. */
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

/** `live` or `ended` of every track that the page was given. */
function trackStates(page: Page): Promise<string[]> {
  return page.evaluate<string[]>('window.givenTracks.map((track) => track.readyState)');
}

test('a refused camera says so; a photo file does as well', async ({ server, api, visit }) => {
  const parent = await api.family('Sara Ibrahim');
  await server.engineReady();
  const { page } = await visit({ size: 'phone', as: parent, camera: 'refused' });
  await page.goto('/addChild');
  await expect(page.getByText('Cam access denied/failed.')).toBeVisible();
  await page.getByRole('button', { name: 'Try Again' }).click();
  await expect(page.getByText('Cam access denied/failed.')).toBeVisible();

  await page.getByLabel("Child's name").fill('Nour Ibrahim');
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a photo file' }).click();
  await (await choosing).setFiles({ name: 'nour.png', mimeType: 'image/png', buffer: await portraitFile(2) });
  await expect(page.getByRole('img', { name: 'The photo that was captured' })).toBeVisible();
  await page.getByRole('button', { name: 'Save Child' }).click();
  await expect(notice(page, 'Child registered successfully')).toBeVisible();
  await expect(childCard(page, 'Nour Ibrahim').getByText('Outside')).toBeVisible();
});

test('the camera works once the person allows it', async ({ api, camera, visit }) => {
  const parent = await api.family('Mona Hassan');
  await camera.showPerson(1);
  const { page } = await visit({ as: parent, camera: 'refused' });
  await page.goto('/addChild');
  await expect(page.getByText('Cam access denied/failed.')).toBeVisible();
  await page.context().grantPermissions(['camera']);
  await page.getByRole('button', { name: 'Try Again' }).click();
  await expect(page.getByText('Good. Capture now')).toBeVisible();
});

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
      await expect(page.getByRole('status').filter({ hasText: advice })).toBeVisible();
      await expect(capture).toBeDisabled();
    });
  }
  await camera.showPerson(1);
  await page.goto('/addChild');
  await expect(page.getByRole('status').filter({ hasText: 'Good. Capture now' })).toBeVisible();
  await expect(capture).toBeEnabled();
});

test('a photo that cannot be used is refused in words, and another one is taken', async ({
  server,
  api,
  camera,
  visit,
}) => {
  const parent = await api.family('Mona Hassan');
  await server.engineReady();
  await camera.showPerson(3);
  const { page, trap } = await visit({ as: parent, camera: 'allowed' });
  await page.goto('/addChild');
  await page.getByLabel("Child's name").fill('Omar Hassan');
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a photo file' }).click();
  const nobody = await paintScene({ width: 640, height: 480, people: [] }).png().toBuffer();
  await (await choosing).setFiles({ name: 'wall.png', mimeType: 'image/png', buffer: nobody });
  trap.expectHttp(422, '/register-child');
  await page.getByRole('button', { name: 'Save Child' }).click();
  const why = 'No face was found. Please take the photo from the front, with the whole face in view.';
  await expect(page.getByRole('main').getByRole('alert')).toContainText(why);
  await page.getByRole('button', { name: 'Retake Photo' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toBeHidden();
  await capturePhoto(page);
  await page.getByRole('button', { name: 'Save Child' }).click();
  await expect(notice(page, 'Child registered successfully')).toBeVisible();
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
  await expect(page.getByText('Good. Capture now')).toBeVisible();
  expect(await trackStates(page), 'after Retake').toContain('live');

  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(page).toHaveURL('/profile');
  await expect.poll(() => trackStates(page), 'after Back').not.toContain('live');

  await add.click();
  await expect(page.getByText('Good. Capture now')).toBeVisible();
  expect((await trackStates(page)).at(-1)).toBe('live');
  await page.goBack();
  await expect(page).toHaveURL('/profile');
  await expect.poll(() => trackStates(page), 'after the browser went back').not.toContain('live');
});
