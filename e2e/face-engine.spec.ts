/** The face engine dies: the desk continues without it, adding a child reports it, and it recovers by itself. */
import { expect, test } from './fixtures.ts';
import { FROM_CAMERA_MS } from './harness/camera.ts';
import { capturePhoto, insideRow, notice } from './harness/person.ts';

test('without the face engine the desk works, and adding a child says why not', async ({
  server,
  api,
  camera,
  visit,
}) => {
  const family = await api.family('Mona Hassan', { 'Omar Hassan': 1 });
  await camera.showPerson(2);
  const { page, trap } = await visit({ as: await api.administrator(), camera: 'allowed' });
  await page.goto('/adminDashboard');

  const letGo = await server.killEngine();
  try {
    await test.step('check-in works', async () => {
      await page.getByRole('button', { name: 'Check in Omar Hassan' }).click();
      const dialog = page.getByRole('dialog', { name: 'Register Child Entry' });
      await dialog.getByRole('button', { name: 'Check in', exact: true }).click();
      await expect(notice(page, 'Child checked in successfully')).toBeVisible();
      await expect(insideRow(page, 'Omar Hassan')).toBeVisible();
      await expect(dialog).toBeHidden();
    });

    await test.step('adding a child says that the engine is starting', async () => {
      trap.expectHttp(503, '/api/face-guide');
      trap.expectHttp(503, '/register-child');
      await page.getByRole('link', { name: `Add Child for ${family.name}` }).click();
      await page.getByLabel("Child's name").fill('Layla Hassan');
      await expect(page.getByText('The guide is not available. You can still take the photo.')).toBeVisible({
        timeout: FROM_CAMERA_MS,
      });
      await page.getByRole('button', { name: 'Capture Photo' }).click();
      await page.getByRole('button', { name: 'Save Child' }).click();
      await expect(notice(page, 'Face recognition is starting. Please try again in a moment.')).toBeVisible();
      await expect(page).toHaveURL(/\/addChild/);
    });
  } finally {
    letGo();
  }

  await test.step('it comes back by itself, and the same photo is saved', async () => {
    await server.engineReady();
    await page.getByRole('button', { name: 'Save Child' }).click();
    await expect(notice(page, 'Child registered successfully')).toBeVisible({ timeout: FROM_CAMERA_MS });
    await expect(page).toHaveURL('/adminDashboard');
    await expect(page.getByRole('button', { name: 'Check in Layla Hassan' })).toBeVisible();
  });

  await test.step('the guide looks again', async () => {
    await page.getByRole('link', { name: `Add Child for ${family.name}` }).click();
    await capturePhoto(page);
  });
});
