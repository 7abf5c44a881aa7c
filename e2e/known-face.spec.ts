/** A face that is registered already: a question to staff, and no word of it to a parent. */
import { expect, test } from './fixtures.ts';
import { capturePhoto, familyOf, notice } from './harness/person.ts';

test('the same face in a second family', async ({ api, camera, visit }) => {
  await api.family('Mona Hassan', { 'Omar Hassan': 1 });
  const second = await api.family('Sara Ibrahim');
  await camera.showPerson(1);

  await test.step('is taken from the parent as any other, who learns nothing of the other family', async () => {
    const { page } = await visit({ size: 'phone', as: second, camera: 'allowed' });
    await page.goto('/addChild');
    await page.getByLabel("Child's name").fill('Adam Ibrahim');
    await capturePhoto(page);
    const answer = page.waitForResponse((response) => response.url().includes('/create-child/'));
    await page.getByRole('button', { name: 'Save Child' }).click();
    await expect(notice(page, 'Child registered successfully')).toBeVisible();
    expect(JSON.stringify(await (await answer).json())).not.toMatch(/Omar|Mona|candidates|alike/);
  });

  await test.step('is a question to staff, with both photos; they can register anyway', async () => {
    const { page, trap } = await visit({ as: await api.administrator(), camera: 'allowed' });
    trap.expectHttp(409, `/api/children/create-child/${second.id}`);
    await page.goto('/adminDashboard');
    await page.getByRole('link', { name: 'Add Child for Sara Ibrahim' }).click();
    await page.getByLabel("Child's name").fill('Nour Ibrahim');
    await capturePhoto(page);
    const save = page.getByRole('button', { name: 'Save Child' });
    await save.click();
    const dialog = page.getByRole('dialog', { name: 'Is this child already registered?' });
    await expect(dialog.getByText('Omar Hassan')).toBeVisible();
    await expect(dialog.getByText(/Child of Mona Hassan, \d+% alike/)).toBeVisible();
    await expect(dialog.locator('img')).toHaveCount(2);
    for (const photo of await dialog.locator('img').all()) {
      await expect.poll(() => photo.evaluate((image) => image.naturalWidth)).toBeGreaterThan(80);
    }
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    await save.click();
    await dialog.getByRole('button', { name: 'Register anyway' }).click();
    await expect(notice(page, 'Child registered successfully')).toBeVisible();
    const alike = page.getByRole('dialog', { name: 'These children look alike' });
    await expect(alike.getByText('Omar Hassan (child of Mona Hassan)')).toBeVisible();
    await alike.getByRole('button', { name: 'Understood' }).click();
    await expect(page).toHaveURL('/adminDashboard');
    await expect(familyOf(page, 'Sara Ibrahim').getByText('Nour Ibrahim')).toBeVisible();
  });
});
