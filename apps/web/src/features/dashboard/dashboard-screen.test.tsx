/** The dashboard: children inside, families, undo, and registering an entry. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { childRoutes } from '@haris/contract/http/children';
import { pickupRoutes } from '@haris/contract/http/pickups';
import { searchRoutes } from '@haris/contract/http/search';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { http } from 'msw';
import { describe, expect, test, vi } from 'vitest';
import { allShortcuts } from '../../keys/shortcuts.ts';
import { expectAccessible } from '../../testing/accessibility.ts';
import { handle, offline, pending, refuse, server } from '../../testing/contract-server.ts';
import { admin, child, LONG_NAME } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { family, serveDesk } from './testing/desk.ts';

const staff = { admin: admin() };
const open = (options = {}) => renderScreen('/adminDashboard', { as: staff, ...options });

const sara = { _id: 'parent-sara', name: 'Sara Ibrahim', email: 'sara@haris.example' };
const nour = (more = {}) => child({ _id: 'child-nour', name: 'Nour Ibrahim', ...more });
const adam = (more = {}) => child({ _id: 'child-adam', name: 'Adam Ibrahim', ...more });
const omar = (more = {}) => child({ _id: 'child-omar', name: 'Omar Hassan', ...more });

const insideSection = () => screen.findByRole('region', { name: 'Children in Monitored Area' });
const families = () => screen.findByRole('region', { name: 'Parents & Children' });
/** The row of a child who is inside or has just left. */
async function rowOf(name: string): Promise<HTMLElement> {
  const label = await within(await insideSection()).findByText(name);
  const row = label.closest('li');
  if (row === null) throw new Error(`${name} stands in no row`);
  return row;
}

/** Presses Delete Parent in the row of Sara's family. */
async function chooseDeletion(user: UserEvent): Promise<void> {
  await user.click(await screen.findByRole('button', { name: 'Delete Parent Sara Ibrahim' }));
}

/** The toast with the given text. */
async function toastOf(text: string | RegExp): Promise<HTMLElement> {
  const words = await screen.findByText(text);
  const toast = words.closest<HTMLElement>('[data-rht-toaster] > *');
  if (toast === null) throw new Error('the words stand in no toast');
  return toast;
}

