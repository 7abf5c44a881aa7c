/** Conflicts of desk tablets: both sides, settled one by one and several at once, with a proof, changed meanwhile, and in Arabic. */
import { type DeskConflict, deskConflictRoutes } from '@haris/contract/http/desk-conflicts';
import { sessionRoutes } from '@haris/contract/http/session';
import { BUILT_IN_ROLES } from '@haris/contract/permissions';
import { act, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { handle, offline, pending, refuse, server } from '../../testing/contract-server.ts';
import { deskConflict, deskWord, stayNow } from '../../testing/desk-conflicts.ts';
import { admin } from '../../testing/people.ts';
import { renderScreen, type ScreenOptions, settle } from '../../testing/render-screen.tsx';

const staff = { admin: admin() };
const salma = { _id: staff.admin._id, name: staff.admin.name };
const open = (options: ScreenOptions = {}) => renderScreen('/deskConflicts', { as: staff, ...options });

const KEEP = 'Keep what Haris has';
const KEEP_OMAR = `${KEEP}: Omar Hassan`;

const kept = { at: '2026-03-18T14:00:00.000Z', by: salma, choice: 'keep', note: null } as const;

/** Layla came by the word of a removed desk, and Haris has no visit. */
const layla = (more: Partial<DeskConflict> = {}) =>
  deskConflict({
    _id: 'conflict-layla',
    reason: 'ticket_ended',
    child: { _id: 'child-layla', name: 'Layla Hassan' },
    desk: deskWord({ kind: 'check_in', tablet: { _id: 'desk-9', name: null }, adult: null, proof: null }),
    stay: null,
    ...more,
  });

/** Two desks named different adults for Omar. */
const twice = (more: Partial<DeskConflict> = {}) =>
  deskConflict({
    reason: 'other_adult',
    stay: stayNow({
      exitTime: '2026-03-18T13:20:00.000Z',
      checkedOutBy: salma,
      adult: { _id: 'collector-samia', kind: 'collector', name: 'Samia Hassan' },
      proof: 'pass',
    }),
    ...more,
  });

/** What “the desk is right” says before it is pressed. */
const TAKES: [what: string, conflict: DeskConflict, lines: (string | RegExp)[]][] = [
  [
    'a checkout of a child who is inside',
    deskConflict(),
    [
      /^The child is checked out as of .*3:10.PM and counts as not here\.$/,
      /^Taken by: .*Mona Hassan.*, if still on the child’s list\./,
      /^No proof is recorded/,
      /^It is recorded in the name of .*Hana Nabil/,
      /^If this hand-over would be refused now/,
      'The family is told.',
    ],
  ],
  [
    'a checkout at another time with another adult',
    twice(),
    [
      /^The checkout changes from .*3:20.PM to .*3:10.PM\.$/,
      /^Taken by: .*Mona Hassan.* instead of .*Samia Hassan.*, if still on the child’s list\./,
      /^No proof is recorded/,
      /^It is recorded in the name of .*Hana Nabil/,
      /^If this hand-over would be refused now/,
      'The family is told.',
      'What Haris had is kept as a correction.',
    ],
  ],
  [
    'a checkout at another time with the same adult, who stays with the proof of Haris',
    twice({
      reason: 'left_twice',
      desk: deskWord({ adult: { _id: 'collector-samia', kind: 'collector', name: 'Samia Hassan' } }),
    }),
    [
      /^The checkout changes from .*3:20.PM to .*3:10.PM\.$/,
      'The family is told.',
      'What Haris had is kept as a correction.',
    ],
  ],
  [
    'a checkout of which nobody knows who wrote it, by an adult who is gone and known to the staff',
    deskConflict({
      reason: 'no_ticket',
      desk: deskWord({
        by: null,
        adult: { _id: 'collector-gone', kind: 'collector', name: null },
        proof: 'known',
      }),
    }),
    [
      /^The child is checked out as of/,
      'Nobody is named as the one who took the child.',
      /^It is recorded in your name/,
      /^If this hand-over would be refused now/,
      'The family is told.',
    ],
  ],
  [
    'a check-in without a visit',
    layla({ _id: 'conflict-omar', child: { _id: 'child-omar', name: 'Omar Hassan' } }),
    [
      /^The child is checked in as of .*3:10.PM and counts as inside\.$/,
      /^It is recorded in your name/,
      /^The slip that the desk printed is no proof/,
    ],
  ],
  [
    'a check-in earlier than that of Haris',
    deskConflict({
      reason: 'already_inside',
      desk: deskWord({ kind: 'check_in', at: '2026-03-18T09:00:00.000Z', adult: null, proof: null }),
    }),
    [/^The check-in changes from .*12:00.PM to .*11:00.AM\.$/, 'What Haris had is kept as a correction.'],
  ],
];

/** The server's conflicts. Whoever settles one sends its revision. */
function serveConflicts(...known: DeskConflict[]) {
  const sent: unknown[] = [];
  let conflicts = known;
  let needsProof = false;
  const isOpen = ({ settled }: DeskConflict) => settled === null;
  const change = (id: string, more: Partial<DeskConflict>) => {
    conflicts = conflicts.map((one) => (one._id === id ? { ...one, ...more } : one));
  };
  const take = (id: string, choice: 'keep' | 'take', note: string | null) =>
    change(id, { settled: { ...kept, choice, note } });
  server.use(
    handle(deskConflictRoutes.listDeskConflicts, ({ query: { state } }) => {
      const listed = conflicts.filter((one) => isOpen(one) === (state === 'open'));
      return { conflicts: listed, total: listed.length, nextCursor: null };
    }),
    handle(deskConflictRoutes.settleDeskConflict, ({ params: { id }, body: { choice, revision, note } }) => {
      sent.push([id, choice, revision, ...(note === undefined ? [] : [note])]);
      if (needsProof) return refuse('proof_required', { methods: ['password'] });
      const found = conflicts.find(({ _id }) => _id === id);
      if (found === undefined) return refuse('not_found');
      if (found.revision !== revision || !isOpen(found)) return refuse('conflict_changed');
      take(id, choice, note ?? null);
      return { conflict: { ...found, settled: { ...kept, choice, note: note ?? null } } };
    }),
    handle(deskConflictRoutes.keepDeskConflicts, ({ body: { conflicts: asked } }) => {
      sent.push(asked.map(({ id, revision }) => [id, revision]));
      const fitting = asked.filter(({ id, revision }) =>
        conflicts.some((one) => one._id === id && one.revision === revision && isOpen(one)),
      );
      for (const { id } of fitting) take(id, 'keep', null);
      return { settled: fitting.length, left: asked.length - fitting.length };
    }),
    handle(sessionRoutes.proveSession, ({ body }) => {
      if (!('password' in body) || body.password !== 'right') return refuse('wrong_password');
      needsProof = false;
      return undefined;
    }),
  );
  return {
    sent,
    change,
    askForProof: () => {
      needsProof = true;
    },
  };
}

async function card(name: string): Promise<HTMLElement> {
  const heading = await screen.findByRole('heading', { level: 2, name });
  return heading.closest('li') as HTMLElement;
}
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

/** Presses a way in the card of Omar, and returns the question. */
async function ask(user: UserEvent, name: string, title: string | RegExp): Promise<HTMLElement> {
  await user.click(within(await card('Omar Hassan')).getByRole('button', { name }));
  return screen.findByRole('dialog', { name: title });
}

describe('the list', () => {
  test('has both sides of each, why it is one, and the ways to settle it; it is accessible', async () => {
    serveConflicts(deskConflict(), layla());
    await open();
    const omar = await card('Omar Hassan');
    expect(omar).toHaveTextContent('Checkout');
    expect(omar).toHaveTextContent('Somebody noted later that the child was here.');
    expect(omar).toHaveTextContent(
      /What the desk wrote.*Desk 2.*Left.*3:10.PM.*Taken by.*Mona Hassan.*guardian.*Entry slip.*Hana Nabil.*3:41.PM/,
    );
    expect(omar).toHaveTextContent(/What Haris has.*Came.*12:00.PM.*Still inside.*Salma Adel.*Bees/);
    expect(within(omar).getByRole('link', { name: 'Omar Hassan' })).toHaveAttribute(
      'href',
      '?child=child-omar',
    );
    expect(within(omar).getByRole('button', { name: 'Desk 2 is right: Omar Hassan' })).toBeVisible();
    const other = await card('Layla Hassan');
    expect(other).toHaveTextContent('Check-in');
    expect(other).toHaveTextContent('This person was not signed in at the desk at that time.');
    expect(other).toHaveTextContent(/A removed desk.*Came.*3:10.PM.*What Haris has.*No visit\./);
    expect(other).not.toHaveTextContent('Taken by');
    expect(screen.getByText('2 to settle')).toBeVisible();
    await settle();
    await expectAccessible();
  });

  test('says of what is not known or cannot be sure that it is so', async () => {
    serveConflicts(
      deskConflict({
        reason: 'unknown_child',
        child: { _id: 'child-gone', name: null },
        desk: deskWord({ by: null, adult: null, proof: null, claimedAt: '2026-03-20T13:10:00.000Z' }),
        stay: null,
        canTake: false,
      }),
    );
    const { user } = await open();
    const unknown = await card('A child whom Haris does not know here');
    expect(within(unknown).queryByRole('link')).toBeNull();
    expect(unknown).toHaveTextContent(/The tablet said .*20.*2026.*, which cannot be\./);
    expect(unknown).toHaveTextContent(/Taken by.*Not known.*Proof.*Not known.*Written by.*Not known/);
    expect(unknown).toHaveTextContent('If the desk is right, correct it by hand.');
    expect(within(unknown).getAllByRole('button')).toHaveLength(1);
    await user.click(within(unknown).getByRole('button', { name: /^Keep what Haris has/ }));
    const question = await screen.findByRole('dialog', { name: 'Leave it as Haris has it?' });
    // None is kept of a child that Haris does not know.
    expect(within(question).queryByRole('textbox')).toBeNull();
  });

  test('says that the clock may have been wrong, that a check-in was undone, and names nobody who is gone', async () => {
    serveConflicts(
      deskConflict({
        reason: 'check_in_undone',
        desk: deskWord({
          isUnsure: true,
          by: { _id: 'admin-gone', name: null },
          adult: { _id: 'collector-gone', kind: 'collector', name: null },
        }),
        stay: stayNow({ isVoid: true, room: null }),
        canTake: false,
      }),
    );
    await open();
    const omar = await card('Omar Hassan');
    expect(omar).toHaveTextContent('The tablet’s clock may have been wrong.');
    expect(omar).toHaveTextContent(/Taken by.*a person who is no longer known/);
    expect(omar).toHaveTextContent(/Written by.*a former colleague/);
    expect(omar).toHaveTextContent(/What Haris has.*The check-in was undone\./);
    expect(omar).not.toHaveTextContent('Still inside');
  });

  test('while it is loaded, when there is nothing, and when it cannot be read', async () => {
    server.use(handle(deskConflictRoutes.listDeskConflicts, pending));
    const first = await open();
    expect(await screen.findByRole('status', { name: 'Loading…' })).toBeVisible();
    await first.unmount();
    server.use(handle(deskConflictRoutes.listDeskConflicts, offline));
    const { user } = await open();
    expect(await screen.findByText(/^Haris cannot be reached/)).toBeVisible();
    serveConflicts();
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByText('Nothing to settle.')).toBeVisible();
    await expectAccessible();
  });

  test('has more pages', async () => {
    const read: unknown[] = [];
    server.use(
      handle(deskConflictRoutes.listDeskConflicts, ({ query: { cursor } }) => {
        read.push(cursor);
        return cursor === 'next'
          ? { conflicts: [layla()], total: 2, nextCursor: null }
          : { conflicts: [deskConflict()], total: 2, nextCursor: 'next' };
      }),
    );
    const { user } = await open();
    await card('Omar Hassan');
    expect(screen.getByText('2 to settle')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    await card('Layla Hassan');
    expect(read.at(-1)).toBe('next');
  });

  test('shows what came meanwhile', async () => {
    const { change } = serveConflicts(layla(), deskConflict());
    change('conflict-omar', { settled: kept });
    const { events } = await open();
    await card('Layla Hassan');
    expect(screen.queryByRole('heading', { level: 2, name: 'Omar Hassan' })).toBeNull();
    change('conflict-omar', { settled: null });
    await events.send({ type: 'desk.entries' });
    await card('Omar Hassan');
    change('conflict-omar', { revision: 'revision-2', stay: stayNow({ room: 'Garden' }) });
    await events.send({ type: 'child.checked_in', childId: 'child-omar' });
    await waitFor(async () => expect(await card('Omar Hassan')).toHaveTextContent('Garden'));
  });

  test('of those that are settled says by whom, when and how, and offers nothing', async () => {
    serveConflicts(
      deskConflict({
        settled: { ...kept, note: 'Omar is asleep.' },
      }),
      layla({
        settled: { ...kept, by: { _id: 'admin-gone', name: null }, choice: 'take' },
      }),
    );
    const { user } = await open();
    await screen.findByText('Nothing to settle.');
    await user.click(screen.getByRole('radio', { name: 'Settled' }));
    const omar = await card('Omar Hassan');
    expect(omar).toHaveTextContent(/What Haris has is kept: .*Salma Adel.*4:00.PM.*Omar is asleep\./);
    expect(await card('Layla Hassan')).toHaveTextContent(/The desk is right: .*a former colleague/);
    expect(within(omar).queryByRole('button')).toBeNull();
    expect(within(omar).queryByRole('checkbox')).toBeNull();
    await expectAccessible();
  });

  test('without a connection settles nothing, and says so', async () => {
    serveConflicts(deskConflict());
    const { user } = await open();
    const omar = await card('Omar Hassan');
    await user.click(within(omar).getByRole('checkbox', { name: 'Choose Omar Hassan' }));
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void dispatchEvent(new Event('offline')));
    expect(await screen.findByText('No connection. Nothing can be settled now.')).toBeVisible();
    await expectAccessible();
    for (const name of [KEEP_OMAR, 'Desk 2 is right: Omar Hassan', KEEP])
      expect(screen.getByRole('button', { name })).toBeDisabled();
    onLine.mockReturnValue(true);
    act(() => void dispatchEvent(new Event('online')));
    await waitFor(() => expect(screen.getByRole('button', { name: KEEP })).toBeEnabled());
    expect(screen.queryByText('No connection. Nothing can be settled now.')).toBeNull();
  });

  test('a teacher without the families’ data sees names, and no way to a sheet', async () => {
    serveConflicts(deskConflict());
    const permissions = BUILT_IN_ROLES.teacher.filter((one) => one !== 'families.view');
    await open({ as: { admin: admin({ permissions }) } });
    expect(within(await card('Omar Hassan')).queryByRole('link')).toBeNull();
  });
});

