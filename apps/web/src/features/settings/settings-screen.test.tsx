/**
 * Settings and checklist: open items lead to their screens, refused input stays typed, and the mail note tells the
 * truth.
 */
import { operationRoutes } from '@haris/contract/http/operations';
import { type MailServerView, SETUP_ITEMS, type SetupItem, setupRoutes } from '@haris/contract/http/setup';
import { BUILT_IN_ROLES } from '@haris/contract/permissions';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { handle, refuse, server } from '../../testing/contract-server.ts';
import { serveNoMailServer } from '../../testing/no-mail-server.ts';
import { admin } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { reach, settings, setup } from '../../testing/settings.ts';

const as = { admin: admin() };

/** What the page asked to skip, since the last `serveSetup`. */
const sentSkips: unknown[] = [];

/** Serves a checklist that changes as staff skip and hide. */
function serveSetup(initial: Parameters<typeof setup>[0]) {
  let now = setup(initial);
  sentSkips.length = 0;
  server.use(
    handle(setupRoutes.getSetup, () => ({ setup: now })),
    handle(setupRoutes.updateSetup, ({ body }) => {
      const { skipped, dismissed } = body;
      if (skipped !== undefined) sentSkips.push(skipped);
      now = {
        ...now,
        dismissed: dismissed ?? now.dismissed,
        items: now.items.map((item) => {
          if (item.state === 'done' || skipped === undefined) return item;
          return { id: item.id, state: skipped.includes(item.id) ? 'skipped' : 'open' };
        }),
      };
      return { setup: now };
    }),
  );
}

const list = () => screen.findByRole('region', { name: 'Set up Haris' });

test('a fresh dashboard shows nine open items, each with its way', async () => {
  serveSetup({
    open: [...SETUP_ITEMS],
    needsOwnAddress: true,
    sample: 'possible',
    mail: { isSent: false, folder: '/data/outbox', kept: 0 },
  });
  await renderScreen('/adminDashboard', { as });
  const card = within(await list());
  expect(card.getByText('0 of 9 done')).toBeDefined();
  expect(card.getAllByRole('listitem')).toHaveLength(9);
  for (const [name, href] of [
    ['Choose', '/settings/facility#locale'],
    ['Enter', '/settings/facility'],
    ['Enter email', '/settings/account'],
    ['Set up mail', '/settings/mail'],
    ['Connect a phone', '/settings/phones'],
    ['Add camera', '/cameras'],
    ['Add sensor', '/sensors'],
    ['Require it', '/settings/sign-in'],
    ['Add sample data', '/settings/sample'],
  ] as const)
    expect(card.getByRole('link', { name }).getAttribute('href'), name).toBe(href);
  expect(card.getByText(/all mail is kept in \/data\/outbox/)).toBeDefined();
  expect(card.getByRole('button', { name: 'Add family' })).toBeDefined();
  await expectAccessible();
});

test('some are done: they are ticked, the others can be skipped and taken up again', async () => {
  const open: SetupItem[] = ['phones', 'sensor'];
  serveSetup({ open });
  const { user } = await renderScreen('/settings', { as });
  const card = within(await list());
  expect(card.getByText('7 of 9 done')).toBeDefined();
  await user.click(card.getByRole('button', { name: 'Skip: First sensor' }));
  await user.click(await card.findByRole('button', { name: 'Undo skip: First sensor' }));
  expect(await card.findByRole('link', { name: 'Add sensor' })).toBeDefined();
});

test('a family or a camera that is added ticks its item off on the open page', async () => {
  const open: SetupItem[] = ['family', 'camera', 'sensor'];
  let left = open;
  server.use(handle(setupRoutes.getSetup, () => ({ setup: setup({ open: left }) })));
  const { events } = await renderScreen('/adminDashboard', { as });
  const progress = async (text: string) =>
    waitFor(() => within(screen.getByRole('region', { name: 'Set up Haris' })).getByText(text));
  await progress('6 of 9 done');
  left = ['camera', 'sensor'];
  await events.send({ type: 'parent.created', parentId: 'parent-mona' });
  await progress('7 of 9 done');
  left = ['sensor'];
  await events.send({ type: 'camera.created' });
  await progress('8 of 9 done');
});