describe('children inside', () => {
  test('while they are loaded, and when nobody is inside', async () => {
    server.use(handle(childRoutes.listChildren, pending), handle(accountRoutes.listParents, pending));
    const { unmount } = await open();
    const section = await insideSection();
    expect(within(section).getByRole('status', { name: 'Loading…' })).toBeInTheDocument();
    await unmount();
    server.resetHandlers();
    await open();
    expect(await screen.findByText('No children currently detected.')).toBeInTheDocument();
    expect(await screen.findByText('No parents registered yet.')).toBeInTheDocument();
  });

  test.each([
    ['the server fails', refuse('internal_error')],
    ['there is no connection', offline],
  ] as const)('when %s both lists say so and can be tried again', async (_why, answer) => {
    server.use(handle(childRoutes.listChildren, answer), handle(accountRoutes.listParents, answer));
    const { user } = await open();
    expect(await screen.findByText('The children inside could not be loaded.')).toBeInTheDocument();
    expect(await screen.findByText('The parents could not be loaded.')).toBeInTheDocument();
    server.resetHandlers();
    serveDesk(family(sara, nour({ isInside: true })));
    for (const button of screen.getAllByRole('button', { name: 'Try Again' })) await user.click(button);
    expect(await rowOf('Nour Ibrahim')).toBeInTheDocument();
  });

  test('each has a countdown; who is over time comes first and is announced', async () => {
    const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString();
    serveDesk(
      family(
        sara,
        nour({ isInside: true, entryTime: at(0), duration: 120 }),
        adam({ isInside: true, entryTime: at(61), duration: 60 }),
      ),
    );
    await open();
    expect(within(await rowOf('Adam Ibrahim')).getByText('1 min over')).toBeInTheDocument();
    expect(within(await rowOf('Adam Ibrahim')).getByRole('timer')).toHaveTextContent('00:00');
    expect(within(await rowOf('Nour Ibrahim')).getByRole('timer')).toHaveTextContent(/^(2 h 0|1 h 59) min$/);
    const names = within(await insideSection())
      .getAllByRole('timer')
      .map((timer) => timer.getAttribute('aria-label'));
    expect(names).toEqual(['Time left Adam Ibrahim', 'Time left Nour Ibrahim']);
    await expectAccessible();
  });

  test.each(['tiles', 'rows'])(
    'in %s, the parent of who is over time can be called, and only with a phone that one may see',
    async (look) => {
      localStorage.setItem('haris.inside-view', JSON.stringify({ look, order: 'due', byRoom: false }));
      const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString();
      const late = { isInside: true, entryTime: at(72), duration: 60 };
      const others = Array.from({ length: 8 }, (_, n) =>
        child({ _id: `child-${n}`, name: `Child ${n}`, isInside: true, entryTime: at(1), duration: 240 }),
      );
      const [hani, unseen] = [child({ _id: 'child-hani', name: 'Hani Aziz', ...late }), omar(late)];
      serveDesk(
        family({ ...sara, phone: '01055512345' }, adam(late), ...others),
        family({ _id: 'parent-aziz', name: 'Aziz Nabil', phone: null }, hani),
        // As for somebody whom the server tells no phones.
        { ...family({}), children: [unseen] },
      );
      await open();
      const section = within(await insideSection());
      await waitFor(() => expect(section.getAllByRole('listitem')).toHaveLength(11));
      const row = within(await rowOf('Adam Ibrahim'));
      expect(row.getByText(/^\d+ min over$/)).toBeInTheDocument();
      expect(row.getByRole('link', { name: 'Call Sara Ibrahim about Adam Ibrahim' })).toHaveAttribute(
        'href',
        'tel:01055512345',
      );
      expect(section.getAllByRole('link', { name: /^Call / })).toHaveLength(1);
    },
  );

  test('a hundred of them are all drawn, and one is found by typing', async () => {
    const children = Array.from({ length: 100 }, (_, n) =>
      child({
        _id: `child-${n}`,
        name: `${LONG_NAME.slice(3)}${String(n).padStart(3, '0')}`,
        isInside: true,
      }),
    );
    serveDesk(family(sara, ...children));
    const { user } = await open({ size: 'phone' });
    const section = await insideSection();
    // The rows render in chunks while the page is idle.
    await waitFor(() => expect(section.querySelectorAll('li')).toHaveLength(100));
    await user.type(within(section).getByRole('searchbox', { name: 'Find a child inside' }), '042');
    await waitFor(() => expect(section.querySelectorAll('li')).toHaveLength(1));
    await user.type(within(section).getByRole('searchbox', { name: 'Find a child inside' }), 'x');
    expect(await within(section).findByText('No match inside for “042x”.')).toBeInTheDocument();
  });

  test('an announced pick-up is shown by its event: a strip with the family, and a mark on the row', async () => {
    const [one, two] = [nour({ isInside: true }), adam({ isInside: true })];
    serveDesk(family(sara, one, two));
    const { events, user } = await open();
    await rowOf('Nour Ibrahim');
    expect(screen.queryByRole('region', { name: 'On the way' })).not.toBeInTheDocument();
    const announcedAt = new Date().toISOString();
    const way = (minutes: number) => ({
      arrivesAt: new Date(Date.now() + minutes * 60_000 + 5_000).toISOString(),
      announcedAt,
      source: 'phone' as const,
    });
    const soon = way(12);
    serveDesk(family(sara, { ...one, onMyWay: soon }, { ...two, onMyWay: soon }));
    await events.send({ type: 'child.on_my_way', childId: one._id, child: { ...one, onMyWay: soon } });
    const strip = await screen.findByRole('region', { name: 'On the way' });
    await waitFor(() => expect(within(strip).getAllByRole('listitem')).toHaveLength(1));
    expect(strip).toHaveTextContent(/Adam IbrahimNour IbrahimSara Ibrahim.* · in 1[12] min/);
    // A name in the other script is cut at its own end.
    expect(within(strip).getByText('Sara Ibrahim')).toHaveAttribute('dir', 'auto');
    // The rows follow with less haste than the strip.
    await waitFor(async () => expect(await rowOf('Nour Ibrahim')).toHaveTextContent(/On the way, \d/));
    expect(screen.getByText('On the way for: Adam Ibrahim, Nour Ibrahim')).toBeInTheDocument();
    await expectAccessible();
    const marked: unknown[] = [];
    server.use(
      handle(pickupRoutes.markPickupSeen, ({ body }) => {
        marked.push(body.seen);
        const onMyWay = body.seen ? { ...soon, seenAt: announcedAt } : soon;
        serveDesk(family(sara, { ...one, onMyWay }, { ...two, onMyWay }));
        return { message: 'ok', children: [] };
      }),
    );
    await user.click(within(strip).getByRole('button', { name: 'Seen: Sara Ibrahim is on the way' }));
    await waitFor(() => expect(strip).not.toBeInTheDocument());
    expect(await rowOf('Nour Ibrahim')).toHaveTextContent(/On the way, \d/);
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    const again = await screen.findByRole('region', { name: 'On the way' });
    expect(marked).toEqual([true, false]);
    const late = way(-4);
    serveDesk(family(sara, { ...one, onMyWay: late }, two));
    await events.send({ type: 'child.on_my_way', childId: one._id, child: { ...one, onMyWay: late } });
    await waitFor(() => expect(again).toHaveTextContent('Nour IbrahimSara Ibrahim'));
    expect(again).toHaveTextContent(/[34] min late/);
    await waitFor(async () => expect(await rowOf('Nour Ibrahim')).toHaveTextContent('Was expected at'));
    serveDesk(family(sara, one, two));
    await events.send({ type: 'child.on_my_way_ended', childId: one._id, child: one });
    await waitFor(() => expect(again).not.toBeInTheDocument());
  });

  test('a pressed figure shows its children, as rows or tiles, and by room', async () => {
    const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString();
    const many = Array.from({ length: 9 }, (_, n) =>
      child({ _id: `child-${n}`, name: `Child ${n}`, isInside: true, entryTime: at(1), duration: 240 }),
    );
    serveDesk(family(sara, adam({ isInside: true, entryTime: at(61), duration: 60 }), ...many));
    const { user } = await open();
    const section = await insideSection();
    await waitFor(() => expect(within(section).getAllByRole('listitem')).toHaveLength(10));
    await user.click(screen.getByRole('button', { name: '1Over time' }));
    await waitFor(() => expect(within(section).getAllByRole('listitem')).toHaveLength(1));
    expect(within(section).getByText('Adam Ibrahim')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: '0Due within 10 min' }));
    expect(await within(section).findByText('No child is due within 10 minutes.')).toBeInTheDocument();
    await user.click(within(section).getByRole('button', { name: 'Show all' }));
    await waitFor(() => expect(within(section).getAllByRole('listitem')).toHaveLength(10));
    await user.click(within(section).getByRole('button', { name: 'Show rows' }));
    expect(within(section).getByRole('button', { name: 'Print slip of Adam Ibrahim' })).toBeInTheDocument();
    await user.click(within(section).getByRole('button', { name: 'Group by room' }));
    const room = await within(section).findByRole('button', { name: /^Room unknown/ });
    await user.click(room);
    expect(room).toHaveAttribute('aria-expanded', 'false');
    expect(within(section).queryByText('Adam Ibrahim')).not.toBeInTheDocument();
  });

  test('in tiles, marks share the line of the parent’s name, so that no tile is higher than its neighbours', async () => {
    localStorage.setItem('haris.inside-view', JSON.stringify({ look: 'tiles', order: 'due', byRoom: false }));
    const onMyWay = {
      arrivesAt: new Date(Date.now() + 12 * 60_000).toISOString(),
      announcedAt: new Date().toISOString(),
      source: 'phone' as const,
    };
    serveDesk(family(sara, adam({ isInside: true, unconfirmed: ['photo'], onMyWay })));
    await open();
    await insideSection();
    const line = within(await rowOf('Adam Ibrahim')).getByText('Sara Ibrahim').parentElement;
    expect(line).toHaveTextContent(/^On the way, .*Not confirmed yetSara Ibrahim$/);
    expect(within(line as HTMLElement).getByTitle(/^On the way, \d/)).toBeVisible();
    expect(within(line as HTMLElement).getByTitle('Not confirmed yet')).toBeVisible();
  });

  test.each(['tiles', 'rows'])(
    'in %s, who was never confirmed is marked, counted and shown alone',
    async (look) => {
      localStorage.setItem('haris.inside-view', JSON.stringify({ look, order: 'due', byRoom: false }));
      const others = Array.from({ length: 8 }, (_, n) =>
        child({ _id: `child-${n}`, name: `Child ${n}`, isInside: true }),
      );
      const unseen = { isInside: true, pending: ['photo' as const], unconfirmed: ['photo' as const] };
      const [one, two] = [adam(unseen), nour(unseen)];
      // A new photo of a child whom staff know is no reason to doubt who it is.
      const known = omar({ isInside: true, pending: ['photo'] });
      serveDesk(family(sara, one, two, ...others), family({}, known));
      const { user, events } = await open();
      const section = within(await insideSection());
      await waitFor(() => expect(section.getAllByRole('listitem')).toHaveLength(11));
      for (const name of ['Adam Ibrahim', 'Nour Ibrahim'])
        expect(await rowOf(name)).toHaveTextContent('Not confirmed yet');
      for (const name of ['Omar Hassan', 'Child 3'])
        expect(await rowOf(name)).not.toHaveTextContent('Not confirmed yet');
      const filter = section.getByRole('button', { name: '2 inside are not confirmed' });
      expect(filter).toHaveAttribute('aria-pressed', 'false');
      await user.click(filter);
      await waitFor(() => expect(section.getAllByRole('listitem')).toHaveLength(2));
      expect(filter).toHaveAttribute('aria-pressed', 'true');
      await user.click(filter);
      await waitFor(() => expect(section.getAllByRole('listitem')).toHaveLength(11));
      await user.click(filter);

      // The desk confirms both, one after the other.
      const seen = { pending: [], unconfirmed: undefined };
      const next = { ...one, ...seen };
      serveDesk(family(sara, next, two, ...others), family({}, known));
      await events.send({ type: 'proposal.accepted', childId: one._id, child: next });
      expect(await section.findByRole('button', { name: '1 inside is not confirmed' })).toBeVisible();
      serveDesk(family(sara, next, { ...two, ...seen }, ...others), family({}, known));
      await events.send({ type: 'proposal.accepted', childId: two._id, child: { ...two, ...seen } });
      expect(await section.findByText('Every child inside is confirmed.')).toBeVisible();
      expect(section.queryByRole('button', { name: /not confirmed/ })).not.toBeInTheDocument();
      await user.click(section.getByRole('button', { name: 'Show all' }));
      await waitFor(() => expect(section.getAllByRole('listitem')).toHaveLength(11));
    },
  );

  test('the slip of a child who was never confirmed says so, that of another does not', async () => {
    serveDesk(family(sara, adam({ isInside: true, unconfirmed: ['name'] }), nour({ isInside: true })));
    const { user } = await open();
    for (const [name, isMarked] of [
      ['Adam Ibrahim', true],
      ['Nour Ibrahim', false],
    ] as const) {
      await user.click(await screen.findByRole('button', { name: `Print slip of ${name}` }));
      const slip = await screen.findByRole('article', { name: new RegExp(name) });
      if (isMarked) expect(slip).toHaveTextContent('Not confirmed yet');
      else expect(slip).not.toHaveTextContent('Not confirmed yet');
      await user.keyboard('{Escape}');
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    }
  });

  test('in Arabic two of them are counted in the dual', async () => {
    const unseen = { isInside: true, unconfirmed: ['photo' as const, 'name' as const] };
    serveDesk(family(sara, adam(unseen), nour(unseen)));
    await open({ language: 'ar' });
    expect(await screen.findByRole('button', { name: 'طفلان في الداخل لم يُؤكَّدا بعد' })).toBeInTheDocument();
    expect(await screen.findAllByText('لم يُؤكَّد بعد')).not.toHaveLength(0);
  });

  test.each(['tiles', 'rows'])(
    'a stay is extended, and its slip printed, from the %s themselves, also by key',
    async (look) => {
      const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString();
      localStorage.setItem('haris.inside-view', JSON.stringify({ look, order: 'due', byRoom: false }));
      const others = Array.from({ length: 8 }, (_, n) =>
        child({ _id: `child-${n}`, name: `Child ${n}`, isInside: true, entryTime: at(1), duration: 240 }),
      );
      const desk = serveDesk(
        family(sara, adam({ isInside: true, entryTime: at(5), duration: 60 }), ...others),
      );
      const { user } = await open();
      const row = await rowOf('Adam Ibrahim');
      const name = 'Extend, move or print slip: Adam Ibrahim';
      const more = within(row).getByRole('button', { name });
      await user.click(more);
      const dialog = await screen.findByRole('dialog', { name });
      await expectAccessible();
      await user.click(within(dialog).getByRole('button', { name: /^\+30 min, until/ }));
      await waitFor(() => expect(desk.done).toEqual(['extend child-adam 30']));
      await waitFor(() => expect(dialog).not.toBeInTheDocument());
      expect(more).toHaveFocus();
      expect(await toastOf(/^Stays until/)).toBeInTheDocument();

      await waitFor(() => expect(allShortcuts().map(({ keys }) => keys)).toContain('?'));
      within(row).getByRole('button', { name: 'Checkout Adam Ibrahim' }).focus();
      await user.keyboard('e');
      const again = await screen.findByRole('dialog', { name });
      await user.click(within(again).getByLabelText('New due time'));
      await user.keyboard('{Escape}');
      await waitFor(() => expect(again).not.toBeInTheDocument());
      expect(more).toHaveFocus();
      await user.click(more);
      await user.click(more);
      await waitFor(() => expect(screen.queryByRole('dialog', { name })).not.toBeInTheDocument());
      await user.click(more);
      const third = await screen.findByRole('dialog', { name });
      await user.click(within(third).getByRole('button', { name: 'Print slip of Adam Ibrahim' }));
      const slip = await screen.findByRole('dialog', { name: 'Print slip' });
      expect(slip).toHaveTextContent('Adam Ibrahim');
      expect(slip).toHaveTextContent(/This copy is no proof of pick-up for .*Adam Ibrahim/);
    },
  );

  test('another desk’s check-in and checkout are shown by the event', async () => {
    const desk = serveDesk(family(sara, nour()));
    const { events } = await open();
    await screen.findByText('No children currently detected.');
    desk.enter('child-nour');
    await events.send({ type: 'child.checked_in', childId: 'child-nour', child: nour({ isInside: true }) });
    expect(await rowOf('Nour Ibrahim')).toBeInTheDocument();
    desk.leave('child-nour');
    await events.send({ type: 'child.checked_out', childId: 'child-nour', child: nour() });
    expect(await screen.findByText('No children currently detected.')).toBeInTheDocument();
  });
});

