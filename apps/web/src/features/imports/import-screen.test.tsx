/** Import of families: accepted files, problems of rows, and results. */
import { EMAIL_HAS_ACCOUNT, importRoutes } from '@haris/contract/http/imports';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { type Call, handle, offline, pending, refuse, server } from '../../testing/contract-server.ts';
import { admin, LONG_NAME } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

const staff = { admin: admin() };
const TWO = 'Name,Email\r\nHala Adel,hala@haris.example\r\nOmar Adel,omar@haris.example\r\n';

/** The server's response when all rows are valid. */
const allRight = handle(importRoutes.previewParentImport, ({ body }) => ({
  rows: body.rows.length,
  problems: [],
}));
beforeEach(() => server.use(handle(importRoutes.getImportProgress, { done: null })));

async function choose(
  user: UserEvent,
  content: string | Uint8Array<ArrayBuffer>,
  name = 'families.csv',
): Promise<void> {
  await user.upload(
    await screen.findByLabelText(/Choose a CSV file|اختر ملف CSV/, { selector: 'input' }),
    new File([content], name, { type: 'text/csv' }),
  );
}

/** Encodes text as Windows-1256, which `TextEncoder` does not support. */
function windows1256(text: string): Uint8Array<ArrayBuffer> {
  const decoder = new TextDecoder('windows-1256');
  const bytes = new Map(
    Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte] as const),
  );
  return Uint8Array.from([...text], (letter) => bytes.get(letter) ?? 0x3f);
}

test('while the rows are checked, the screen says so and nothing can be imported', async () => {
  server.use(handle(importRoutes.previewParentImport, pending));
  const { user } = await renderScreen('/importFamilies', { as: staff });
  await choose(user, TWO);
  expect(await screen.findByText('Checking the rows…')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Import 2 parents' })).toBeDisabled();
});

test('rows that are not right are named with what is wrong, and nothing can be imported', async () => {
  server.use(
    handle(importRoutes.previewParentImport, {
      rows: 3,
      problems: [
        { row: 1, field: 'email', message: 'Invalid email format' },
        { row: 1, field: 'phone', message: 'Invalid phone number format' },
        { row: 2, field: 'email', message: EMAIL_HAS_ACCOUNT },
      ],
    }),
  );
  const { user } = await renderScreen('/importFamilies', { as: staff });
  await choose(
    user,
    `Full name,E-mail,Mobile,Class\r\n"Hassan, Mona",mona@haris.example,1012345678,A\r\n${LONG_NAME},ali@,0123,B\r\nAgain,again@haris.example,,A\r\n`,
  );
  expect(await screen.findByText('families.csv: 3 rows')).toBeVisible();
  expect(await screen.findByText('2 rows have errors')).toBeVisible();
  const wrong = screen.getByRole('region', { name: 'Rows with errors' });
  expect(within(wrong).getByRole('row', { name: new RegExp(LONG_NAME) })).toHaveTextContent(
    /2.*ali@Invalid email format.*0123Invalid phone number format/,
  );
  expect(within(wrong).getByRole('row', { name: /Again/ })).toHaveTextContent(
    'An account with this email already exists',
  );
  expect(screen.getByRole('region', { name: 'Rows without errors' })).toHaveTextContent('Hassan, Mona');
  expect(screen.getByRole('button', { name: 'Import 3 parents' })).toBeDisabled();
  await expectAccessible();
  await user.click(screen.getByRole('button', { name: 'Another file' }));
  expect(await screen.findByRole('button', { name: 'Choose a CSV file' })).toBeVisible();
});

test('of a hundred rows ten are shown, and how many more there are', async () => {
  server.use(allRight);
  const { user } = await renderScreen('/importFamilies', { as: staff });
  const rows = Array.from({ length: 100 }, (_, n) => `Parent ${n},parent${n}@haris.example`);
  await choose(user, `Name,Email\r\n${rows.join('\r\n')}`);
  expect(await screen.findByText('All 100 rows can be imported.')).toBeVisible();
  expect(screen.getByText('and 90 more rows')).toBeVisible();
});

test('when the rows cannot be checked, the screen says so and tries again', async () => {
  let isDown = true;
  server.use(
    handle(importRoutes.previewParentImport, ({ body }) =>
      isDown ? offline : { rows: body.rows.length, problems: [] },
    ),
  );
  const { user } = await renderScreen('/importFamilies', { as: staff });
  await choose(user, TWO);
  expect(await screen.findByRole('alert')).toHaveTextContent('The rows could not be checked.');
  isDown = false;
  await user.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByText('All 2 rows can be imported.')).toBeVisible();
});

