/** Head counts: started, ticked by two phones, ended with and without everybody, cancelled, over, refused, and in Arabic. */
import { childRoutes } from '@haris/contract/http/children';
import { type CountedChild, type HeadCount, headCountRoutes } from '@haris/contract/http/head-counts';
import { roomRoutes } from '@haris/contract/http/rooms';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { handle, offline, pending, refuse, server } from '../../testing/contract-server.ts';
import { countedChild, headCount } from '../../testing/head-counts.ts';
import { admin, child } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { room } from '../../testing/rooms.ts';

const staff = { admin: admin() };
const nadia = { _id: 'admin-nadia', name: 'Nadia Farouk' };
const garden = room({ _id: 'garden', name: 'Garden', children: 2 });
const bees = room({ _id: 'bees', name: 'Bees' });
const adam = child({ _id: 'child-adam', name: 'Adam', isInside: true, roomId: 'garden', room: 'Garden' });
const lina = child({ _id: 'child-lina', name: 'Lina', isInside: true, roomId: 'garden', room: 'Garden' });
const omar = child({ _id: 'child-omar', name: 'Omar', isInside: true, roomId: 'art', room: 'Art' });

let count: HeadCount;
let said: string[] = [];
let sent: unknown[] = [];

/** Changes a child of the count as the server would. */
function change(childId: string, more: Partial<CountedChild>): void {
  count = {
    ...count,
    children: count.children.map((one) => (one.childId === childId ? { ...one, ...more } : one)),
  };
}

beforeEach(() => {
  count = headCount({ children: [countedChild({ name: 'Adam' }), countedChild({ name: 'Lina' })] });
  said = [];
  sent = [];
  server.use(
    handle(roomRoutes.listRooms, { rooms: [bees, garden] }),
    handle(childRoutes.listChildren, { children: [lina, adam, omar], total: 3, nextCursor: null }),
    handle(headCountRoutes.listHeadCounts, () => ({ headCounts: count.state === 'open' ? [count] : [] })),
    handle(headCountRoutes.getHeadCount, () => ({ headCount: count })),
    handle(headCountRoutes.tickHeadCount, ({ params: { childId }, body: { state } }) => {
      said.push(`${childId} ${state}`);
      const at = state === 'open' ? null : new Date().toISOString();
      const by = state === 'open' ? null : { _id: 'admin-salma', name: 'Salma Adel' };
      if (count.children.every((one) => one.childId !== childId))
        count = {
          ...count,
          children: [
            ...count.children,
            countedChild({ name: 'Omar', childId, isAdded: true, state, at, by }),
          ],
        };
      else change(childId, { state, at, by });
      return { headCount: count };
    }),
    handle(headCountRoutes.endHeadCount, ({ body }) => {
      sent.push(body);
      count = { ...count, state: body.outcome, endedAt: new Date().toISOString() };
      return { headCount: count };
    }),
  );
});

const open = (options = {}) => renderScreen('/headCounts/count-1', { as: staff, ...options });
const box = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name: `Here: ${name}` });
/** Presses a name until it counts: a press right after rows have moved does not. */
async function press(user: UserEvent, name: string): Promise<void> {
  const { checked: before } = await box(name);
  await waitFor(async () => {
    const one = await box(name);
    if (one.checked === before) await user.click(one);
    expect((await box(name)).checked).toBe(!before);
  });
}
/** The header has a live region of its own, and so has each toast. */
const figure = (text: string) =>
  waitFor(() => expect(within(screen.getByRole('main')).getByRole('status')).toHaveTextContent(text));

test('everybody is ticked, one taken back and ticked again; then one press ends it', async () => {
  const { user } = await open();
  expect(await screen.findByRole('heading', { level: 1, name: /From .Garden. to .Bees./ })).toBeVisible();
  await press(user, 'Adam');
  await figure('1 of 2 here');
  expect(screen.getByRole('button', { name: 'End with 1 missing' })).toBeVisible();
  await press(user, 'Adam');
  await figure('0 of 2 here');
  await press(user, 'Adam');
  await press(user, 'Lina');
  await figure('2 of 2 here');
  expect(said).toEqual(['child-adam here', 'child-adam open', 'child-adam here', 'child-lina here']);
  await user.click(screen.getByRole('button', { name: 'All here: finish' }));
  expect(await screen.findByText(/^Ended at /)).toBeVisible();
  expect(sent).toEqual([{ outcome: 'moved' }]);
  expect(await box('Adam')).toBeDisabled();
  expect(screen.queryByRole('button', { name: /missing|finish/ })).toBeNull();
});

