/** The session of a page: signing in, an end from outside, the dialog for a proof, and the own password. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { childRoutes } from '@haris/contract/http/children';
import { operationRoutes } from '@haris/contract/http/operations';
import { roomRoutes } from '@haris/contract/http/rooms';
import { SAME_PASSWORD, sessionRoutes } from '@haris/contract/http/session';
import { act, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { family, serveDesk } from '../features/dashboard/testing/desk.ts';
import { expectAccessible } from '../testing/accessibility.ts';
import { handle, offline, pending, refuse, server } from '../testing/contract-server.ts';
import { admin, child, parent } from '../testing/people.ts';
import { renderScreen } from '../testing/render-screen.tsx';

const staff = { admin: admin() };
const mona = { parent: parent() };
const ENDED = 'Your session has ended. Please sign in again.';

async function fillLogin(user: UserEvent): Promise<void> {
  await user.type(await screen.findByLabelText('Email'), 'mona@haris.example');
  await user.type(screen.getByLabelText(/^Password/), 'a password of hers');
  await user.click(screen.getByRole('button', { name: 'Login' }));
}

describe('signing in', () => {
  test.each([
    ['wrong credentials', refuse('invalid_credentials'), 'Invalid email or password'],
    ['an e-mail that is not verified', refuse('email_not_verified'), /^Please verify your email first/],
    ['too many attempts', refuse('too_many_attempts'), 'Too many attempts. Please try again later.'],
    ['a server that fails', refuse('internal_error'), 'An unexpected error occurred.'],
    ['no connection', offline, /^Haris cannot be reached/],
  ] as const)('%s: said in words', async (_what, answer, words) => {
    server.use(handle(accountRoutes.parentLogin, answer));
    const { user, router } = await renderScreen('/login');
    await fillLogin(user);
    expect((await screen.findAllByText(words)).length).toBeGreaterThan(0);
    expect(router.state.location.pathname).toBe('/login');
  });

  test('while the answer is on its way the button says so', async () => {
    server.use(handle(accountRoutes.parentLogin, pending));
    const { user } = await renderScreen('/login');
    await fillLogin(user);
    expect(await screen.findByRole('button', { name: /Logging in/ })).toBeInTheDocument();
  });

  test('it leads where the person wanted to go', async () => {
    server.use(handle(accountRoutes.parentLogin, { token: 'another-token', ...mona }));
    const { user, router } = await renderScreen('/addChild');
    await fillLogin(user);
    await waitFor(() => expect(router.state.location.pathname).toBe('/addChild'));
  });
});

test.each([
  ['en', 'Haris cannot be reached. We will reconnect automatically.', 'My Profile'],
  ['ar', 'تعذّر الوصول إلى حارس. سنعيد الاتصال تلقائيًا.', 'ملفي الشخصي'],
] as const)('opened offline, a page says so and comes by itself (%s)', async (language, words, title) => {
  server.use(handle(accountRoutes.parentInfo, offline), handle(accountRoutes.adminInfo, offline));
  await renderScreen('/profile', { as: mona, language });
  expect(await screen.findByRole('alert')).toHaveTextContent(words);
  await expectAccessible();
  server.resetHandlers();
  act(() => void dispatchEvent(new Event('online')));
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible();
});

describe('an end from outside', () => {
  test('a dead token leads to the login with one word, and back after it', async () => {
    const { user, router, be, events } = await renderScreen('/addChild', { as: mona });
    await screen.findByRole('heading', { level: 1, name: 'Add Child' });
    server.use(handle(accountRoutes.parentInfo, refuse('unauthenticated')));
    await events.send({ type: 'child.updated' });
    await screen.findByText(ENDED);
    expect(screen.getAllByText(ENDED)).toHaveLength(1);
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    expect(localStorage.getItem('token')).toBeNull();
    server.resetHandlers();
    be(mona);
    server.use(handle(accountRoutes.parentLogin, { token: 'another-token', ...mona }));
    await fillLogin(user);
    await waitFor(() => expect(router.state.location.pathname).toBe('/addChild'));
  });

  test('what is pressed with a dead token is not lost in silence', async () => {
    const desk = serveDesk(family({}, child({ _id: 'child-omar', name: 'Omar Hassan', isInside: true })));
    server.use(handle(childRoutes.checkOutChild, refuse('unauthenticated')));
    const { user, router } = await renderScreen('/adminDashboard', { as: staff });
    await user.click(await screen.findByRole('button', { name: 'Checkout Omar Hassan' }));
    await screen.findByText(ENDED);
    await waitFor(() =>
      expect(router.state.location.pathname + router.state.location.search).toBe('/login?isAdmin=true'),
    );
    expect(screen.queryByText('Child checked out successfully')).not.toBeInTheDocument();
    expect(screen.queryByText('Omar Hassan')).not.toBeInTheDocument();
    expect(desk.done).toEqual([]);
  });

  test('signing out in another tab signs this one out', async () => {
    const { router } = await renderScreen('/addChild', { as: mona });
    await screen.findByRole('heading', { level: 1, name: 'Add Child' });
    localStorage.removeItem('token');
    dispatchEvent(new StorageEvent('storage', { key: 'token' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    expect(screen.queryByText(ENDED)).not.toBeInTheDocument();
  });
});

describe('a role that has changed meanwhile', () => {
  const lost = 'Your role does not include this page.';
  const rooms = () => screen.queryByRole('link', { name: 'Rooms' });
  /** From now on the account may see families, and the server refuses everything else. */
  const changeRole = () =>
    server.use(
      handle(accountRoutes.adminInfo, { admin: admin({ permissions: ['families.view'] }) }),
      handle(roomRoutes.listRooms, refuse('forbidden')),
      handle(operationRoutes.updateSettings, refuse('forbidden')),
    );

  test('a list that is refused reads the rights again: the screen and its entry in the menu go', async () => {
    changeRole();
    let reads = 0;
    // The role changes after the page has read the rights, and before it reads the list.
    const limited = { admin: admin({ permissions: ['families.view'] }) };
    server.use(handle(accountRoutes.adminInfo, () => (reads++ === 0 ? staff : limited)));
    await renderScreen('/rooms', { as: staff });
    expect(await screen.findByText(lost)).toBeInTheDocument();
    expect(rooms()).not.toBeInTheDocument();
  });

  test('and so does a press that is refused', async () => {
    const { user } = await renderScreen('/alarmSettings', { as: staff });
    await waitFor(() => expect(rooms()).toBeInTheDocument());
    const save = await screen.findByRole('button', { name: 'Save' });
    changeRole();
    await user.click(save);
    expect(await screen.findByText(lost)).toBeInTheDocument();
    expect(save).not.toBeInTheDocument();
    expect(rooms()).not.toBeInTheDocument();
  });
});