describe('settled by hand', () => {
  test('“keep what Haris has” says what that means, takes a note, and the card goes', async () => {
    const { sent } = serveConflicts(deskConflict());
    const { user } = await open();
    const question = await ask(user, KEEP_OMAR, 'Leave it as Haris has it?');
    expect(question).toHaveTextContent(/Omar Hassan.*Nothing changes.*The child counts as inside\./);
    // Enter alone settles nothing.
    await waitFor(() => expect(within(question).getByRole('button', { name: 'Cancel' })).toHaveFocus());
    await expectAccessible();
    await user.type(within(question).getByRole('textbox', { name: 'Note' }), 'Omar is asleep.');
    expect(sent).toEqual([]);
    await user.click(within(question).getByRole('button', { name: KEEP }));
    expect(await screen.findByText('Settled: what Haris has is kept')).toBeVisible();
    expect(await screen.findByText('Nothing to settle.')).toBeVisible();
    await noDialog();
    expect(sent).toEqual([['conflict-omar', 'keep', 'revision-1', 'Omar is asleep.']]);
    expect(document.activeElement).not.toBe(document.body);
  });

  test('cancelled, it stays, and the focus is where it was', async () => {
    const { sent } = serveConflicts(deskConflict());
    const { user } = await open();
    const question = await ask(user, KEEP_OMAR, 'Leave it as Haris has it?');
    await user.click(within(question).getByRole('button', { name: 'Cancel' }));
    await noDialog();
    const keep = within(await card('Omar Hassan')).getByRole('button', { name: KEEP_OMAR });
    await waitFor(() => expect(keep).toHaveFocus());
    expect(sent).toEqual([]);
  });

  test.each(TAKES)('“the desk is right” names what changes: %s', async (_what, conflict, lines) => {
    const { sent } = serveConflicts(conflict);
    const { user } = await open();
    const desk = conflict.desk.tablet.name ?? 'A removed desk';
    const question = await ask(user, `${desk} is right: Omar Hassan`, /^Take over what .* wrote\?$/);
    const shown = within(question)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(shown).toEqual(
      lines.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line))),
    );
    await user.click(within(question).getByRole('button', { name: `${desk} is right` }));
    expect(await screen.findByText('Settled: what the desk wrote is taken over')).toBeVisible();
    await screen.findByText('Nothing to settle.');
    expect(sent).toEqual([['conflict-omar', 'take', 'revision-1']]);
  });

  test('a release that would be refused now is only seen, and says why to whoever may know', async () => {
    const { sent } = serveConflicts(
      twice({ reason: 'release_refused', refusal: 'barred_person', canTake: false }),
    );
    const { user } = await open();
    const omar = await card('Omar Hassan');
    expect(omar).toHaveTextContent(
      /this hand-over would be refused\. This adult must not pick up the child\./,
    );
    expect(omar).not.toHaveTextContent('correct it by hand');
    const question = await ask(user, 'Seen: Omar Hassan', 'Have you seen to this?');
    expect(question).toHaveTextContent('The checkout stays as it is.');
    await expectAccessible();
    await user.click(within(question).getByRole('button', { name: 'Seen' }));
    expect(await screen.findByText('Settled: seen')).toBeVisible();
    await screen.findByText('Nothing to settle.');
    expect(sent).toEqual([['conflict-omar', 'keep', 'revision-1']]);
  });

  test('one’s own word needs a proof; declined, nothing is settled and the question stays', async () => {
    const { sent, askForProof } = serveConflicts(deskConflict());
    askForProof();
    const { user } = await open();
    const question = await ask(user, 'Desk 2 is right: Omar Hassan', /^Take over what/);
    await expectAccessible();
    const yes = within(question).getByRole('button', { name: 'Desk 2 is right' });
    await user.click(yes);
    const proof = await screen.findByRole('dialog', { name: 'Confirm that it is you' });
    await user.click(within(proof).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(proof).not.toBeInTheDocument());
    await waitFor(() => expect(yes).toBeEnabled());
    expect(screen.queryByText(/^Settled:/)).toBeNull();
    await user.click(yes);
    const again = await screen.findByRole('dialog', { name: 'Confirm that it is you' });
    await user.type(within(again).getByLabelText(/^Your password/), 'right{Enter}');
    expect(await screen.findByText('Settled: what the desk wrote is taken over')).toBeVisible();
    await screen.findByText('Nothing to settle.');
    const call = ['conflict-omar', 'take', 'revision-1'];
    expect(sent).toEqual([call, call, call]);
  });

  test('changed meanwhile, it is shown as it is now and says so; then it can be settled', async () => {
    const { sent, change } = serveConflicts(deskConflict());
    const { user } = await open();
    const question = await ask(user, KEEP_OMAR, 'Leave it as Haris has it?');
    change('conflict-omar', { revision: 'revision-2', stay: stayNow({ room: 'Garden' }) });
    await user.click(within(question).getByRole('button', { name: KEEP }));
    expect(await screen.findByText(/^This has changed, or somebody else has settled it\./)).toBeVisible();
    await noDialog();
    const omar = await card('Omar Hassan');
    await waitFor(() => expect(omar).toHaveTextContent('Garden'));
    expect(omar).toHaveTextContent('This has changed meanwhile. Please look at it again.');
    await expectAccessible();
    const again = await ask(user, KEEP_OMAR, 'Leave it as Haris has it?');
    await user.click(within(again).getByRole('button', { name: KEEP }));
    await screen.findByText('Nothing to settle.');
    expect(sent).toEqual([
      ['conflict-omar', 'keep', 'revision-1'],
      ['conflict-omar', 'keep', 'revision-2'],
    ]);
  });

  test('settled by somebody else meanwhile, the card goes', async () => {
    const { change } = serveConflicts(deskConflict());
    const { user } = await open();
    const question = await ask(user, 'Desk 2 is right: Omar Hassan', /^Take over what/);
    change('conflict-omar', { settled: kept });
    await user.click(within(question).getByRole('button', { name: 'Desk 2 is right' }));
    expect(await screen.findByText(/^This has changed, or somebody else has settled it\./)).toBeVisible();
    await screen.findByText('Nothing to settle.');
    await noDialog();
  });

  test('without an answer, the question stays with its note', async () => {
    serveConflicts(deskConflict());
    server.use(handle(deskConflictRoutes.settleDeskConflict, offline));
    const { user } = await open();
    const question = await ask(user, KEEP_OMAR, 'Leave it as Haris has it?');
    await user.type(within(question).getByRole('textbox', { name: 'Note' }), 'Omar is asleep.');
    await user.click(within(question).getByRole('button', { name: KEEP }));
    expect(await screen.findByText(/^Haris cannot be reached/)).toBeVisible();
    await waitFor(() => expect(within(question).getByRole('button', { name: KEEP })).toBeEnabled());
    expect(within(question).getByRole('textbox', { name: 'Note' })).toHaveValue('Omar is asleep.');
  });
});

