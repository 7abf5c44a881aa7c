/** A family sends a new photo: the desk still sees the old one, compares the two, and decides who it is. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import type { Api, Family } from './harness/api.ts';
import { portraitFile } from './harness/camera.ts';
import { childCard, familyOf, insideRow, notice } from './harness/person.ts';

/** Sends it like the parent's app. */
async function give(
  api: Api,
  family: Family,
  person: number | null,
  { name, child = 0 }: { name?: string; child?: number } = {},
): Promise<void> {
  const form = new FormData();
  if (person !== null)
    form.set(
      'photo',
      new Blob([new Uint8Array(await portraitFile(person))], { type: 'image/png' }),
      'new.png',
    );
  if (name !== undefined) form.set('name', name);
  const id = family.children[child]?._id ?? '';
  await api.call(`/api/children/update-child/${id}`, { method: 'PUT', token: family.token, form });
}

async function openEntryOf(page: Page, parent: string) {
  await page.getByRole('button', { name: 'Register Entry' }).filter({ visible: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Register Child Entry' });
  await expect(dialog.getByRole('combobox').first()).toBeFocused();
  await page.keyboard.type(parent);
  await expect(dialog.getByRole('checkbox')).toHaveCount(1);
  return dialog;
}

test('a new photo and name wait for the desk, which confirms them with the check-in', async ({
  api,
  visit,
}) => {
  const mona = await api.family('Mona Hassan', { 'Omar Hassan': 1 });
  const desk = (await visit({ as: await api.administrator() })).page;
  const phone = (await visit({ size: 'phone', as: mona })).page;
  await desk.goto('/adminDashboard');
  await phone.goto('/profile');

  await give(api, mona, 2, { name: 'Omar H. Hassan' });
  await expect(childCard(phone, 'Omar H. Hassan')).toContainText('Waiting for the nursery to confirm');
  const family = familyOf(desk, 'Mona Hassan');
  await expect(family.getByText('Omar Hassan', { exact: true })).toBeVisible();
  await expect(family.getByRole('button', { name: 'New photo waiting: Omar Hassan' })).toBeVisible();
  await expect(desk.getByRole('button', { name: /famil.+ to confirm/ })).toBeVisible();

  const dialog = await openEntryOf(desk, 'Mona');
  const question = dialog.getByRole('region', { name: 'Is this Omar Hassan?' });
  await expect(question.locator('img')).toHaveCount(2);
  for (const photo of await question.locator('img').all())
    await expect.poll(() => photo.evaluate((image) => image.naturalWidth)).toBeGreaterThan(80);
  await expect(question.locator('ins')).toHaveText('Omar H. Hassan');
  await dialog.getByRole('button', { name: 'This is the child: check in', exact: true }).click();
  await expect(notice(desk, 'Child checked in successfully')).toBeVisible();
  await expect(insideRow(desk, 'Omar H. Hassan').getByRole('timer')).toBeVisible();
  await expect(family.getByRole('button', { name: /waiting/ })).toHaveCount(0);
  await expect(childCard(phone, 'Omar H. Hassan')).not.toContainText('Waiting for the nursery');
});

test('found by the count in Parents & Children, by keyboard; rejected, and the parent is told', async ({
  api,
  visit,
}) => {
  const sara = await api.family('Dina Samir', { 'Ziad Samir': 3 });
  await api.family('Hala Fathy', { 'Tarek Fathy': 1 });
  const desk = (await visit({ as: await api.administrator() })).page;
  const phone = (await visit({ size: 'phone', as: sara })).page;
  await phone.goto('/profile');
  await expect(childCard(phone, 'Ziad Samir')).toBeVisible();
  await give(api, sara, 4);
  // The phone hears of the decision by the same stream.
  await expect(childCard(phone, 'Ziad Samir')).toContainText('Waiting for the nursery to confirm');
  await desk.goto('/adminDashboard');
  await desk.getByRole('button', { name: /famil.+ to confirm/ }).press('Enter');
  await expect(familyOf(desk, 'Hala Fathy')).toHaveCount(0);
  await desk.getByRole('button', { name: 'New photo waiting: Ziad Samir' }).press('Enter');
  const dialog = desk.getByRole('dialog', { name: 'Is this the child?' });
  await expect(dialog.locator('img')).toHaveCount(2);
  const told = notice(phone, 'The nursery did not accept your changes.').waitFor();
  await dialog.getByRole('button', { name: 'Not this child' }).press('Enter');
  await expect(notice(desk, 'Rejected. The family has been notified.')).toBeVisible();
  await expect(familyOf(desk, 'Dina Samir')).toHaveCount(0);
  await told;
  await desk.getByRole('button', { name: 'Show all families' }).click();
  await expect(familyOf(desk, 'Hala Fathy')).toBeVisible();
});

test('who looks alike is asked in the same place, before anything is accepted', async ({ api, visit }) => {
  await api.family('Rania Adel', { 'Karim Adel': 6 });
  const heba = await api.family('Heba Nabil', { 'Lina Nabil': 3 });
  await give(api, heba, 6);
  const { page, trap } = await visit({ as: await api.administrator() });
  trap.expectHttp(409, /\/checkin-child\//);
  await page.goto('/adminDashboard');
  const entry = await openEntryOf(page, 'Heba');
  await entry.getByRole('button', { name: 'This is the child: check in', exact: true }).click();
  const asked = entry.getByRole('alert', { name: /^Lina Nabil: / });
  await expect(asked).toBeFocused();
  await expect(asked).toContainText('Karim Adel');
  await expect(asked).toContainText(/Child of \u2068Rania Adel\u2069, \d+% alike/);
  await expect(insideRow(page, 'Lina Nabil')).toHaveCount(0);
  // The narrowest phone shows photos and answers together.
  await page.setViewportSize({ width: 320, height: 640 });
  await entry.getByRole('button', { name: /^Answer the question about/ }).click();
  await expect(asked.getByRole('button', { name: /^This is not/ })).toBeFocused();
  for (const seen of [...(await asked.locator('img').all()), ...(await asked.getByRole('button').all())])
    await expect(seen).toBeInViewport({ ratio: 1 });
  await asked.getByRole('button', { name: /: confirm and check in$/ }).click();
  await expect(insideRow(page, 'Lina Nabil').getByRole('timer')).toBeVisible();
});

test('two new photos, the period and the answer are seen together, on every screen', async ({
  api,
  visit,
}) => {
  const rasha = await api.family('Rasha Lotfy', { 'Yara Lotfy': 7, 'Seif Lotfy': 8 });
  await give(api, rasha, 9);
  await give(api, rasha, 10, { child: 1 });
  const admin = await api.administrator();
  const screens = [
    { width: 320, height: 640, language: 'en' },
    { width: 390, height: 844, language: 'ar' },
    { width: 820, height: 1180, language: 'en' },
    { width: 1440, height: 900, language: 'ar' },
  ] as const;
  for (const { width, height, language } of screens)
    await test.step(`${width} × ${height} px, ${language}`, async () => {
      const { page } = await visit({ as: admin, language });
      await page.setViewportSize({ width, height });
      await page.goto('/adminDashboard');
      const opener = { en: /^(Register Entry|Check in)$/, ar: /^تسجيل حضور$/ }[language];
      await page.getByRole('button', { name: opener }).filter({ visible: true }).first().click();
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByRole('combobox').first()).toBeFocused();
      await page.keyboard.type('rasha');
      await expect(dialog.getByRole('checkbox')).toHaveCount(2);
      await dialog.getByRole('checkbox', { checked: false }).first().click();
      await dialog.getByRole('checkbox', { checked: false }).click();
      const answer = {
        en: 'These are the children: check in 2',
        ar: 'هذان هما الطفلان: تسجيل حضورهما',
      }[language];
      await expect(dialog.getByRole('button', { name: answer })).toBeInViewport({ ratio: 1 });
      await expect(dialog.locator('figure')).toHaveCount(4);
      for (const photo of await dialog.locator('figure').all())
        await expect(photo).toBeInViewport({ ratio: 0.9 });
      await expect(dialog.getByRole('radiogroup')).toBeInViewport({ ratio: 1 });
      await page.close();
    });
});