describe('the own password', () => {
  /** Fills in the form and submits it. */
  async function change(user: UserEvent, current: string, next: string, repeated = next): Promise<void> {
    for (const [label, value] of [
      ['Current password', current],
      ['New password', next],
      ['Repeat the new password', repeated],
    ] as const) {
      const field = await screen.findByLabelText(new RegExp(`^${label}`));
      await user.clear(field);
      await user.type(field, value);
    }
    await user.click(screen.getByRole('button', { name: 'Change password' }));
  }

  /** A server that accepts this password as the current one. */
  function servePassword(current: string) {
    const changes: string[] = [];
    server.use(
      handle(sessionRoutes.proveSession, ({ body }) =>
        body.password === current ? undefined : refuse('wrong_password'),
      ),
      handle(sessionRoutes.changePassword, ({ body }) => {
        changes.push(body.password);
        return { message: 'Changed' };
      }),
    );
    return changes;
  }

  test('is changed once the current one is right and the new one fits', async () => {
    const changes = servePassword('the-old-one-1');
    const { user, router } = await renderScreen('/password', { as: staff });
    await change(user, 'the-old-one-1', 'the-old-one-1');
    expect(await screen.findByText(SAME_PASSWORD)).toBeInTheDocument();
    await change(user, 'not it', 'only-mine-9', 'only-yours-9');
    expect(await screen.findByText('The two passwords do not match')).toBeInTheDocument();
    await change(user, 'not it', 'only-mine-9');
    expect(await screen.findByText('This password is wrong.')).toBeInTheDocument();
    await waitFor(() => expect(screen.getByLabelText(/^Current password/)).toHaveFocus());
    expect(changes).toEqual([]);
    await change(user, 'the-old-one-1', 'only-mine-9');
    await screen.findByText('Your password was changed.');
    expect(changes).toEqual(['only-mine-9']);
    await waitFor(() => expect(router.state.location.pathname).toBe('/account'));
  });

  test.each(['/adminDashboard', '/viewEmployees', '/notices', '/password'])(
    'one that somebody else set comes before %s',
    async (path) => {
      await renderScreen(path, { as: { admin: admin({ setUpBy: 'admin-boss' }) } });
      const title = /Choose your own password|Peace of Mind/;
      expect(await screen.findByRole('heading', { level: 1, name: title })).toBeInTheDocument();
      expect(screen.queryByRole('heading', { level: 1, name: /dashboard|Roster/ })).not.toBeInTheDocument();
    },
  );

  test('in Arabic: right to left, in Arabic words', async () => {
    await renderScreen('/viewEmployees', {
      as: { admin: admin({ setUpBy: 'admin-boss' }) },
      language: 'ar',
      size: 'phone',
    });
    expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent(/\p{Script=Arabic}/u);
    expect(document.documentElement).toHaveAttribute('dir', 'rtl');
  });
});