describe('several at once', () => {
  /** Ticks both and presses the button above the list. */
  async function chooseBoth(user: UserEvent): Promise<HTMLElement> {
    await user.click(await screen.findByRole('checkbox', { name: 'Choose Omar Hassan' }));
    await user.click(screen.getByRole('checkbox', { name: 'Choose Layla Hassan' }));
    expect(screen.getByText('2 chosen')).toBeVisible();
    await user.click(screen.getByRole('button', { name: KEEP }));
    return screen.findByRole('dialog', { name: 'Leave 2 as Haris has them?' });
  }

  test('are left as Haris has them, with one question that names them', async () => {
    const { sent } = serveConflicts(deskConflict(), layla());
    const { user } = await open();
    const question = await chooseBoth(user);
    expect(question).toHaveTextContent(/Nothing changes for these children.*Omar Hassan.*Layla Hassan/);
    expect(within(question).queryByRole('textbox')).toBeNull();
    await expectAccessible();
    await user.click(within(question).getByRole('button', { name: KEEP }));
    expect(await screen.findByText('2 settled')).toBeVisible();
    await screen.findByText('Nothing to settle.');
    await noDialog();
    expect(sent).toEqual([
      [
        ['conflict-omar', 'revision-1'],
        ['conflict-layla', 'revision-1'],
      ],
    ]);
    expect(document.activeElement).not.toBe(document.body);
  });

  test('what has changed meanwhile is left, and it says so', async () => {
    const { change } = serveConflicts(deskConflict(), layla());
    const { user } = await open();
    const question = await chooseBoth(user);
    change('conflict-layla', { revision: 'revision-2' });
    await user.click(within(question).getByRole('button', { name: KEEP }));
    expect(await screen.findByText('1 settled')).toBeVisible();
    expect(await screen.findByText(/^1 has changed meanwhile\./)).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('heading', { level: 2, name: 'Omar Hassan' })).toBeNull());
    expect(await screen.findByRole('checkbox', { name: 'Choose Layla Hassan' })).not.toBeChecked();
    const changed = 'This has changed meanwhile. Please look at it again.';
    await waitFor(async () => expect(await card('Layla Hassan')).toHaveTextContent(changed));
  });

  test('a tick ends once the conflict has changed, and can be taken back', async () => {
    const { change } = serveConflicts(deskConflict(), layla());
    const { user, events } = await open();
    const omar = await screen.findByRole('checkbox', { name: 'Choose Omar Hassan' });
    await user.click(omar);
    await user.click(screen.getByRole('checkbox', { name: 'Choose Layla Hassan' }));
    change('conflict-omar', { revision: 'revision-2' });
    await events.send({ type: 'desk.entries' });
    await waitFor(() => expect(omar).not.toBeChecked());
    expect(screen.getByText('1 chosen')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Clear choice' }));
    expect(screen.getByRole('checkbox', { name: 'Choose Layla Hassan' })).not.toBeChecked();
    expect(screen.queryByRole('button', { name: KEEP })).toBeNull();
    expect(document.activeElement).not.toBe(document.body);
  });

  test('the ticks of others stay when one is settled by itself', async () => {
    serveConflicts(deskConflict(), layla());
    const { user } = await open();
    await user.click(await screen.findByRole('checkbox', { name: 'Choose Layla Hassan' }));
    const question = await ask(user, KEEP_OMAR, 'Leave it as Haris has it?');
    await user.click(within(question).getByRole('button', { name: KEEP }));
    await waitFor(() => expect(screen.queryByRole('heading', { level: 2, name: 'Omar Hassan' })).toBeNull());
    await noDialog();
    expect(screen.getByRole('checkbox', { name: 'Choose Layla Hassan' })).toBeChecked();
  });
});

