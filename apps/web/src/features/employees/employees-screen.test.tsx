/** Employees: loading, failures, search, a hundred rows page by page, long names, Arabic; adding and deleting one. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { sheetRoutes } from '@haris/contract/http/sheets';
import type { Admin } from '@haris/contract/objects';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { handle, offline, pending, refuse, server } from '../../testing/contract-server.ts';
import { serveNoMailServer } from '../../testing/no-mail-server.ts';
import { admin, LONG_NAME } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

const salma = admin();
const nadia = admin({
  _id: 'admin-nadia',
  name: 'Nadia Farouk',
  email: 'nadia@haris.example',
  nationalId: '29503120101234',
});
const open = (options = {}) => renderScreen('/viewEmployees', { as: { admin: salma }, ...options });
const rows = async () =>
  within(await screen.findByRole('list', { name: 'Employee Roster' })).getAllByRole('listitem');
const PAGE = 50;

/** Serves a roster that adding and deleting change. */
function serveRoster(...known: Admin[]): { readonly admins: readonly Admin[] } {
  const roster = { admins: known };
  server.use(
    handle(accountRoutes.listAdmins, ({ query: { search = '', cursor = '0' } }) => {
      const found = roster.admins.filter(({ name, email }) => `${name} ${email}`.includes(search));
      const end = Number(cursor) + PAGE;
      return {
        admins: found.slice(Number(cursor), end),
        total: found.length,
        nextCursor: end < found.length ? String(end) : null,
      };
    }),
    handle(accountRoutes.createAdmin, ({ body: { name, email, nationalId } }) => {
      if (roster.admins.some((one) => one.email === email)) return refuse('email_taken');
      const made = admin({ _id: 'admin-new', name, email, nationalId, emailVerified: false });
      roster.admins = [...roster.admins, made];
      return { message: 'Admin created', admin: made };
    }),
    handle(accountRoutes.deleteAdmin, ({ params: { id } }) => {
      roster.admins = roster.admins.filter(({ _id }) => _id !== id);
      return { message: 'Admin deleted', homeAssistantAccounts: { ended: 0, handedOver: 0 } };
    }),
  );
  return roster;
}

describe('the list', () => {
  test('says that it is loading', async () => {
    server.use(handle(accountRoutes.listAdmins, pending));
    await open();
    expect(await screen.findByRole('status', { name: 'Loading…' })).toBeInTheDocument();
  });

  test.each([
    ['the server fails', refuse('internal_error')],
    ['there is no connection', offline],
  ] as const)('when %s it says so, and can be loaded again', async (_why, answer) => {
    server.use(handle(accountRoutes.listAdmins, answer));
    const { user } = await open();
    expect(await screen.findByText('Error loading employees.')).toBeInTheDocument();
    serveRoster(salma, nadia);
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await rows()).toHaveLength(2);
  });

  test('without anybody, and without a match', async () => {
    const { user } = await open();
    expect(await screen.findByText('No employees registered yet.')).toBeInTheDocument();
    await user.type(screen.getByRole('searchbox', { name: 'Search employees' }), 'zz');
    expect(await screen.findByText('No match for “zz”.')).toBeInTheDocument();
  });

  test('a hundred and twenty are loaded page by page, long names whole', async () => {
    const many = Array.from({ length: 120 }, (_, n) =>
      admin({ _id: `admin-${n}`, name: `${LONG_NAME}${n}`, email: `a${n}@haris.example` }),
    );
    serveRoster(...many);
    const { user } = await open({ size: 'phone' });
    expect(await screen.findByText('120 employees')).toBeInTheDocument();
    expect(await rows()).toHaveLength(PAGE);
    await user.click(screen.getByRole('button', { name: 'Load more' }));
    await waitFor(async () => expect(await rows()).toHaveLength(2 * PAGE));
    expect(screen.getByText(`${LONG_NAME}99`)).toBeInTheDocument();
  });

  test('in Arabic: right to left, counted in its own forms, only the last digits of a national ID', async () => {
    serveRoster(salma, nadia);
    await open({ language: 'ar' });
    expect(await screen.findByText('موظفان')).toBeInTheDocument();
    expect(document.documentElement).toHaveAttribute('dir', 'rtl');
    expect(document.body).not.toHaveTextContent('29503120101234');
  });
});

test('an employee is added: problems stand at their fields, then the row is there, not verified', async () => {
  serveRoster(salma, nadia);
  const { user } = await open();
  await rows();
  await user.click(screen.getByRole('button', { name: 'Add Employee' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add New Employee' }));
  await user.type(dialog.getByRole('textbox', { name: /^Full name/ }), 'Karim Adel');
  await user.type(dialog.getByRole('textbox', { name: /^Email/ }), 'nadia@haris.example');
  await user.type(dialog.getByLabelText(/^Password/), 'secret-of-8');
  await user.type(dialog.getByRole('textbox', { name: /^National ID/ }), '123');
  const submit = dialog.getByRole('button', { name: 'Add Employee' });
  await user.click(submit);
  expect(await dialog.findByText('Invalid national ID format')).toBeInTheDocument();
  await expectAccessible();
  await user.clear(dialog.getByRole('textbox', { name: /^National ID/ }));
  await user.type(dialog.getByRole('textbox', { name: /^National ID/ }), '29107250105678');
  await user.click(submit);
  expect(await screen.findByText('An account with this email already exists.')).toBeInTheDocument();
  await user.clear(dialog.getByRole('textbox', { name: /^Email/ }));
  await user.type(dialog.getByRole('textbox', { name: /^Email/ }), 'karim@haris.example');
  await user.click(submit);
  const row = (await screen.findByText('Karim Adel')).closest('li');
  expect(row).toHaveTextContent('Email not verified');
  expect(row).toHaveTextContent('ending in');
});

test('nobody can delete the own account; another is deleted after a question', async () => {
  serveRoster(salma, nadia);
  const { user } = await open();
  await rows();
  const own = screen.getByRole('button', { name: 'Delete Employee Salma Adel' });
  expect(own).toHaveAttribute('aria-disabled', 'true');
  await user.click(own);
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Delete Employee Nadia Farouk' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete Employee' }));
  expect(dialog.getByText('Delete Nadia Farouk?')).toBeInTheDocument();
  await expectAccessible();
  await user.click(dialog.getByRole('button', { name: 'Delete Employee' }));
  await waitFor(async () => expect(await rows()).toHaveLength(1));
  expect(await screen.findByText('1 employee')).toHaveFocus();
});