describe('the question for a proof', () => {
  /** Serves a roster in which deleting an employee requires a proof. */
  function serveRoster() {
    const other = admin({ _id: 'admin-nadia', name: 'Nadia Farouk', nationalId: '**********1234' });
    let isProved = false;
    const deleted: string[] = [];
    server.use(
      handle(accountRoutes.listAdmins, () => ({
        admins: deleted.length === 0 ? [staff.admin, other] : [staff.admin],
        total: 2 - deleted.length,
        nextCursor: null,
      })),
      handle(accountRoutes.deleteAdmin, ({ params: { id } }) => {
        if (!isProved) return refuse('proof_required', { methods: ['password'] });
        deleted.push(id);
        return { message: 'Deleted', homeAssistantAccounts: { ended: 0, handedOver: 0 } };
      }),
      handle(sessionRoutes.proveSession, ({ body }) => {
        if (body.password !== 'right') return refuse('wrong_password');
        isProved = true;
        return undefined;
      }),
    );
    return deleted;
  }

  async function askToDelete(user: UserEvent): Promise<void> {
    await user.click(await screen.findByRole('button', { name: 'Delete Employee Nadia Farouk' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete Employee' });
    await user.click(within(dialog).getByRole('button', { name: 'Delete Employee' }));
  }
  const question = () => screen.findByRole('dialog', { name: 'Confirm that it is you' });

  test('whoever cancels has changed nothing, and may try again; a wrong password is said in words', async () => {
    const deleted = serveRoster();
    const { user } = await renderScreen('/viewEmployees', { as: staff });
    await askToDelete(user);
    await user.click(within(await question()).getByRole('button', { name: 'Cancel' }));
    await waitFor(() =>
      expect(screen.queryByRole('dialog', { name: 'Confirm that it is you' })).not.toBeInTheDocument(),
    );
    expect(deleted).toEqual([]);
    // Nothing failed, so nothing is reported.
    expect(screen.queryByText('Please confirm that it is you first.')).not.toBeInTheDocument();
    const dialog = await screen.findByRole('dialog', { name: 'Delete Employee' });
    await user.click(within(dialog).getByRole('button', { name: 'Delete Employee' }));
    const asked = await question();
    const field = within(asked).getByLabelText(/^Your password/);
    await waitFor(() => expect(field).toHaveFocus());
    await user.keyboard('wrong{Enter}');
    expect(await within(asked).findByText('This password is wrong.')).toBeInTheDocument();
    await expectAccessible();
    await user.clear(field);
    await user.type(field, 'right{Enter}');
    await waitFor(() => expect(deleted).toEqual(['admin-nadia']));
    await waitFor(() => expect(screen.queryByText('Nadia Farouk')).not.toBeInTheDocument());
    // The next element has the focus.
    await waitFor(() => expect(screen.getByText('1 employee')).toHaveFocus());
  });

  test('after too many tries it says when the next one is taken', async () => {
    serveRoster();
    server.use(handle(sessionRoutes.proveSession, refuse('too_many_attempts', { retryAfter: 14 * 60 - 5 })));
    const { user } = await renderScreen('/viewEmployees', { as: staff });
    await askToDelete(user);
    const asked = await question();
    await user.type(within(asked).getByLabelText(/^Your password/), 'wrong{Enter}');
    expect(await within(asked).findByRole('alert')).toHaveTextContent('You can try again in 14 minutes.');
    await user.click(within(asked).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(asked).not.toBeInTheDocument());
  });

  test('a cancelled export is no error, and the focus is on its button again', async () => {
    server.use(
      handle(operationRoutes.listAudit, { entries: [], total: 1, nextCursor: null }),
      handle(operationRoutes.exportAudit, refuse('proof_required', { methods: ['password'] })),
    );
    const { user } = await renderScreen('/auditLog', { as: staff });
    await user.click(await screen.findByRole('button', { name: 'Download CSV' }));
    await user.click(within(await question()).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Download CSV' })).toHaveFocus());
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(screen.getByRole('button', { name: 'Download CSV' })).toHaveFocus();
    expect(screen.queryByText('Please confirm that it is you first.')).not.toBeInTheDocument();
  });
});
