/** A second person: the page that asks waits and goes on by itself; a colleague agrees or refuses on the dashboard. */
import { APPROVAL_HEADER } from '@haris/contract/constants';
import { accountRoutes } from '@haris/contract/http/accounts';
import { type Approval, approvalRoutes } from '@haris/contract/http/approvals';
import { operationRoutes } from '@haris/contract/http/operations';
import { sessionRoutes } from '@haris/contract/http/session';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../testing/accessibility.ts';
import { handle, refuse, server } from '../testing/contract-server.ts';
import { admin } from '../testing/people.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { settings } from '../testing/settings.ts';

const as = { admin: admin() };
const nadia = admin({ _id: 'nadia', name: 'Nadia Farouk' });
const HALF_HOUR = 30 * 60_000;

function question(more: Partial<Approval> = {}): Approval {
  return {
    _id: 'a1',
    action: 'deleteAdmin',
    subject: { kind: 'admin', _id: 'nadia', name: 'Nadia Farouk' },
    query: {},
    askedBy: { _id: 'samir', name: 'Samir Adel' },
    askedAt: new Date().toISOString(),
    expiresAt: new Date(Date.now() + HALF_HOUR).toISOString(),
    state: 'waiting',
    decidedBy: null,
    isOwn: false,
    ...more,
  };
}

describe('who asks', () => {
  /** A server that wants a second person for Nadia's deletion; `decide` is what the colleague does. */
  function serveQuestion() {
    let current = question({ isOwn: true });
    const deleted: (string | null)[] = [];
    server.use(
      handle(accountRoutes.listAdmins, { admins: [nadia], total: 1, nextCursor: null }),
      handle(accountRoutes.deleteAdmin, ({ headers }) => {
        if (current.state !== 'approved') return refuse('approval_required', { approval: 'a1' });
        deleted.push(headers.get(APPROVAL_HEADER));
        return {
          message: 'Employee deleted successfully.',
          homeAssistantAccounts: { ended: 0, handedOver: 0 },
        };
      }),
      handle(approvalRoutes.getApproval, () => ({ approval: current })),
      handle(approvalRoutes.withdrawApproval, () => {
        current = { ...current, state: 'withdrawn' };
        return { approval: current };
      }),
    );
    return {
      deleted,
      decide(state: 'approved' | 'refused') {
        current = { ...current, state, decidedBy: { _id: 'mona', name: 'Mona Said' } };
      },
      state: () => current.state,
    };
  }

  async function openWaiting() {
    const page = await renderScreen('/viewEmployees', { as });
    await page.user.click(await screen.findByRole('button', { name: 'Delete Employee Nadia Farouk' }));
    const sure = within(await screen.findByRole('dialog', { name: 'Delete Employee' }));
    await page.user.click(sure.getByRole('button', { name: 'Delete Employee' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'A second person has to agree' }));
    expect(await dialog.findByText('Delete the staff account of Nadia Farouk')).toBeDefined();
    return { ...page, dialog };
  }

  test('waits; once a colleague has agreed, the call is made with the approval', async () => {
    const asked = serveQuestion();
    const { events } = await openWaiting();
    expect(asked.deleted).toEqual([]);
    asked.decide('approved');
    events.send({ type: 'approval.changed' });
    await waitFor(() => expect(asked.deleted).toEqual(['a1']));
    await waitFor(() =>
      expect(screen.queryByRole('dialog', { name: 'A second person has to agree' })).toBeNull(),
    );
  });

  test('is asked for the password again if the colleague agreed after the first proof had become too old', async () => {
    const asked = serveQuestion();
    let isProved = false;
    let proofs = 0;
    server.use(
      handle(accountRoutes.deleteAdmin, ({ headers }) => {
        if (!isProved) return refuse('proof_required', { methods: ['password'] });
        if (asked.state() !== 'approved') return refuse('approval_required', { approval: 'a1' });
        asked.deleted.push(headers.get(APPROVAL_HEADER));
        return { message: 'Deleted', homeAssistantAccounts: { ended: 0, handedOver: 0 } };
      }),
      handle(sessionRoutes.proveSession, () => {
        isProved = true;
        proofs++;
        return undefined;
      }),
    );
    const { events, user } = await renderScreen('/viewEmployees', { as });
    const prove = async () => {
      const dialog = within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }));
      await user.type(dialog.getByLabelText(/^Your password/), 'right{Enter}');
    };
    await user.click(await screen.findByRole('button', { name: 'Delete Employee Nadia Farouk' }));
    const sure = within(await screen.findByRole('dialog', { name: 'Delete Employee' }));
    await user.click(sure.getByRole('button', { name: 'Delete Employee' }));
    await prove();
    await screen.findByRole('dialog', { name: 'A second person has to agree' });
    isProved = false;
    asked.decide('approved');
    events.send({ type: 'approval.changed' });
    await prove();
    await waitFor(() => expect(asked.deleted).toEqual(['a1']));
    expect(proofs).toBe(2);
  });

  test('is told of a refusal, and nothing is done', async () => {
    const asked = serveQuestion();
    const { events, dialog, user } = await openWaiting();
    asked.decide('refused');
    events.send({ type: 'approval.changed' });
    expect(await dialog.findByText('Mona Said has refused.')).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'OK' }));
    expect(asked.deleted).toEqual([]);
  });

  test('withdraws the question', async () => {
    const asked = serveQuestion();
    const { dialog, user } = await openWaiting();
    await expectAccessible();
    await user.click(dialog.getByRole('button', { name: 'Withdraw' }));
    await waitFor(() => expect(asked.state()).toBe('withdrawn'));
    await waitFor(() =>
      expect(screen.queryByRole('dialog', { name: 'A second person has to agree' })).toBeNull(),
    );
  });
});