describe('checkout and its undoing', () => {
  async function checkOut(user: UserEvent, name: string): Promise<void> {
    await user.click(within(await rowOf(name)).getByRole('button', { name: `Checkout ${name}` }));
  }

  test('the row stays in its place with the way back; Ctrl+Z does the same', async () => {
    const desk = serveDesk(family(sara, nour({ isInside: true })));
    const { user } = await open();
    await checkOut(user, 'Nour Ibrahim');
    const row = await rowOf('Nour Ibrahim');
    expect(await within(row).findByText('Checked out')).toBeInTheDocument();
    await user.click(await within(row).findByRole('button', { name: 'Undo the checkout of Nour Ibrahim' }));
    await waitFor(() => expect(desk.done.at(-1)).toBe('undo-checkout child-nour'));
    await screen.findByRole('button', { name: 'Checkout Nour Ibrahim' });
    await checkOut(user, 'Nour Ibrahim');
    await within(await rowOf('Nour Ibrahim')).findByRole('button', { name: /^Undo/ });
    await user.keyboard('{Control>}z{/Control}');
    await waitFor(() =>
      expect(desk.done).toEqual([
        'checkout child-nour',
        'undo-checkout child-nour',
        'checkout child-nour',
        'undo-checkout child-nour',
      ]),
    );
  });

  test('what another desk did since is not undone, and said in words', async () => {
    const desk = serveDesk(family(sara, nour({ isInside: true })));
    const { user } = await open();
    await checkOut(user, 'Nour Ibrahim');
    const toast = await toastOf('Child checked out successfully');
    desk.enter('child-nour');
    await user.click(within(toast).getByRole('button', { name: 'Undo' }));
    await screen.findByText('This child is already inside.');
  });

  test('a child that another desk has checked out is said to be outside', async () => {
    const desk = serveDesk(family(sara, nour({ isInside: true })));
    const { user } = await open();
    await rowOf('Nour Ibrahim');
    desk.leave('child-nour');
    await checkOut(user, 'Nour Ibrahim');
    await screen.findByText('This child is not inside.');
    expect(await screen.findByText('No children currently detected.')).toBeInTheDocument();
  });

  test('without a connection the desk says so, and does nothing', async () => {
    const desk = serveDesk(family(sara, nour({ isInside: true })));
    const { user } = await open();
    await rowOf('Nour Ibrahim');
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void dispatchEvent(new Event('offline')));
    expect(
      await screen.findByText(/^No connection\. Shown as of .+; check-in and checkout are paused\.$/),
    ).toBeInTheDocument();
    await checkOut(user, 'Nour Ibrahim');
    await screen.findByText(/^Not saved\. Try again when/);
    expect(desk.done).toEqual([]);
    onLine.mockReturnValue(true);
    act(() => void dispatchEvent(new Event('online')));
    await waitFor(() => expect(screen.queryByText(/^No connection\./)).not.toBeInTheDocument());
  });
});