test('a second factor for staff ticks its item off when it is switched on, or is skipped', async () => {
  let left: SetupItem[] = ['secondFactor'];
  server.use(handle(setupRoutes.getSetup, () => ({ setup: setup({ open: left }) })));
  const { events, unmount } = await renderScreen('/adminDashboard', { as });
  const item = within(await list())
    .getByText('Second factor for staff')
    .closest('li');
  expect(item).toHaveAttribute('data-state', 'open');
  left = [];
  await events.send({ type: 'settings.updated' });
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Set up Haris' })).toBeNull());
  await unmount();
  serveSetup({ open: ['secondFactor'] });
  const { user } = await renderScreen('/settings', { as });
  await user.click(within(await list()).getByRole('button', { name: 'Skip: Second factor for staff' }));
  expect(await screen.findByRole('button', { name: 'Undo skip: Second factor for staff' })).toBeDefined();
});

test('the item of a first family leads from the settings to the families of the dashboard', async () => {
  serveSetup({ open: ['family'] });
  await renderScreen('/settings', { as });
  const link = within(await list()).getByRole('link', { name: 'Add family' });
  expect(link.getAttribute('href')).toBe('/adminDashboard#families-title');
});

test('a manager is not asked for what only an owner can do, and keeps what others skipped', async () => {
  const items = SETUP_ITEMS.map((id) => ({
    id,
    state: id === 'mail' ? ('skipped' as const) : ('open' as const),
  }));
  serveSetup({ items });
  const manager = admin({ permissions: [...BUILT_IN_ROLES.manager] });
  const { user } = await renderScreen('/adminDashboard', { as: { admin: manager } });
  const card = within(await list());
  expect(card.getByText('0 of 7 done')).toBeDefined();
  expect(card.queryByText('Mail server')).toBeNull();
  expect(card.queryByText('Second factor for staff')).toBeNull();
  await user.click(card.getByRole('button', { name: 'Skip: First camera' }));
  expect(await card.findByRole('button', { name: 'Undo skip: First camera' })).toBeVisible();
  expect(sentSkips).toEqual([['mail', 'camera']]);
});

test('all are done: the dashboard has no checklist, the settings say so', async () => {
  serveSetup({});
  const { unmount } = await renderScreen('/adminDashboard', { as });
  await screen.findByText('No children currently detected.');
  await waitFor(() => expect(screen.queryByText('Set up Haris')).toBeNull());
  await unmount();
  await renderScreen('/settings', { as });
  expect(within(await list()).getByText('Everything is set up.')).toBeDefined();
});