test('the link to verify an address is mailed again once, and then not for a while', async () => {
  const karim = admin({
    _id: 'admin-karim',
    name: 'Karim Adel',
    email: 'karim@haris.example',
    emailVerified: false,
  });
  serveRoster(salma, karim);
  let sent = 0;
  server.use(
    handle(sheetRoutes.resendAdminLink, () =>
      sent++ === 0 ? { message: 'Sent', admin: karim } : refuse('too_many_attempts', { retryAfter: 60 }),
    ),
  );
  const { user } = await open();
  const again = await screen.findByRole('button', { name: 'Send link again: Karim Adel' });
  await user.click(again);
  expect(await screen.findByText('A new link was emailed.')).toBeInTheDocument();
  await user.click(again);
  expect(await screen.findByText(/^The last link is only a few minutes old/)).toBeInTheDocument();
});

describe('the e-mail of an employee', () => {
  const correct = async (language: 'en' | 'ar', size: 'phone' | 'desk', dialogName: RegExp) => {
    const page = await open({ language, size });
    await page.user.click(await screen.findByRole('button', { name: dialogName }));
    return { ...page, dialog: within(await screen.findByRole('dialog', { name: dialogName })) };
  };

  test.each([
    ['en', 'desk', /^Correct email: Nadia/, /^Email/, 'Save', /^A link was sent to/, /^Waits for its link/],
    [
      'ar',
      'phone',
      /^تصحيح البريد الإلكتروني: Nadia/,
      /^البريد/,
      'حفظ',
      /^أُرسل رابط إلى/,
      /^بانتظار فتح الرابط/,
    ],
  ] as const)(
    'is corrected, and waits for its link: %s, %s',
    async (language, size, name, label, save, sent, waits) => {
      const roster = serveRoster(salma, nadia);
      const asked: unknown[] = [];
      server.use(
        handle(sheetRoutes.changeStaffEmail, ({ params: { id }, body: { email } }) => {
          asked.push([id, email]);
          if (email === salma.email) return refuse('email_taken');
          const changed = { ...nadia, pendingEmail: email };
          Object.assign(roster, { admins: [salma, changed] });
          return { message: 'Saved', admin: changed };
        }),
      );
      const { user, dialog } = await correct(language, size, name);
      const field = dialog.getByRole('textbox', { name: label });
      expect(field).toHaveValue(nadia.email);
      await user.clear(field);
      await user.type(field, `${salma.email}{Enter}`);
      await waitFor(() => expect(field).toHaveAccessibleDescription(/./));
      await waitFor(() => expect(asked).toHaveLength(1));
      await user.clear(field);
      await user.type(field, 'nadia.farouk@haris.example');
      await user.click(dialog.getByRole('button', { name: save }));
      expect(await screen.findByText(sent)).toBeInTheDocument();
      expect(asked.at(-1)).toEqual(['admin-nadia', 'nadia.farouk@haris.example']);
      expect(await screen.findByText(waits)).toHaveTextContent('nadia.farouk@haris.example');
    },
  );

  test('is no matter for whoever may not manage staff', async () => {
    serveRoster(salma, nadia);
    await renderScreen('/viewEmployees', { as: { admin: admin({ permissions: ['staff.view'] }) } });
    await rows();
    expect(screen.queryByRole('button', { name: /^Correct email/ })).not.toBeInTheDocument();
  });
});

test('in Arabic no words of the library are left in English', async () => {
  serveRoster(salma);
  const { user } = await renderScreen('/viewEmployees', { as: { admin: salma }, language: 'ar' });
  await user.click(await screen.findByRole('button', { name: 'إضافة موظف' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'إضافة موظف جديد' }));
  expect(dialog.getByLabelText('إظهار كلمة المرور أو إخفاؤها')).toBeInTheDocument();
  expect(dialog.queryByLabelText(/[a-z]{4}/i)).toBeNull();
});

test.each([
  {
    language: 'en',
    again: 'Make a new link: Nadia Farouk',
    reset: 'Reset second factor: Nadia Farouk',
    told: /All sessions end\. No mail says so/,
  },
  {
    language: 'ar',
    again: 'إنشاء رابط جديد: Nadia Farouk',
    reset: /^إعادة ضبط وسيلة التحقق.*Nadia Farouk/,
    told: /ولا تُرسل رسالة بذلك/,
  },
] as const)(
  'without a mail server nothing is said to be mailed: $language',
  async ({ language, again, reset, told }) => {
    serveNoMailServer();
    serveRoster(salma, { ...nadia, emailVerified: false, hasSecondFactor: true });
    const { user } = await open({ language });
    expect(await screen.findByRole('button', { name: again })).toBeVisible();
    await user.click(screen.getByRole('button', { name: reset }));
    const dialog = await screen.findByRole('dialog');
    expect(await within(dialog).findByText(told)).toBeVisible();
    expect(dialog).not.toHaveTextContent(/an email says so|وتُرسل رسالة بريد/);
  },
);