describe('register entry', () => {
  /** Opens the dialog and waits until its search field has the focus. */
  async function openEntry(user: UserEvent) {
    await user.click((await screen.findAllByRole('button', { name: 'Register Entry' }))[0] as HTMLElement);
    const dialog = await screen.findByRole('dialog', { name: 'Register Child Entry' });
    const search = await within(dialog).findByRole('combobox', { name: 'Parent' });
    await waitFor(() => expect(search).toHaveFocus());
    return { dialog, search };
  }

  test('of several children none is ticked by itself; those who are ticked come in, and one undo takes them back', async () => {
    const desk = serveDesk(
      family(sara, nour(), adam(), child({ _id: 'child-laila', name: 'Laila Ibrahim' })),
      family({ _id: 'parent-samir', name: 'Samir Fouad' }, child({ name: 'Hana Samir' })),
    );
    const { user } = await open();
    const { dialog } = await openEntry(user);
    await user.keyboard('ra');
    const boxes = await within(dialog).findAllByRole('checkbox');
    expect(boxes).toHaveLength(3);
    for (const box of boxes) expect(box).not.toBeChecked();
    expect(within(dialog).getByRole('radio', { name: '30 minutes' })).toBeChecked();
    await expectAccessible();
    await user.click(within(dialog).getByRole('checkbox', { name: 'Nour Ibrahim' }));
    await user.click(within(dialog).getByRole('checkbox', { name: 'Adam Ibrahim' }));
    await user.click(within(dialog).getByRole('button', { name: 'Check in 2 children' }));
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    expect(await toastOf('Child checked in successfully')).toBeInTheDocument();
    expect(desk.done).toEqual(['check-in child-nour 30', 'check-in child-adam 30']);
    await user.keyboard('{Control>}z{/Control}');
    await waitFor(() =>
      expect(desk.done.slice(2).toSorted()).toEqual(['undo-check-in child-adam', 'undo-check-in child-nour']),
    );
    expect(await screen.findByText('No children currently detected.')).toBeInTheDocument();
  });

  test('what is typed before its field is there is in the field', async () => {
    serveDesk(family(sara, nour()));
    const { user } = await open();
    await user.click((await screen.findAllByRole('button', { name: 'Register Entry' }))[0] as HTMLElement);
    await user.keyboard('nourx{Backspace} ib');
    const search = await screen.findByRole('combobox', { name: 'Parent' });
    await waitFor(() => expect(search).toHaveValue('nour ib'));
    await user.keyboard('r');
    expect(search).toHaveValue('nour ibr');
    expect(await screen.findByRole('checkbox', { name: 'Nour Ibrahim' })).toBeChecked();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    // Nothing keeps letters any longer.
    expect(fireEvent.keyDown(document.body, { key: 'x' })).toBe(true);
  });

  test('a child is found by its own name, and ticked with the siblings who came with it last time', async () => {
    const desk = serveDesk(
      family(sara, nour(), adam(), child({ _id: 'child-laila', name: 'Laila Ibrahim' })),
      family({}, omar()),
    );
    desk.cameLast(['child-nour', 'child-adam'], 120);
    const { user } = await open();
    const { dialog } = await openEntry(user);
    await user.keyboard('adma');
    expect(await within(dialog).findByRole('checkbox', { name: 'Adam Ibrahim' })).toBeChecked();
    expect(within(dialog).getByRole('checkbox', { name: 'Nour Ibrahim' })).toBeChecked();
    expect(within(dialog).getByRole('checkbox', { name: 'Laila Ibrahim' })).not.toBeChecked();
    expect(within(dialog).getByRole('radio', { name: '2 hours' })).toBeChecked();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(desk.done).toEqual(['check-in child-nour 120', 'check-in child-adam 120']));
  });

  test('among the children found, who was never confirmed is marked', async () => {
    serveDesk(family(sara, nour(), adam({ unconfirmed: ['photo', 'name'] })));
    const { user } = await open();
    const { dialog } = await openEntry(user);
    await user.keyboard('ibra');
    const option = (name: RegExp) => within(dialog).findByRole('option', { name });
    expect(await option(/^Adam Ibrahim/)).toHaveTextContent('Not confirmed yet');
    expect(await option(/^Nour Ibrahim/)).not.toHaveTextContent('Not confirmed yet');
    await expectAccessible();
  });

  test('a child without siblings of last time is ticked alone; a sibling is one press more', async () => {
    const desk = serveDesk(family(sara, nour(), adam()));
    const { user } = await open();
    const { dialog } = await openEntry(user);
    await user.keyboard('adam');
    expect(await within(dialog).findByRole('checkbox', { name: 'Adam Ibrahim' })).toBeChecked();
    await user.click(within(dialog).getByRole('checkbox', { name: 'Nour Ibrahim' }));
    await user.click(within(dialog).getByRole('button', { name: 'Check in 2 children' }));
    await waitFor(() => expect(desk.done).toEqual(['check-in child-nour 30', 'check-in child-adam 30']));
  });

  test('nobody chosen is said in words', async () => {
    serveDesk(family(sara, nour(), adam()));
    const { user } = await open();
    const { dialog } = await openEntry(user);
    await user.keyboard('{Enter}');
    expect(await within(dialog).findByRole('alert')).toHaveTextContent(
      'Please select a parent and at least one child.',
    );
    await expectAccessible();
  });

  test('Enter before the answer chooses the family, and does not check in', async () => {
    const desk = serveDesk(family(sara, nour()));
    const mona = family({}, omar());
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { user } = await open();
    const { dialog } = await openEntry(user);
    server.use(
      handle(searchRoutes.search, async () => {
        await held;
        const usual = { childIds: [], minutes: null };
        return { children: [], parents: [{ rank: 0, parent: mona, usual }] };
      }),
    );
    await user.keyboard('mona{Enter}');
    answer();
    const box = await within(dialog).findByRole('checkbox', { name: 'Omar Hassan' });
    await waitFor(() => expect(box).toHaveFocus());
    expect(within(dialog).getByRole('button', { name: 'Change parent' })).toBeInTheDocument();
    expect(desk.done).toEqual([]);
  });

  test('while further letters are looked up, nobody can be checked in', async () => {
    const desk = serveDesk(family({}, omar()));
    const { user } = await open();
    const { dialog } = await openEntry(user);
    await user.keyboard('mo');
    const box = await within(dialog).findByRole('checkbox', { name: 'Omar Hassan' });
    expect(box).toBeChecked();
    server.use(handle(searchRoutes.search, pending));
    await user.keyboard('s');
    await waitFor(() => expect(box).toBeDisabled());
    await user.click(within(dialog).getByRole('button', { name: 'Check in' }));
    expect(desk.done).toEqual([]);
  });

  test('who came in meanwhile is named with the reason; the others are inside', async () => {
    const desk = serveDesk(family(sara, nour(), adam()));
    const { user } = await open();
    const { dialog } = await openEntry(user);
    await user.keyboard('sara');
    await user.click(await within(dialog).findByRole('checkbox', { name: 'Nour Ibrahim' }));
    await user.click(within(dialog).getByRole('checkbox', { name: 'Adam Ibrahim' }));
    desk.enter('child-adam');
    await user.click(within(dialog).getByRole('button', { name: 'Check in 2 children' }));
    const alert = await within(dialog).findByRole('alert', {
      name: 'Adam Ibrahim: This child is already inside.',
    });
    expect(alert).toHaveFocus();
    expect(desk.done).toEqual(['check-in child-nour 30']);
  });

  test('a double press makes one stay', async () => {
    const desk = serveDesk(family({}, omar()));
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Check in Omar Hassan' }));
    const dialog = await screen.findByRole('dialog', { name: 'Register Child Entry' });
    // Both presses come before the answer, however slow they are. The desk's own handler gives it.
    const pressed = Promise.withResolvers<void>();
    server.use(http.post('*/api/children/checkin-child/:id', () => pressed.promise));
    // The form's code comes after the dialog.
    await user.dblClick(await within(dialog).findByRole('button', { name: 'Check in' }));
    pressed.resolve();
    await screen.findByText('Child checked in successfully');
    expect(desk.done).toEqual(['check-in child-omar 30']);
  });

  test.each([
    ['nobody matches', 'zzz', 'No match.'],
    ['the search fails', '', 'The parents could not be loaded.'],
  ])('when %s, the list says so', async (_why, typed, words) => {
    serveDesk(family({}, omar()));
    if (typed === '') server.use(handle(searchRoutes.search, refuse('internal_error')));
    const { user } = await open();
    const { dialog } = await openEntry(user);
    if (typed !== '') await user.keyboard(typed);
    expect(await within(dialog).findByText(words)).toBeInTheDocument();
  });
});