describe('on the dashboard', () => {
  const figure = () => screen.queryByRole('button', { name: /Desk conflicts$/ });

  test('the number appears by its event, leads to the list, and goes with the last one', async () => {
    const { change } = serveConflicts(deskConflict(), layla());
    for (const id of ['conflict-omar', 'conflict-layla']) change(id, { settled: kept });
    const { user, events, router } = await renderScreen('/adminDashboard', { as: staff });
    await screen.findByRole('region', { name: 'At a glance' });
    await settle();
    expect(figure()).toBeNull();
    for (const id of ['conflict-omar', 'conflict-layla']) change(id, { settled: null });
    await events.send({ type: 'desk.entries' });
    await waitFor(() => expect(figure()).toHaveTextContent(/^2/));
    change('conflict-omar', { settled: kept });
    await events.send({ type: 'desk.entries' });
    await waitFor(() => expect(figure()).toHaveTextContent(/^1/));
    await user.click(figure() as HTMLElement);
    await waitFor(() => expect(router.state.location.pathname).toBe('/deskConflicts'));
    await card('Layla Hassan');
  });

  test('whoever may not settle them is not asked to', async () => {
    const asked: string[] = [];
    server.use(
      handle(deskConflictRoutes.listDeskConflicts, () => {
        asked.push('asked');
        return { conflicts: [], total: 3, nextCursor: null };
      }),
    );
    const inspector = { admin: admin({ permissions: [...BUILT_IN_ROLES.inspector] }) };
    await renderScreen('/adminDashboard', { as: inspector });
    await screen.findByRole('heading', { level: 1 });
    await settle();
    expect(figure()).toBeNull();
    expect(asked).toEqual([]);
  });
});

