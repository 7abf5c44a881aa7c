/** Import of families from a spreadsheet: read as it is, corrected, then all or nothing. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

test.use({ hasEngine: false });

async function choose(page: Page, name: string, text: string | Buffer): Promise<void> {
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text as string) });
}

test('a file with mistakes imports nothing; put right, it imports all, once', async ({
  api,
  visit,
  mailTo,
}) => {
  const staff = await api.administrator();
  const known = await api.family('Known Already');
  const { page, trap } = await visit({ as: staff });
  await page.goto('/adminDashboard');
  await page.getByRole('link', { name: 'Import Families' }).click();
  const text = (rows: string) => `Full name,E-mail,Mobile,Class\r\n${rows}`;
  await choose(
    page,
    'families.csv',
    text(
      `"Hassan, Mona",mona@haris.example,1012345678,A\r\nAli Samir,ali@,0123,B\r\nAgain,${known.email},,A\r\nTwice,mona@haris.example,,A\r\n`,
    ),
  );
  await expect(page.getByText('families.csv: 4 rows')).toBeVisible();
  await expect(page.getByText('3 rows have errors')).toBeVisible();
  const wrong = page.getByRole('region', { name: 'Rows with errors' });
  await expect(wrong.getByRole('row', { name: /Ali Samir/ })).toHaveText(
    /2.*Ali Samir.*Invalid email format.*Invalid phone number format/,
  );
  await expect(wrong.getByRole('row', { name: /Again/ })).toContainText(
    'An account with this email already exists',
  );
  await expect(wrong.getByRole('row', { name: /Twice/ })).toContainText(
    'This email is in the file more than once',
  );
  await expect(page.getByRole('button', { name: 'Import 4 parents' })).toBeDisabled();

  await page.getByRole('button', { name: 'Another file' }).click();
  await choose(
    page,
    'families.csv',
    text('"Hassan, Mona",mona@haris.example,1012345678,A\r\nAli Samir,ali@haris.example,,B\r\n'),
  );
  await expect(page.getByText('All 2 rows can be imported.')).toBeVisible();
  // The response is lost; pressing again does nothing twice.
  let lost = false;
  await page.route('**/api/imports/parents', async (route) => {
    if (lost) return route.continue();
    lost = true;
    await route.fetch();
    await route.abort('connectionreset');
  });
  trap.expectBlocked(/\/api\/imports\/parents/);
  await page.getByRole('button', { name: 'Import 2 parents' }).click();
  await expect(page.getByText('No answer. Press the button again')).toBeVisible();
  await page.getByRole('button', { name: 'Import 2 parents' }).click();
  await expect(page.getByRole('heading', { name: '2 parents were added' })).toBeFocused();
  await expect(page.getByText('each needs a photo of the face')).toBeVisible();
  const { parents } = await api.call<{ parents: { name: string; phone: string | null }[] }>(
    '/api/parent/get-all-parents?search=haris.example',
    { token: staff.token },
  );
  expect(parents.map(({ name, phone }) => [name, phone])).toEqual(
    expect.arrayContaining([
      ['Hassan, Mona', '01012345678'],
      ['Ali Samir', null],
    ]),
  );
  const mail = await mailTo('mona@haris.example');
  expect(mail.subject).toBe('Your invitation to Haris');
  expect(mail.link).toContain('/reset-password/');
  await page.getByRole('link', { name: 'View families' }).click();
  await expect(page.getByText('Hassan, Mona').first()).toBeVisible();
});