test('while the rows are written, it says how many are done', async () => {
  const written = Promise.withResolvers<void>();
  const asked: (string | null)[] = [];
  server.use(
    allRight,
    handle(importRoutes.importParents, async ({ headers }) => {
      asked.push(headers.get('idempotency-key'));
      await written.promise;
      return { message: 'Imported', created: 2, leftOut: [] };
    }),
    handle(importRoutes.getImportProgress, ({ headers }) => {
      asked.push(headers.get('idempotency-key'));
      return { done: 1 };
    }),
  );
  const { user } = await renderScreen('/importFamilies', { as: staff });
  await choose(user, TWO);
  const button = await screen.findByRole('button', { name: 'Import 2 parents' });
  await waitFor(() => expect(button).toBeEnabled());
  await user.click(button);
  expect(await screen.findByRole('progressbar', { name: '1 of 2 rows are done' })).toBeVisible();
  expect(new Set(asked).size).toBe(1);
  written.resolve();
  expect(await screen.findByRole('heading', { name: '2 parents were added' })).toBeVisible();
});

test('an answer that is lost: pressed again, the same rows go with the same key', async () => {
  const keys: (string | null)[] = [];
  server.use(
    allRight,
    handle(importRoutes.importParents, ({ headers }) => {
      keys.push(headers.get('idempotency-key'));
      return keys.length === 1 ? offline : { message: 'Imported', created: 2, leftOut: [] };
    }),
  );
  const { user } = await renderScreen('/importFamilies', { as: staff });
  await choose(user, TWO);
  const button = await screen.findByRole('button', { name: 'Import 2 parents' });
  await waitFor(() => expect(button).toBeEnabled());
  await user.click(button);
  await screen.findByText(/^No answer\. Press the button again/);
  await user.click(button);
  const heading = await screen.findByRole('heading', { name: '2 parents were added' });
  await waitFor(() => expect(heading).toHaveFocus());
  expect(screen.getByText(/each needs a photo of the face/)).toBeVisible();
  expect(keys[0]).toBe(keys[1]);
});

test('an import that stopped half-way is sent again as it was, and who was left out is named', async () => {
  const message = 'The import stopped after 1 of 2 rows. Send it again: nobody is added twice.';
  const keys: (string | null)[] = [];
  server.use(
    allRight,
    handle(importRoutes.importParents, ({ headers }) => {
      keys.push(headers.get('idempotency-key'));
      if (keys.length === 1) return refuse('import_unfinished', { message });
      return {
        message: 'Imported',
        created: 1,
        leftOut: [{ row: 1, field: 'email', message: EMAIL_HAS_ACCOUNT }],
      };
    }),
  );
  const { user } = await renderScreen('/importFamilies', { as: staff });
  await choose(user, TWO);
  const button = await screen.findByRole('button', { name: 'Import 2 parents' });
  await waitFor(() => expect(button).toBeEnabled());
  await user.click(button);
  await screen.findByText(message);
  await user.click(button);
  expect(await screen.findByRole('heading', { name: '1 parent was added' })).toBeVisible();
  expect(screen.getByRole('alert')).toHaveTextContent(/1 row was not added.*Rows: 2\./);
  expect(keys[0]).toBe(keys[1]);
});

