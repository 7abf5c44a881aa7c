/** Families from a spreadsheet: read as it is, put right, and then all of it or nothing. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { wordsOf } from './harness/words.ts';

async function choose(page: Page, name: string, text: string | Buffer): Promise<void> {
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text as string) });
}

/** Windows-1256, as far as these tests need it. */
function windows1256(text: string): Buffer {
  const decoder = new TextDecoder('windows-1256');
  const bytes = new Map(
    Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte] as const),
  );
  return Buffer.from([...text].map((letter) => bytes.get(letter) ?? 0x3f));
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
  await expect(page.getByText('3 rows are not right')).toBeVisible();
  const wrong = page.getByRole('region', { name: 'What is to be put right' });
  await expect(wrong.getByRole('row', { name: /Ali Samir/ })).toHaveText(
    /2.*Ali Samir.*Invalid email format.*Invalid phone number format/,
  );
  await expect(wrong.getByRole('row', { name: /Again/ })).toContainText(
    'An account with this email already exists',
  );
  await expect(wrong.getByRole('row', { name: /Twice/ })).toContainText(
    'This email stands in the file more than once',
  );
  await expect(page.getByRole('button', { name: 'Import 4 parents' })).toBeDisabled();

  await page.getByRole('button', { name: 'Another file' }).click();
  await choose(
    page,
    'families.csv',
    text('"Hassan, Mona",mona@haris.example,1012345678,A\r\nAli Samir,ali@haris.example,,B\r\n'),
  );
  await expect(page.getByText('All 2 rows can be imported.')).toBeVisible();
  // The answer is lost on the way: pressed again, nothing is done twice.
  let lost = false;
  await page.route('**/api/imports/parents', async (route) => {
    if (lost) return route.continue();
    lost = true;
    await route.fetch();
    await route.abort('connectionreset');
  });
  trap.expectBlocked(/\/api\/imports\/parents/);
  await page.getByRole('button', { name: 'Import 2 parents' }).click();
  await expect(page.getByText('No answer came. Please press the button again')).toBeVisible();
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
  await page.getByRole('link', { name: 'To the families' }).click();
  await expect(page.getByText('Hassan, Mona').first()).toBeVisible();
});

test('an import that stopped half-way is sent again as it was, and who was left out is named', async ({
  api,
  visit,
}) => {
  const { page, trap } = await visit({ as: await api.administrator() });
  trap.expectHttp(503, '/api/imports/parents');
  await page.goto('/importFamilies');
  await choose(
    page,
    'families.csv',
    'Name,Email\r\nHala Adel,hala@haris.example\r\nOmar Adel,omar@haris.example\r\n',
  );
  await expect(page.getByText('All 2 rows can be imported.')).toBeVisible();
  const keys: (string | undefined)[] = [];
  const message = 'The import stopped after 1 of 2 rows. Send it again: nobody is added twice.';
  await page.route('**/api/imports/parents', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    const [status, json] =
      keys.length === 1
        ? [503, { code: 'import_unfinished', message }]
        : [
            201,
            {
              message: 'Parents imported successfully',
              created: 1,
              leftOut: [{ row: 1, field: 'email', message: 'An account with this e-mail already exists' }],
            },
          ];
    await route.fulfill({ status: Number(status), json });
  });
  await page.getByRole('button', { name: 'Import 2 parents' }).click();
  await expect(page.getByText(message)).toBeVisible();
  await page.getByRole('button', { name: 'Import 2 parents' }).click();
  await expect(page.getByRole('heading', { name: '1 parent was added' })).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('1 row was not added');
  await expect(page.getByRole('alert')).toContainText('Rows: 2.');
  expect(keys[0]).toBe(keys[1]);
});

test('in Arabic, from an old Excel on a phone: the code page and the columns are found', async ({
  api,
  visit,
  mailTo,
}) => {
  const t = wordsOf('ar');
  const { page } = await visit({ as: await api.administrator(), language: 'ar', size: 'phone' });
  await page.goto('/importFamilies');
  await choose(
    page,
    'قائمة.csv',
    windows1256('الاسم;البريد الإلكتروني;رقم الموبايل\r\nهدى سمير;huda@haris.example;01112345678\r\n'),
  );
  await expect(page.getByText(t('imports:codePage.title'))).toBeVisible();
  await expect(page.getByText('هدى سمير')).toBeVisible();
  await page.getByRole('button', { name: t('imports:submit_one') }).click();
  await expect(page.getByRole('heading', { name: t('imports:done_one') })).toBeVisible();
  expect((await mailTo('huda@haris.example')).subject).toBe('دعوتك إلى حارس');
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
});

test('cells can be pasted, columns told by hand, and what is no list is refused in words', async ({
  api,
  visit,
}) => {
  const { page } = await visit({ as: await api.administrator() });
  await page.goto('/importFamilies');
  await choose(page, 'families.xlsx', Buffer.from('PK\x03\x04 a workbook'));
  await expect(page.getByRole('alert')).toContainText('This is a workbook. Please save it as CSV');
  await choose(page, 'empty.csv', 'Name,Email\r\n');
  await expect(page.getByRole('alert')).toHaveText('There is no row below the names of the columns.');
  await page
    .getByRole('textbox', { name: 'Or paste from a spreadsheet' })
    .fill('Who\tWhere\nNadia Farouk\tnadia@haris.example');
  await page.getByRole('button', { name: 'Read what was pasted' }).click();
  await expect(page.getByRole('button', { name: 'Import 1 parent' })).toBeDisabled();
  for (const [field, column] of [
    ['Full name', 'Who'],
    ['Email', 'Where'],
  ] as const) {
    await page.getByRole('combobox', { name: field }).click();
    await page.getByRole('option', { name: column }).click();
  }
  await expect(page.getByText('The row can be imported.')).toBeVisible();
  await page.getByRole('button', { name: 'Import 1 parent' }).click();
  await expect(page.getByRole('heading', { name: '1 parent was added' })).toBeVisible();
});

test('an empty list to fill in is read back as it is', async ({ api, visit }) => {
  const { page } = await visit({ as: await api.administrator() });
  await page.goto('/importFamilies');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download an empty list' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe('haris-families.csv');
  await page.locator('input[type="file"]').setInputFiles(await file.path());
  await expect(page.getByRole('alert')).toHaveText('There is no row below the names of the columns.');
});