test('hidden on the dashboard, it comes back in the settings', async () => {
  serveSetup({ open: ['family', 'mail'] });
  const { user, unmount } = await renderScreen('/adminDashboard', { as });
  await user.click(within(await list()).getByRole('button', { name: 'Hide on the dashboard' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Set up Haris' })).toBeNull());
  await unmount();
  const again = await renderScreen('/settings', { as });
  await again.user.click(within(await list()).getByRole('button', { name: 'Show on the dashboard' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Show on the dashboard' })).toBeNull());
});

test('the facility is saved as typed; what the server refuses stays in the form', async () => {
  const sent: unknown[] = [];
  let refuses = true;
  server.use(
    handle(operationRoutes.getSettings, { settings: settings({ region: 'GB' }) }),
    handle(operationRoutes.updateSettings, ({ body }) => {
      sent.push(body);
      if (refuses)
        return refuse('invalid_request', {
          message: 'Name is required',
          fields: { facilityName: 'Name is required' },
        });
      return { settings: settings() };
    }),
  );
  const { user } = await renderScreen('/settings/facility', { as });
  const name = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' });
  await user.type(name, 'روضة حارس');
  await user.type(screen.getByRole('textbox', { name: 'Phone' }), 'call me');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  // Found before anything is sent.
  expect(sent).toEqual([]);
  const phone = screen.getByRole<HTMLInputElement>('textbox', { name: 'Phone' });
  expect(phone.getAttribute('aria-invalid')).toBe('true');
  await user.clear(phone);
  await user.type(phone, '02 2735 0000');
  const days = screen.getByRole<HTMLInputElement>('textbox', { name: /^Keep names of visitors/ });
  expect(days.value).toBe('30');
  await user.clear(days);
  await user.type(days, '400');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Enter a whole number from 1 to 365.')).toBeDefined();
  await expectAccessible();
  expect(sent).toEqual([]);
  await user.clear(days);
  await user.type(days, '14');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(name.value).toBe('روضة حارس');
  refuses = false;
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved.')).toBeDefined();
  expect(sent.at(-1)).toEqual({
    facilityName: 'روضة حارس',
    facilityPhone: '02 2735 0000',
    facilityAddress: null,
    timeZone: 'Africa/Cairo',
    language: 'en',
    region: 'GB',
    visitorDays: 14,
  });
});

const outbox: MailServerView = {
  source: 'outbox',
  host: null,
  port: null,
  security: null,
  user: null,
  hasPassword: false,
  from: null,
};

test('until a time zone is chosen, this device’s is offered, and saved with the name', async () => {
  const own = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions');
  own.mockImplementation(() => ({ timeZone: 'Europe/Berlin' }) as Intl.ResolvedDateTimeFormatOptions);
  onTestFinished(() => own.mockRestore());
  serveSetup({ open: ['locale', 'facility'], timeZoneIsChosen: false });
  const sent: unknown[] = [];
  server.use(
    handle(operationRoutes.getSettings, { settings: settings({ timeZone: 'UTC' }), revision: 'a' }),
    handle(operationRoutes.updateSettings, ({ body }) => {
      sent.push(body);
      return { settings: settings(), revision: 'b' };
    }),
  );
  const { user, unmount } = await renderScreen('/settings/facility', { as });
  expect(await screen.findByRole('combobox', { name: 'Time zone' })).toHaveValue('Europe/Berlin');
  expect(screen.getByText('From this device. Until you save, UTC applies.')).toBeVisible();
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Sunflower');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ facilityName: 'Sunflower', timeZone: 'Europe/Berlin' });
  await unmount();
  // One that somebody chose stays.
  serveSetup({ open: ['facility'], timeZoneIsChosen: true });
  server.use(handle(operationRoutes.getSettings, { settings: settings({ timeZone: 'UTC' }), revision: 'a' }));
  await renderScreen('/settings/facility', { as });
  expect(await screen.findByRole('combobox', { name: 'Time zone' })).toHaveValue('UTC');
});

describe('links in mails that open on this machine only', () => {
  const links = { url: 'http://localhost:3000', onlyHere: true };
  const seen = { url: 'http://192.168.1.5:3000', at: '2026-11-20T08:00:00.000Z' };

  beforeEach(() => server.use(handle(setupRoutes.getMailServer, { mail: outbox })));

  test.each(['/settings/phones', '/settings/mail'])('%s says how to start Haris', async (path) => {
    serveSetup({ open: ['phones'], reach: reach({ links, seen }) });
    await renderScreen(path, { as });
    const note = within(
      await screen.findByRole('alert', { name: /Links in mails open on this machine only/ }),
    );
    expect(note.getByText(/They begin with http:\/\/localhost:3000/)).toBeVisible();
    expect(note.getByText('PUBLIC_URL=http://192.168.1.5:3000 npm start')).toBeVisible();
  });

  test('the checklist does not count a phone that reached Haris as enough', async () => {
    serveSetup({ open: ['phones'], reach: reach({ links, seen }) });
    await renderScreen('/settings', { as });
    expect(within(await list()).getByText(/still begin with http:\/\/localhost:3000/)).toBeVisible();
  });

  test('in Arabic, on a phone', async () => {
    serveSetup({ open: ['phones'], reach: reach({ links }) });
    await renderScreen('/settings/phones', { as, language: 'ar', size: 'phone' });
    expect(await screen.findByText('روابط الرسائل لا تُفتح إلا على هذا الجهاز')).toBeVisible();
    // No phone has reached Haris, and none could.
    expect(screen.getByText('PUBLIC_URL=https://haris.example.org npm start')).toBeVisible();
  });

  test('nothing is said once they open everywhere, nor to staff who only read the settings', async () => {
    serveSetup({ reach: reach({ seen }) });
    const { unmount } = await renderScreen('/settings/mail', { as });
    await screen.findByText(/There is no mail server/);
    expect(screen.queryByText(/open on this machine only/)).toBeNull();
    await unmount();
    serveSetup({ open: ['phones'], reach: reach({ links }) });
    const employee = admin({
      permissions: BUILT_IN_ROLES.manager.filter((one) => one !== 'settings.manage'),
    });
    await renderScreen('/settings/mail', { as: { admin: employee } });
    await screen.findByText(/There is no mail server/);
    expect(screen.queryByText(/open on this machine only/)).toBeNull();
  });
});

test('a mail server is tested before it is saved, and its own words are shown', async () => {
  serveSetup({ open: ['mail'], mail: { isSent: false, folder: '/data/outbox', kept: 0 } });
  const problem = '535 5.7.8 Authentication failed';
  server.use(
    handle(setupRoutes.getMailServer, { mail: outbox }),
    handle(setupRoutes.testMailServer, () => ({ to: 'huda@nursery.example', problem })),
  );
  const { user } = await renderScreen('/settings/mail', { as });
  expect(
    await screen.findByText('There is no mail server. All mail is kept in /data/outbox on the server.'),
  ).toBeDefined();
  await user.type(await screen.findByRole('textbox', { name: 'Mail server' }), 'smtp.example.org');
  await user.type(screen.getByRole('textbox', { name: 'User name' }), 'desk');
  await user.type(screen.getByLabelText('Password'), 'wrong');
  await user.type(screen.getByRole('textbox', { name: 'Sender’s email' }), 'desk@nursery.example');
  await user.click(screen.getByRole('button', { name: 'Send a test mail' }));
  expect(await screen.findByText(problem)).toBeDefined();
  await expectAccessible();
  // Everything is still there for the next try.
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Mail server' }).value).toBe(
    'smtp.example.org',
  );
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('wrong');
});

test('what the contract refuses in a field is said in Arabic too', async () => {
  serveSetup({ open: ['mail'], mail: { isSent: false, folder: '/data/outbox', kept: 0 } });
  server.use(
    handle(operationRoutes.getSettings, { settings: settings() }),
    handle(setupRoutes.getMailServer, { mail: outbox }),
  );
  const { user, router } = await renderScreen('/settings/facility', { as, language: 'ar' });
  await user.type(await screen.findByRole('textbox', { name: 'الهاتف' }), '12');
  await user.type(screen.getByRole('textbox', { name: 'العنوان' }), 'x'.repeat(101));
  await user.click(screen.getByRole('button', { name: 'حفظ' }));
  expect(await screen.findByText(/^أدخل رقم هاتف مثل/)).toBeDefined();
  expect(screen.getByText('يجب ألا يتجاوز العنوان ١٠٠ حرف')).toBeDefined();
  await expectAccessible();
  await router.navigate('/settings/mail');
  await user.type(await screen.findByRole('textbox', { name: 'خادم البريد' }), 'smtp example');
  await user.clear(screen.getByRole('textbox', { name: 'المنفذ' }));
  await user.click(screen.getByRole('button', { name: 'حفظ' }));
  expect(await screen.findByText(/^أدخل اسم خادم مثل/)).toBeDefined();
  expect(screen.getByText('أدخل منفذًا من 1 إلى 65535')).toBeDefined();
});

test.each([
  ['en', /^107 mails from before were never sent\. They are in \/data\/outbox/, /press “Send link again”/],
  ['ar', /^١٠٧ رسائل سابقة لم تُرسل/, /اضغط «إعادة إرسال الرابط»/],
] as const)(
  'once there is a mail server, the mails that were kept before are counted: %s',
  async (language, kept, what) => {
    serveSetup({ mail: { isSent: true, folder: '/data/outbox', kept: 107 } });
    const mail: MailServerView = {
      ...outbox,
      source: 'settings',
      host: 'smtp.example.org',
      port: 465,
      security: 'tls',
    };
    server.use(handle(setupRoutes.getMailServer, { mail }));
    const { unmount } = await renderScreen('/settings/mail', { as, language });
    expect(await screen.findByText(kept)).toBeVisible();
    expect(screen.getByText(what)).toBeVisible();
    await unmount();
    serveSetup({ mail: { isSent: true, folder: null, kept: 0 } });
    await renderScreen('/settings/mail', { as, language });
    expect(await screen.findByText(/smtp\.example\.org/)).toBeVisible();
    expect(screen.queryByText(what)).toBeNull();
  },
);

test.each([
  [
    'en',
    'Everybody on the staff needs a second factor',
    'Require it',
    /no mail server.*only works once everybody/,
    /Set up the mail server first/,
    'Set up mail',
  ],
  [
    'ar',
    'وسيلة تحقق ثانية مطلوبة من كل الموظفين',
    'تفعيل',
    /لا يوجد خادم بريد.*لا ينجح هذا إلا/,
    /أعدّ خادم البريد أولًا/,
    'إعداد البريد',
  ],
] as const)(
  'without a mail server the rule of second factors says what it needs: %s',
  async (language, label, press, sure, told, link) => {
    serveNoMailServer();
    server.use(
      handle(operationRoutes.getSettings, { settings: settings() }),
      handle(operationRoutes.updateSettings, refuse('no_mail_server')),
    );
    const { user } = await renderScreen('/settings/sign-in', { as, language });
    await user.click(await screen.findByRole('switch', { name: new RegExp(`^${label}`) }));
    const dialog = await screen.findByRole('dialog');
    await waitFor(() => expect(dialog).toHaveTextContent(sure));
    expect(dialog).not.toHaveTextContent(/they get a code by email|يصله رمز/);
    await user.click(within(dialog).getByRole('button', { name: press }));
    const alert = await screen.findByText(told);
    expect(within(alert).getByRole('link', { name: link })).toHaveAttribute('href', '/settings/mail');
  },
);

test('the minutes of a desk tablet have the digits of the language', async () => {
  server.use(handle(operationRoutes.getSettings, { settings: settings() }));
  await renderScreen('/settings/sign-in', { as, language: 'ar' });
  expect(await screen.findByRole('textbox', { name: /^قفل جهاز المكتب/ })).toHaveValue('٢');
});

describe('the list on desk tablets', () => {
  const serveOffline = (deskOffline: boolean) => {
    const sent: unknown[] = [];
    server.use(
      handle(operationRoutes.getSettings, { settings: settings({ deskOffline }) }),
      handle(operationRoutes.updateSettings, ({ body }) => {
        sent.push(body);
        return { settings: settings({ deskOffline: body.deskOffline ?? deskOffline }) };
      }),
    );
    return sent;
  };

  test.each([
    ['en', /^Keep a list of the children/, 'Keep the list', /No photo, no PIN/],
    ['ar', /^حفظ قائمة بالأطفال/, 'حفظ القائمة', /لا صور ولا رموز PIN/],
  ] as const)(
    'is switched on after reading what then lies there: %s',
    async (language, label, press, words) => {
      const sent = serveOffline(false);
      const { user } = await renderScreen('/settings/sign-in', { as, language });
      await user.click(await screen.findByRole('switch', { name: label }));
      const dialog = await screen.findByRole('dialog', { name: label });
      expect(within(dialog).getByText(words)).toBeVisible();
      expect(sent).toEqual([]);
      await user.click(within(dialog).getByRole('button', { name: press }));
      await waitFor(() => expect(sent).toEqual([{ deskOffline: true }]));
    },
  );

  test('is switched off at once', async () => {
    const sent = serveOffline(true);
    const { user } = await renderScreen('/settings/sign-in', { as });
    const choice = await screen.findByRole('switch', { name: /^Keep a list of the children/ });
    expect(choice).toBeChecked();
    expect(screen.queryByText(/A tablet that does so keeps no list/)).toBeNull();
    await user.click(choice);
    await waitFor(() => expect(sent).toEqual([{ deskOffline: false }]));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('a page without HTTPS says that such a tablet keeps none', async () => {
    vi.stubGlobal('isSecureContext', false);
    serveOffline(true);
    await renderScreen('/settings/sign-in', { as });
    expect(await screen.findByText(/A tablet that does so keeps no list/)).toBeVisible();
  });
});

test('the mail server of the environment is shown, not asked for; employees see neither', async () => {
  const mail: MailServerView = {
    source: 'environment',
    host: 'smtp.example.org',
    port: 465,
    security: 'tls',
    user: 'desk',
    hasPassword: true,
    from: 'Haris <desk@example.org>',
  };
  server.use(handle(setupRoutes.getMailServer, { mail }));
  const { unmount } = await renderScreen('/settings/mail', { as });
  expect(await screen.findByText(/set when Haris is started/)).toBeDefined();
  expect(screen.getByText('smtp.example.org')).toBeDefined();
  expect(screen.queryByRole('textbox')).toBeNull();
  await unmount();
  serveSetup({ mayManageMail: false });
  server.use(handle(setupRoutes.getMailServer, { mail: outbox }));
  await renderScreen('/settings/mail', { as });
  expect(await screen.findByText('Your role does not let you change the mail server.')).toBeDefined();
});

test('a phone gets a code to scan; on this machine alone the page says how to be reached', async () => {
  serveSetup({
    reach: reach({
      addresses: [{ url: 'http://192.168.1.5:3000', kind: 'network', secure: false }],
      listensToNetwork: true,
    }),
  });
  server.use(
    handle(setupRoutes.createReachCode, {
      code: 'x'.repeat(43),
      expiresAt: new Date(Date.now() + 900_000).toISOString(),
    }),
  );
  const { unmount } = await renderScreen('/settings/phones', { as });
  expect(await screen.findByRole('img', { name: 'QR code: open Haris on a phone' })).toBeDefined();
  expect(screen.getByText('http://192.168.1.5:3000')).toBeDefined();
  expect(screen.getByText('Camera and notifications need HTTPS')).toBeDefined();
  await expectAccessible();
  await unmount();
  serveSetup({});
  await renderScreen('/settings/phones', { as });
  expect(await screen.findByText(/listens on this machine only/)).toBeDefined();
  expect(screen.getByText('HOST=0.0.0.0 npm start')).toBeDefined();
});

test('Add Parent says where the invitation lies while there is no mail server', async () => {
  serveSetup({ mail: { isSent: false, folder: '/data/outbox', kept: 0 } });
  serveNoMailServer();
  const { user, unmount } = await renderScreen('/adminDashboard', { as });
  await user.click(
    (await screen.findAllByRole('button', { name: /Add Parent|Add New Parent/ }))[0] as HTMLElement,
  );
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText(/kept in \/data\/outbox/)).toBeDefined();
  await unmount();
  await renderScreen('/register');
  expect(await screen.findByText(/This nursery cannot send mail yet/)).toBeDefined();
});

test('in Arabic, nothing is left in English', async () => {
  serveSetup({ open: [...SETUP_ITEMS] });
  await renderScreen('/settings', { as, language: 'ar' });
  const card = await screen.findByRole('region', { name: 'إعداد حارس' });
  expect(card.textContent).not.toMatch(/[A-Za-z]{5,}/);
});

test('pick-up: the mode and the proofs of staff are saved at once; without both, it says what is left', async () => {
  let now = settings();
  const sent: unknown[] = [];
  server.use(
    handle(operationRoutes.getSettings, () => ({ settings: now })),
    handle(operationRoutes.updateSettings, ({ body }) => {
      sent.push(body);
      now = { ...now, ...(body as Partial<typeof now>) };
      return { settings: now, revision: 'r' };
    }),
  );
  const { user } = await renderScreen('/settings/pickup', { as });
  const panel = within(await screen.findByRole('region', { name: 'Handing children over' }));
  expect(panel.getByRole('radio', { name: 'Record who takes the child' })).toBeChecked();
  await user.click(panel.getByRole('radio', { name: 'Require a person and a proof' }));
  await waitFor(() =>
    expect(panel.getByRole('radio', { name: 'Require a person and a proof' })).toBeChecked(),
  );
  expect(panel.queryByRole('status')).toBeNull();
  for (const name of ['“I know this person”', 'A second staff member with a PIN']) {
    await waitFor(() => expect(panel.getByRole('checkbox', { name })).toBeEnabled());
    await user.click(panel.getByRole('checkbox', { name }));
    await waitFor(() => expect(panel.getByRole('checkbox', { name })).not.toBeChecked());
  }
  expect(await panel.findByRole('status')).toHaveTextContent('only with the slip, the code or a pass');
  expect(sent).toEqual([
    { handover: 'require' },
    { handoverStaffProofs: ['second'] },
    { handoverStaffProofs: [] },
  ]);
});

test('pick-up: a refused change shows what still holds; whoever may only read changes nothing', async () => {
  server.use(handle(operationRoutes.updateSettings, refuse('internal_error')));
  const page = await renderScreen('/settings/pickup', { as });
  const panel = within(await screen.findByRole('region', { name: 'Handing children over' }));
  await page.user.click(panel.getByRole('radio', { name: 'Require a person and a proof' }));
  await waitFor(() => expect(panel.getByRole('radio', { name: 'Record who takes the child' })).toBeChecked());
  await page.unmount();
  const permissions = [...BUILT_IN_ROLES.inspector, 'settings.view' as const];
  await renderScreen('/settings/pickup', { as: { admin: admin({ permissions }) } });
  const read = within(await screen.findByRole('region', { name: 'Handing children over' }));
  expect(read.getByRole('radio', { name: 'Require a person and a proof' })).toBeDisabled();
});