test('in Arabic on a phone: right to left, with the same ways', async () => {
  const { sent } = serveConflicts(deskConflict(), layla());
  const { user } = await open({ language: 'ar', size: 'phone' });
  expect(await screen.findByRole('heading', { level: 1, name: 'تسجيلات متعارضة' })).toBeVisible();
  expect(document.documentElement).toHaveAttribute('dir', 'rtl');
  const omar = await card('Omar Hassan');
  expect(omar).toHaveTextContent(
    /ما سجّله جهاز المكتب.*Desk 2.*٣:١٠.*المستلم.*Mona Hassan.*وليّ أمر.*ما لدى حارس/,
  );
  await settle();
  await expectAccessible();
  await user.click(within(omar).getByRole('button', { name: /^يبقى ما لدى حارس: .*Omar Hassan/ }));
  const question = await screen.findByRole('dialog', { name: 'هل يبقى ما لدى حارس كما هو؟' });
  expect(question).toHaveTextContent('يُعدّ الطفل في الداخل.');
  await user.click(within(question).getByRole('button', { name: 'يبقى ما لدى حارس' }));
  expect(await screen.findByText('حُسم الأمر: يبقى ما لدى حارس')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('heading', { level: 2, name: 'Omar Hassan' })).toBeNull());
  expect(sent).toEqual([['conflict-omar', 'keep', 'revision-1']]);
});