test('a row that is wrong by now is looked at again', async () => {
  let previews = 0;
  server.use(
    handle(importRoutes.previewParentImport, () => ({
      rows: 2,
      problems: previews++ === 0 ? [] : [{ row: 0, field: 'email', message: EMAIL_HAS_ACCOUNT }],
    })),
    handle(importRoutes.importParents, refuse('import_refused')),
  );
  const { user } = await renderScreen('/importFamilies', { as: staff });
  await choose(user, TWO);
  const button = await screen.findByRole('button', { name: 'Import 2 parents' });
  await waitFor(() => expect(button).toBeEnabled());
  await user.click(button);
  await screen.findByText('Some rows have errors. Nothing was imported.');
  expect(await screen.findByText('1 row has an error')).toBeVisible();
});

test('an old Excel in Arabic: code page and columns are found, the invitations are in Arabic', async () => {
  let sent: Call<typeof importRoutes.importParents>['body'] | undefined;
  server.use(
    allRight,
    handle(importRoutes.importParents, ({ body }) => {
      sent = body;
      return { message: 'Imported', created: 1, leftOut: [] };
    }),
  );
  const { user } = await renderScreen('/importFamilies', { as: staff, language: 'ar', size: 'phone' });
  await choose(
    user,
    windows1256('الاسم;البريد الإلكتروني;رقم الموبايل\r\nهدى سمير;huda@haris.example;01112345678\r\n'),
    'قائمة.csv',
  );
  expect(document.documentElement).toHaveAttribute('dir', 'rtl');
  expect(await screen.findByText('قُرئ بترميز ويندوز العربي (1256)')).toBeVisible();
  expect(await screen.findByText('هدى سمير')).toBeVisible();
  const button = screen.getByRole('button', { name: 'استيراد وليّ أمر واحد' });
  await waitFor(() => expect(button).toBeEnabled());
  await user.click(button);
  expect(await screen.findByRole('heading', { name: 'أُضيف وليّ أمر واحد' })).toBeVisible();
  expect(sent).toEqual({
    rows: [{ name: 'هدى سمير', email: 'huda@haris.example', phone: '01112345678' }],
    language: 'ar',
  });
});

test.each([
  ['families.xlsx', 'PK\x03\x04 a workbook', 'This is a workbook. Please save it as CSV'],
  ['rows.csv', 'Name,Email\r\n', 'There are no rows below the column names.'],
  ['empty.csv', '', 'The file is empty.'],
  [
    'many.csv',
    `Name,Email\r\n${'A,a@haris.example\r\n'.repeat(2001)}`,
    'A file may have up to 2,000 rows. Please split it.',
  ],
])('%s is refused in words', async (name, content, words) => {
  const { user } = await renderScreen('/importFamilies', { as: staff });
  await choose(user, content, name);
  expect(await screen.findByRole('alert')).toHaveTextContent(words);
});

test('cells can be pasted, and the columns told by hand', async () => {
  server.use(allRight);
  const { user } = await renderScreen('/importFamilies', { as: staff });
  await user.click(await screen.findByRole('textbox', { name: 'Or paste from a spreadsheet' }));
  await user.paste('Who\tWhere\nNadia Farouk\tnadia@haris.example');
  await user.click(screen.getByRole('button', { name: 'Preview' }));
  expect(await screen.findByRole('button', { name: 'Import 1 parent' })).toBeDisabled();
  for (const [field, column] of [
    ['Full name', 'Who'],
    ['Email', 'Where'],
  ] as const) {
    await user.click(screen.getByRole('combobox', { name: field }));
    await user.click(await screen.findByRole('option', { name: column }));
  }
  expect(await screen.findByText('The row can be imported.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Import 1 parent' })).toBeEnabled();
});

test('an empty list to fill in is read back as one without rows', async () => {
  const saved: { name: string; blob: Blob }[] = [];
  let blob = new Blob();
  vi.spyOn(URL, 'createObjectURL').mockImplementation((given) => {
    if (given instanceof Blob) blob = given;
    return 'blob:list';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
    saved.push({ name: this.download, blob });
  });
  const { user } = await renderScreen('/importFamilies', { as: staff });
  await user.click(await screen.findByRole('button', { name: 'Download a template' }));
  expect(saved.map(({ name }) => name)).toEqual(['haris-families.csv']);
  await choose(user, new Uint8Array(await blob.arrayBuffer()));
  expect(await screen.findByRole('alert')).toHaveTextContent('There are no rows below the column names.');
});