test('a colleague’s tick comes by itself, and so does the alert', async () => {
  const { events } = await open();
  await box('Adam');
  change('child-adam', { state: 'here', by: nadia, at: new Date().toISOString() });
  events.send({ type: 'head_count.changed' });
  await figure('1 of 2 here');
  expect(screen.getByText(/ticked by .Nadia Farouk/)).toBeVisible();
  change('child-lina', { incidentId: 'incident-1' });
  events.send({ type: 'alert.raised', incidentId: 'incident-1' });
  expect(await screen.findByText('Missing: all staff are searching')).toBeVisible();
  expect(screen.getByText('1 child missing: all staff are alerted')).toBeVisible();
});

test('the end with somebody missing asks first, with the names', async () => {
  const { user } = await open();
  await press(user, 'Adam');
  await user.click(await screen.findByRole('button', { name: 'End with 1 missing' }));
  const dialog = within(await screen.findByRole('dialog', { name: /1 child is not here/ }));
  expect(dialog.getByText(/Lina/)).toBeVisible();
  expect(dialog.queryByText(/Adam/)).toBeNull();
  await expectAccessible();
  await user.click(dialog.getByRole('button', { name: 'Go on counting' }));
  expect(sent).toEqual([]);
  await user.click(await screen.findByRole('button', { name: 'End with 1 missing' }));
  await user.click(await screen.findByRole('button', { name: 'Yes, alert all staff' }));
  await waitFor(() => expect(sent).toEqual([{ outcome: 'moved' }]));
});

test('who was missing can be ticked after the end, that taken back, and nobody else', async () => {
  const endedAt = new Date(Date.now() - 60_000).toISOString();
  const before = new Date(Date.now() - 120_000).toISOString();
  count = headCount({
    state: 'moved',
    endedAt,
    children: [
      countedChild({ name: 'Adam', state: 'here', by: nadia, at: before }),
      countedChild({ name: 'Lina', incidentId: 'incident-1' }),
    ],
  });
  const { user } = await open();
  expect(await screen.findByText(/Whoever is found can still be ticked/)).toBeVisible();
  expect(await box('Adam')).toBeDisabled();
  await press(user, 'Lina');
  await figure('2 of 2 here');
  await press(user, 'Lina');
  await figure('1 of 2 here');
  expect(await box('Adam')).toBeDisabled();
  expect(said).toEqual(['child-lina here', 'child-lina open']);
});

test('a count with the wrong room is cancelled after a question', async () => {
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Cancel the count' }));
  await user.click(await screen.findByRole('button', { name: 'Yes, cancel it' }));
  expect(await screen.findByText(/^Cancelled at /)).toBeVisible();
  expect(sent).toEqual([{ outcome: 'cancelled' }]);
});

