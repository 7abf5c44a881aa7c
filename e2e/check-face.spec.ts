/** "Who is this?": a known face gets a name; an uncertain one becomes a question with both photos, never an answer. */
import { paintPortrait } from '@haris/painter/portrait';
import { lookAlikeSeeds } from '@haris/painter/seeds';
import { expect, test } from './fixtures.ts';
import { FROM_CAMERA_MS, portraitFile } from './harness/camera.ts';

/** The person of the tests whose seed is the first look-alike seed. */
const LOOKALIKE = 7;

const words = {
  en: {
    take: 'Take or choose a photo',
    question: 'Is this Layla Hassan? Compare the photos.',
    yes: 'Yes, this is Layla Hassan',
    no: 'No',
    known: 'Layla Hassan, child of Mona Hassan',
    confirmed: 'You confirmed: Layla Hassan, child of Mona Hassan',
    unknown: 'Unknown face',
  },
  ar: {
    take: 'التقاط صورة أو اختيارها',
    question: 'هل هذا الوجه لـLayla Hassan؟ قارن بين الصورتين.',
    yes: 'نعم، Layla Hassan',
    no: 'لا',
    known: 'Layla Hassan، ابن/ابنة Mona Hassan',
    confirmed: 'تم التأكيد: Layla Hassan، ابن/ابنة Mona Hassan',
    unknown: 'وجه غير معروف',
  },
} as const;

for (const [language, size] of [
  ['en', 'desk'],
  ['ar', 'phone'],
] as const)
  test(`a face that is not surely known is a question to staff, ${language}`, async ({ api, visit }) => {
    const family = await api.family('Mona Hassan', { 'Layla Hassan': LOOKALIKE });
    const staff = await api.administrator();
    const { page } = await visit({ size, language, as: staff });
    const text = words[language];
    await page.goto('/checkFace');
    const show = async (buffer: Buffer) => {
      const choosing = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: text.take }).click();
      await (await choosing).setFiles({ name: 'seen.png', mimeType: 'image/png', buffer });
    };
    const alike = await paintPortrait({ seed: lookAlikeSeeds[1] });
    await show(alike);
    await expect(page.getByText(text.question)).toBeVisible({ timeout: FROM_CAMERA_MS });
    await expect(page.getByRole('main').locator('img')).toHaveCount(2);
    await expect(page.getByText(text.confirmed)).toHaveCount(0);
    await page.getByRole('button', { name: text.yes }).click();
    await expect(page.getByText(text.confirmed)).toBeVisible();

    await show(alike);
    await page.getByRole('button', { name: text.no, exact: true }).click();
    await expect(page.getByText(text.unknown)).toBeVisible();

    await show(await portraitFile(LOOKALIKE));
    await expect(page.getByText(text.known, { exact: true })).toBeVisible({ timeout: FROM_CAMERA_MS });
    await expect(page.getByRole('button', { name: text.no, exact: true })).toHaveCount(0);

    // The other language runs on the same server, where a second child with this face would become a candidate too.
    const path = `/api/parent/delete-parent/${family.id}`;
    await api.call(path, { method: 'DELETE', token: staff.token });
  });
