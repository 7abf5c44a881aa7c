/** Without a mail server no screen says that a mail was sent; each says what to do instead. */
import { NOT_VERIFIED_NO_MAIL } from '@haris/contract/errors';
import { accountRoutes } from '@haris/contract/http/accounts';
import { notificationRoutes } from '@haris/contract/http/notifications';
import { type Registration, vouchingRoutes } from '@haris/contract/http/vouching';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { handle, refuse, server } from '../testing/contract-server.ts';
import { serveNoMailServer } from '../testing/no-mail-server.ts';
import { admin, parent } from '../testing/people.ts';
import { renderScreen } from '../testing/render-screen.tsx';

const SAID_SENT = /(we|has been|have) sent|is sent to it|will send|on its way|(أرسلنا|سنرسل|يُرسل إليه)/i;

beforeEach(serveNoMailServer);

function serveRegistration(more: Partial<Registration>): void {
  server.use(
    handle(vouchingRoutes.getRegistration, {
      registration: {
        by: 'self',
        at: '2026-03-01T08:00:00.000Z',
        from: '203.0.113.0/24',
        near: 'elsewhere',
        name: 'Sara Ibrahim',
        vouchedAt: null,
        disownedAt: null,
        hasProvenPassword: false,
        children: 0,
        ...more,
      },
    }),
  );
}

const main = () => screen.getByRole('main');

test.each([
  ['en', 'Forgot password?', /ask the staff at the desk for a link/],
  ['ar', 'هل نسيت كلمة المرور؟', /اطلب من موظفي الاستقبال رابطًا/],
] as const)('“Forgot password” sends to the desk: %s', async (language, title, told) => {
  server.use(handle(accountRoutes.forgotPassword, { message: 'Asked' }));
  const { user } = await renderScreen('/forgot-password', { language });
  await screen.findByRole('heading', { name: title });
  expect(await screen.findByText(told)).toBeVisible();
  expect(main()).not.toHaveTextContent(SAID_SENT);
  await user.type(screen.getByRole('textbox'), 'mona@haris.example{Enter}');
  expect(await screen.findByRole('status')).toHaveTextContent(/staff at the desk|الموظفين في الاستقبال/);
  expect(main()).not.toHaveTextContent(SAID_SENT);
});

test.each([
  ['en', '/login', accountRoutes.parentLogin, 'parent', NOT_VERIFIED_NO_MAIL.parent],
  ['en', '/login?isAdmin=true', accountRoutes.adminLogin, 'admin', NOT_VERIFIED_NO_MAIL.admin],
  ['ar', '/login', accountRoutes.parentLogin, 'parent', /اطلب من موظفي الاستقبال تأكيد حسابك/],
  ['ar', '/login?isAdmin=true', accountRoutes.adminLogin, 'admin', /اطلب من أحد المسؤولين تأكيده/],
] as const)(
  'the login of an account that is not verified: %s %s',
  async (language, path, route, kind, told) => {
    const message = NOT_VERIFIED_NO_MAIL[kind];
    server.use(handle(route, () => refuse('email_not_verified', { message })));
    const { user } = await renderScreen(path, { language });
    await user.type(await screen.findByRole('textbox'), 'mona@haris.example');
    await user.type(
      screen.getByLabelText(/^(Password|كلمة المرور)$/, { selector: 'input' }),
      'chosen-by-mona{Enter}',
    );
    const [note] = await screen.findAllByRole('note');
    expect(note).toHaveTextContent(told);
    expect(main()).not.toHaveTextContent(SAID_SENT);
  },
);

test.each([
  ['/verify-parent/ended', accountRoutes.verifyParentEmail, /what to do at the desk/],
  ['/verify/ended', accountRoutes.verifyAdminEmail, /ask an administrator to mark it/],
] as const)('a link that has ended: %s', async (path, route, told) => {
  server.use(handle(route, () => refuse('invalid_token')));
  await renderScreen(path);
  expect(await screen.findByText(told)).toBeVisible();
  expect(main()).not.toHaveTextContent(SAID_SENT);
});

test('an answer from the old address', async () => {
  server.use(handle(vouchingRoutes.answerEmailChange, { message: 'Saved' }));
  const { user } = await renderScreen('/change-email/some-token');
  await user.click(await screen.findByRole('button', { name: 'Yes, change it' }));
  expect(await screen.findByText(/ask the staff at the desk for the link to the new email/)).toBeVisible();
  expect(main()).not.toHaveTextContent(SAID_SENT);
});