test('somebody does not come along; another one was not listed and stands there', async () => {
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Not coming along: Lina' }));
  await figure('0 of 1 here');
  expect(screen.getByRole('button', { name: 'Not coming along: Lina' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  const search = screen.getByRole('searchbox', { name: 'Search by name' });
  await user.type(search, 'omr');
  const others = within(await screen.findByRole('region', { name: 'Inside, but not on the list' }));
  expect(others.queryByRole('button', { name: /Adam|Lina/ })).toBeNull();
  await user.click(others.getByRole('button', { name: 'Is here too: Omar' }));
  await figure('1 of 2 here');
  expect(search).toHaveValue('');
  expect(screen.getByText('Was not on the list')).toBeVisible();
  expect(said).toEqual(['child-lina stays', 'child-omar here']);
});

test('who was picked up and brought again is ticked from the search', async () => {
  count = headCount({
    children: [countedChild({ name: 'Adam' }), countedChild({ name: 'Lina', state: 'left' })],
  });
  const { user } = await open();
  const away = within(await screen.findByRole('region', { name: 'Accounted for by others' }));
  expect(await box('Lina')).toBeDisabled();
  expect(away.getByText('Checked out')).toBeVisible();
  await user.type(screen.getByRole('searchbox', { name: 'Search by name' }), 'lina');
  await user.click(await screen.findByRole('button', { name: 'Is here too: Lina' }));
  await figure('1 of 2 here');
  expect(said).toEqual(['child-lina here']);
});

test('two quick words about one child go in their order, and no other child waits', async () => {
  const answered = Promise.withResolvers<void>();
  server.use(
    handle(headCountRoutes.tickHeadCount, async ({ params: { childId }, body: { state } }) => {
      said.push(`${childId} ${state}`);
      if (said.length === 1) await answered.promise;
      change(childId, { state, by: nadia, at: new Date().toISOString() });
      return { headCount: count };
    }),
  );
  const { user } = await open();
  await press(user, 'Adam');
  await press(user, 'Adam');
  await press(user, 'Lina');
  await figure('1 of 2 here');
  expect(said).toEqual(['child-adam here', 'child-lina here']);
  answered.resolve();
  await waitFor(() => expect(said).toEqual(['child-adam here', 'child-lina here', 'child-adam open']));
  await waitFor(async () => expect(await box('Adam')).not.toBeChecked());
  await figure('1 of 2 here');
});

test('the rows say who left, who is elsewhere, who was found, and what a camera saw', async () => {
  const at = new Date(Date.now() - 3 * 60_000 - 5_000).toISOString();
  count = headCount({
    children: [
      countedChild({ name: 'Adam', lastSeen: { area: 'Playground', at } }),
      countedChild({ name: 'Lina', isFound: true }),
      countedChild({ name: 'Nour', state: 'left', room: null }),
      countedChild({ name: 'Zain', state: 'elsewhere', room: 'Art' }),
      countedChild({ name: 'Hana', state: 'elsewhere', room: null }),
    ],
  });
  await open();
  expect(await screen.findByText(/Camera: .Playground., 3 minutes ago/)).toBeVisible();
  expect(screen.getByText('Reported as found')).toBeVisible();
  const away = within(screen.getByRole('region', { name: 'Accounted for by others' }));
  expect(away.getByText('Checked out')).toBeVisible();
  expect(away.getByText(/Now in .Art./)).toBeVisible();
  expect(away.getByText('In another head count')).toBeVisible();
  // What a camera saw ticks nobody.
  expect(await box('Adam')).not.toBeChecked();
  await figure('0 of 2 here');
});

test('a row stays under the finger after a tick, and the keyboard goes on', async () => {
  const { user } = await open();
  const first = await box('Adam');
  first.focus();
  await user.keyboard(' ');
  await figure('1 of 2 here');
  const names = () => screen.getAllByRole('checkbox').map((one) => one.getAttribute('aria-label'));
  expect(names()).toEqual(['Here: Adam', 'Here: Lina']);
  await waitFor(() => expect(names()).toEqual(['Here: Lina', 'Here: Adam']));
  await waitFor(() => expect(screen.getByRole('checkbox', { name: 'Here: Lina' })).toHaveFocus());
});

test('a full room is said, and a reason is asked of whoever may go beyond', async () => {
  server.use(
    handle(roomRoutes.listRooms, {
      rooms: [{ ...bees, children: 1, capacity: 1, capacityKind: 'hard' }, garden],
    }),
  );
  const { user } = await open();
  await press(user, 'Adam');
  await press(user, 'Lina');
  expect(await screen.findByRole('alert')).toHaveTextContent(/Bees. has no place for all/);
  const finish = await screen.findByRole('button', { name: 'All here: finish' });
  expect(finish).toBeDisabled();
  await user.type(screen.getByLabelText('Why more than the limit'), 'Rain');
  await user.click(finish);
  await waitFor(() => expect(sent).toEqual([{ outcome: 'moved', overCapacityReason: 'Rain' }]));
});

test('a tick that does not arrive is taken back and said', async () => {
  const { user } = await open();
  await box('Adam');
  server.use(handle(headCountRoutes.tickHeadCount, pending));
  await user.click(await box('Adam'));
  expect(await screen.findByText('Sending…')).toBeVisible();
  expect(await box('Adam')).toBeChecked();
  server.use(handle(headCountRoutes.tickHeadCount, offline));
  await user.click(await box('Lina'));
  expect(await screen.findByText('Haris cannot be reached. Please check your connection.')).toBeVisible();
  await waitFor(async () => expect(await box('Lina')).not.toBeChecked());
  expect(await box('Adam')).toBeChecked();
  await figure('0 of 2 here');
});

test('a count that nobody ended, one that does not exist, and one that cannot be loaded', async () => {
  count = headCount({ state: 'over', children: [countedChild({ name: 'Adam' })] });
  const first = await open();
  expect(await screen.findByText(/Nobody ended this head count within an hour/)).toBeVisible();
  expect(await box('Adam')).toBeDisabled();
  await first.unmount();
  server.use(handle(headCountRoutes.getHeadCount, refuse('not_found')));
  const second = await open();
  expect(await screen.findByText('This was not found.')).toBeVisible();
  server.use(handle(headCountRoutes.getHeadCount, { headCount: count }));
  await second.user.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await box('Adam')).toBeVisible();
});

test('a count is started in the own room, with all children or chosen ones, and is opened', async () => {
  const own = { _id: 'admin-salma', name: 'Salma Adel', since: new Date().toISOString() };
  server.use(
    handle(roomRoutes.listRooms, { rooms: [{ ...bees, staff: [own] }, garden] }),
    handle(headCountRoutes.startHeadCount, ({ body }) => {
      sent.push(body);
      return sent.length === 1 ? refuse('head_count_running') : { headCount: count };
    }),
  );
  const { user, router } = await renderScreen('/headCounts', { as: staff });
  const running = within(await screen.findByRole('region', { name: 'Running now' }));
  expect(running.getByText('0 of 2 here')).toBeVisible();
  expect(running.getByRole('link', { name: /^Open: From/ })).toHaveAttribute('href', '/headCounts/count-1');
  const start = within(screen.getByRole('region', { name: 'Start a head count' }));
  expect(start.getByLabelText('Arrived in')).toHaveValue('bees');
  // The only other room with children.
  expect(start.getByLabelText('Coming from')).toHaveValue('garden');
  await user.click(await start.findByText('All 2 children are counted. Choose…'));
  await user.click(start.getByRole('button', { name: 'Start head count' }));
  expect(
    await screen.findByText('A head count with one of these children is already running.'),
  ).toBeVisible();
  await expectAccessible();
  await user.click(start.getByRole('checkbox', { name: 'Lina' }));
  await user.click(start.getByRole('button', { name: 'Start head count' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/headCounts/count-1'));
  expect(sent).toEqual([
    { fromRoomId: 'garden', toRoomId: 'bees' },
    { fromRoomId: 'garden', toRoomId: 'bees', childIds: ['child-adam'] },
  ]);
});

test('from the list of rooms it leads there; with one room or nobody inside it says so', async () => {
  const { user } = await renderScreen('/rooms', { as: staff });
  await user.click(await screen.findByRole('link', { name: 'Head count into Bees' }));
  expect(await screen.findByLabelText('Arrived in')).toHaveValue('bees');
});

test.each([
  [[bees], 'There is only one room.'],
  [[bees, { ...garden, children: 0 }], 'Nobody is inside.'],
])('nothing can be counted: %#', async (rooms, text) => {
  server.use(
    handle(roomRoutes.listRooms, { rooms }),
    handle(headCountRoutes.listHeadCounts, { headCounts: [] }),
  );
  await renderScreen('/headCounts', { as: staff });
  expect(await screen.findByText(text)).toBeVisible();
});

test('who may not see the rooms starts none, and reads why', async () => {
  await renderScreen('/headCounts', { as: { admin: admin({ permissions: ['children.move'] }) } });
  expect(await screen.findByText('Your role does not include the rooms.')).toBeVisible();
  expect(screen.getByRole('region', { name: 'Running now' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Start head count' })).toBeNull();
});

test('a failure of the list can be tried again; without the right there is no entry; Arabic', async () => {
  server.use(handle(headCountRoutes.listHeadCounts, refuse('internal_error')));
  const { user, unmount } = await renderScreen('/headCounts', { as: staff, language: 'ar' });
  const again = await screen.findByRole('button', { name: 'حاول مرة أخرى' });
  server.use(handle(headCountRoutes.listHeadCounts, { headCounts: [count] }));
  await user.click(again);
  expect(await screen.findByText('وصل ٠ من ٢')).toBeVisible();
  await unmount();
  const inspector = { admin: admin({ permissions: ['rooms.view'] }) };
  await renderScreen('/rooms', { as: inspector });
  await screen.findByRole('heading', { name: 'Bees' });
  expect(screen.queryByRole('link', { name: /Head count/ })).toBeNull();
});