describe('families', () => {
  test('they are searched, and who matches nobody is told so', async () => {
    serveDesk(family({}, omar()), family(sara, nour()));
    const { user } = await open();
    const section = await families();
    expect(await within(section).findByText('2 parents')).toBeInTheDocument();
    const search = within(section).getByRole('searchbox', { name: 'Search parents and children' });
    await user.type(search, 'sara');
    await waitFor(() => expect(within(section).queryByText('Mona Hassan')).not.toBeInTheDocument());
    await user.type(search, 'zzz');
    expect(await within(section).findByText('No match for “sarazzz”.')).toBeInTheDocument();
    await expectAccessible();
    await user.click(within(section).getByRole('button', { name: 'Clear search' }));
    expect(await within(section).findByText('Mona Hassan')).toBeInTheDocument();
    await waitFor(() => expect(search).toHaveFocus());
  });

  test('a hundred of them come page by page; one that cannot be loaded says so', async () => {
    const many = Array.from({ length: 100 }, (_, n) => family({ _id: `p${n}`, name: `${LONG_NAME} ${n}` }));
    serveDesk(...many);
    const { user } = await open();
    const section = await families();
    expect(await within(section).findByText('100 parents')).toBeInTheDocument();
    await waitFor(() => expect(within(section).getAllByRole('heading', { level: 3 })).toHaveLength(20));
    const more = await within(section).findByRole('button', { name: 'Load more' });
    await user.click(more);
    await waitFor(() => expect(within(section).getAllByRole('heading', { level: 3 })).toHaveLength(40));
    server.use(handle(accountRoutes.listParents, refuse('internal_error')));
    await user.click(within(section).getByRole('button', { name: 'Load more' }));
    expect(await within(section).findByRole('alert')).toHaveTextContent('More parents could not be loaded.');
  });

  test('a parent is deleted after a question that Enter does not answer; the focus goes on to the families', async () => {
    const desk = serveDesk(family(sara, nour()));
    const { user } = await open();
    await chooseDeletion(user);
    const dialog = await screen.findByRole('dialog', { name: 'Delete Parent' });
    expect(dialog).toHaveTextContent(
      'Delete Sara Ibrahim?1 child is deleted too, with the photo and the face data: Nour Ibrahim.',
    );
    await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Cancel' })).toHaveFocus());
    await expectAccessible();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    expect(desk.done).toEqual([]);
    await chooseDeletion(user);
    const again = await screen.findByRole('dialog', { name: 'Delete Parent' });
    await user.click(within(again).getByRole('button', { name: 'Delete Parent' }));
    await screen.findByText('Parent deleted successfully.');
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Parents & Children' })).toHaveFocus());
    expect(desk.done).toEqual(['delete parent-sara']);
  });

  test('one whose child is inside is not deleted, and the reason is said', async () => {
    serveDesk(family(sara, nour({ isInside: true })));
    const { user } = await open();
    await chooseDeletion(user);
    const dialog = await screen.findByRole('dialog', { name: 'Delete Parent' });
    await user.click(within(dialog).getByRole('button', { name: 'Delete Parent' }));
    await screen.findByText('A child is still inside. Please check the child out first.');
  });
});

test('in Arabic: right to left, with Arabic numerals, and back to English without a reload', async () => {
  serveDesk(
    family(
      { name: 'منى حسن', phone: '01012345678' },
      omar({ name: 'عمر حسن', isInside: true, duration: 60 }),
    ),
  );
  const { user } = await open({ language: 'ar' });
  const timer = await screen.findByRole('timer');
  expect(document.documentElement).toHaveAttribute('dir', 'rtl');
  expect(timer).toHaveTextContent(/^[٠-٩]{2}:[٠-٩]{2}$/);
  expect(await screen.findByText('وليّ أمر واحد')).toBeInTheDocument();
  // The phone number reads left to right, even in a right-to-left sentence.
  expect(screen.getByText('01012345678')).toHaveAttribute('dir', 'ltr');
  await expectAccessible();
  await user.click(screen.getByRole('button', { name: /^English/ }));
  await waitFor(() => expect(timer).toHaveTextContent(/^[0-9]{2}:[0-9]{2}$/));
});