test.each([
  ['en', 'Add Employee', /Mark the email as verified in the list of employees/],
  ['ar', 'إضافة موظف', /أكّد البريد بنفسك في قائمة الموظفين/],
] as const)('Add Employee: %s', async (language, name, told) => {
  const { user } = await renderScreen('/viewEmployees', { as: { admin: admin() }, language });
  const [add] = await screen.findAllByRole('button', { name });
  if (add === undefined) throw new Error('no button');
  await user.click(add);
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText(told)).toBeVisible();
  expect(screen.getByRole('dialog')).not.toHaveTextContent(SAID_SENT);
});

const SAVED_SENT = /tell you by email|سنخبرك بالبريد/;

test.each([
  ['en', /signed out on all other devices\.$/],
  ['ar', /تسجيل خروجك من كل الأجهزة الأخرى\.$/],
] as const)('the own password: %s', async (language, told) => {
  await renderScreen('/password', { as: { admin: admin() }, language });
  expect(await screen.findByText(told)).toBeVisible();
  expect(main()).not.toHaveTextContent(SAVED_SENT);
});

test.each([
  [
    'en',
    /cannot send mail yet: notifications by email do not arrive/,
    'Send a test',
    /Not sent, but kept on the server/,
  ],
  ['ar', /لا تصل الإشعارات بالبريد الإلكتروني/, 'إرسال اختبار', /لم يُرسل، بل حُفظ على الخادم/],
] as const)('notifications by mail: %s', async (language, told, press, kept) => {
  const mailed = {
    way: 'mail',
    device: null,
    state: 'sent',
    reason: null,
    attempts: 1,
    arrivedAt: null,
  } as const;
  const sent = { _id: 'test-1', deliveries: [mailed] };
  server.use(
    handle(notificationRoutes.listPushDevices, { devices: [] }),
    handle(notificationRoutes.getNoticePreferences, {
      preferences: { kinds: {}, quietHours: null, areas: null, locked: [] },
    }),
    handle(notificationRoutes.sendNoticeTest, { test: sent }),
    handle(notificationRoutes.getNoticeTest, { test: sent }),
  );
  const { user } = await renderScreen('/notices', { as: { parent: parent() }, language });
  expect(await screen.findByText(told)).toBeVisible();
  expect(main()).not.toHaveTextContent(/Email always works|البريد الإلكتروني فيعمل/);
  await user.click(screen.getByRole('button', { name: press }));
  expect(await screen.findByText(kept)).toBeVisible();
});

test.each([
  ['en', /I have checked the address: make the link/, /makes a link to set a password, but cannot mail it/],
  ['ar', /تحققت من العنوان: إنشاء الرابط/, /لتعيين كلمة المرور، لكن لا يمكننا إرساله/],
] as const)('the address of an account whose owner did not register: %s', async (language, press, told) => {
  serveRegistration({ disownedAt: '2026-03-02T08:00:00.000Z' });
  await renderScreen('/addChild?parentId=parent-sara', { as: { admin: admin() }, language });
  expect(await screen.findByRole('button', { name: press })).toBeVisible();
  expect(screen.getByText(told)).toBeVisible();
});

test.each([
  ['en', /There is then a link to set a new one, but it is not mailed/, /we email the parent/],
  ['ar', /رابط لتعيين كلمة مرور جديدة، لكنه لا يُرسل بالبريد/, /سنرسل|نرسل إلى بريد/],
] as const)('a first child for a password that nobody has proven: %s', async (language, told, sent) => {
  serveRegistration({});
  await renderScreen('/addChild?parentId=parent-sara', { as: { admin: admin() }, language });
  expect(await screen.findByText(told)).toBeVisible();
  expect(main()).not.toHaveTextContent(sent);
});

test('vouching without the parent’s phone makes a link, and says that nobody mails it', async () => {
  serveRegistration({});
  server.use(handle(accountRoutes.markParentVerified, { message: 'Verified', parent: parent() }));
  const { user } = await renderScreen('/addChild?parentId=parent-sara', { as: { admin: admin() } });
  const region = await screen.findByRole('region', { name: /Before the first child/ });
  await waitFor(() => expect(region).toHaveTextContent(/No mail server is set up yet/));
  expect(region).toHaveTextContent(/but cannot mail it/);
  await user.click(within(region).getByRole('button', { name: 'Make the link instead' }));
  expect(
    await screen.findByText('The account is confirmed. The link to set a new password was not mailed.'),
  ).toBeInTheDocument();
});