test.each([
  ['Agree', 'approve'],
  ['Refuse', 'refuse'],
] as const)('a colleague presses %s on the dashboard', async (name, decision) => {
  const sent: unknown[] = [];
  let waiting = [question(), question({ _id: 'own', isOwn: true })];
  server.use(
    handle(approvalRoutes.listApprovals, () => ({ approvals: waiting })),
    handle(approvalRoutes.decideApproval, ({ params, body }) => {
      sent.push([params.id, body.decision]);
      const [first] = waiting.splice(0, 1);
      waiting = [...waiting];
      return { approval: first as Approval };
    }),
  );
  const { user } = await renderScreen('/adminDashboard', { as });
  const card = within(await screen.findByRole('region', { name: 'A colleague needs you to agree' }));
  expect(card.getAllByRole('listitem')).toHaveLength(1);
  expect(card.getByText(/Asked by Samir Adel/)).toBeDefined();
  await expectAccessible();
  await user.click(card.getByRole('button', { name }));
  await waitFor(() => expect(sent).toEqual([['a1', decision]]));
  await waitFor(() =>
    expect(screen.queryByRole('region', { name: 'A colleague needs you to agree' })).toBeNull(),
  );
});

test('the setting asks before it is switched on, and only the owner changes it', async () => {
  const sent: unknown[] = [];
  server.use(
    handle(operationRoutes.updateSettings, ({ body }) => {
      sent.push(body);
      return { settings: settings({ secondPerson: true }), revision: 'r' };
    }),
  );
  const { user, unmount } = await renderScreen('/settings/sign-in', { as });
  const label = 'A second person agrees to deletions and exports';
  await user.click(await screen.findByRole('switch', { name: new RegExp(label) }));
  const sure = within(await screen.findByRole('dialog', { name: label }));
  expect(sent).toEqual([]);
  await user.click(sure.getByRole('button', { name: 'Switch on' }));
  await waitFor(() => expect(sent).toEqual([{ secondPerson: true }]));
  await unmount();
  await renderScreen('/settings/sign-in', { as: { admin: admin({ permissions: ['settings.view'] }) } });
  expect(await screen.findByRole('switch', { name: new RegExp(label) })).toBeDisabled();
});
