/** Numbers and times use the digits of the page's language; phone numbers and addresses stay as typed. */
import { expect, test } from './fixtures.ts';
import { moveEntryBack } from './harness/past.ts';

/** At least one of ٠١٢٣٤٥٦٧٨٩, and none of 0–9. */
const ARABIC_ONLY = /^[^0-9]*[\u0660-\u0669][^0-9]*$/;
const COUNTDOWN = /^[\u0660-\u0669]{2}:[\u0660-\u0669]{2}$/;

test('Arabic has Arabic-Indic digits, English has its own, without a reload', async ({
  server,
  api,
  visit,
}) => {
  const family = await api.family('منى حسن', { 'عمر حسن': 1 });
  const omar = family.children[0]?._id ?? '';
  await api.checkIn(omar, 60);
  moveEntryBack(server.dataDir, omar, 15 * 60_000);
  const { page } = await visit({ as: await api.administrator(), language: 'ar' });
  await page.goto('/adminDashboard');
  const timer = page.getByRole('timer');
  await expect(timer).toHaveText(COUNTDOWN);
  for (const time of await page.locator('time').all()) await expect(time).toHaveText(ARABIC_ONLY);
  await expect(page.getByText('وليّ أمر واحد')).toBeVisible();
  // As typed, and not reversed by the surrounding right-to-left text.
  const phone = page.locator('bdi[dir="ltr"]', { hasText: /^010/ });
  await expect(phone).toHaveText(/^010\d{8}$/);

  await page.locator('header button[lang="en"]').click();
  await expect(timer).toHaveText(/^\d{2}:\d{2}$/);
  await expect(page.locator('time').first()).toHaveText(/\d:\d{2}/);
});

test('plurals have their six forms', async ({ visit }) => {
  const { page } = await visit({ language: 'ar' });
  await page.goto('/register');
  // Six is "few" in Arabic: أحرف, not حرفًا or حرف.
  await expect(page.getByText('٦ أحرف على الأقل')).toBeVisible();
});
