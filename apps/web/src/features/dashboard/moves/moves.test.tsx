/** Moving children between rooms, the numbers of the rooms, and the room of a check-in. */
import { childRoutes } from '@haris/contract/http/children';
import { type Room, roomRoutes } from '@haris/contract/http/rooms';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { handle, refuse, server } from '../../../testing/contract-server.ts';
import { admin, child } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { room } from '../../../testing/rooms.ts';
import { family, serveDesk } from '../testing/desk.ts';

const open = (options = {}) => renderScreen('/adminDashboard', { as: { admin: admin() }, ...options });
let rooms: Room[];
let sent: { childIds: string[]; roomId: string; overCapacityReason?: string | undefined }[];

const bees = (more: Partial<Room> = {}) =>
  room({ _id: 'bees', name: 'Bees', isDefault: true, children: 2, capacity: 15, ...more });
const ants = (more: Partial<Room> = {}) => room({ _id: 'ants', name: 'Ants', children: 1, ...more });
const insideOf = (_id: string, name: string) =>
  child({ _id, name, isInside: true, roomId: 'bees', room: 'Bees', roomSince: new Date().toISOString() });

beforeEach(() => {
  rooms = [ants(), bees()];
  sent = [];
  const layla = insideOf('layla', 'Layla');
  const adam = insideOf('adam', 'Adam');
  serveDesk(family({}, layla, adam, child({ _id: 'omar', name: 'Omar' })));
  server.use(
    handle(roomRoutes.listRooms, () => ({ rooms })),
    handle(roomRoutes.moveChildren, ({ body }) => {
      sent.push(body);
      const target = rooms.find(({ _id }) => _id === body.roomId);
      if (target === undefined) return refuse('not_found');
      const moved = [layla, adam].filter(({ _id }) => body.childIds.includes(_id));
      return {
        message: 'Children moved',
        room: target,
        children: moved.map((one) => ({ ...one, roomId: target._id, room: target.name })),
      };
    }),
  );
});

/** Presses the key until it is registered: its code loads after the rows. Returns the dialog. */
function pressMove(user: UserEvent): Promise<HTMLElement> {
  return waitFor(async () => {
    if (screen.queryByRole('dialog') === null) await user.keyboard('m');
    return screen.getByRole('dialog', { name: 'Move children' });
  });
}

test('a child is moved from its row: the button, then the room; it is undone like a checkout', async () => {
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Extend, move or print slip: Layla' }));
  const menu = within(await screen.findByRole('dialog', { name: /Layla/ }));
  expect(menu.queryByRole('button', { name: /Move Layla to .Bees/ })).toBeNull();
  await expectAccessible();
  await user.click(menu.getByRole('button', { name: /Move Layla to .Ants. · 1/ }));
  expect(await screen.findByText('Moved to Ants')).toBeVisible();
  expect(sent).toEqual([{ childIds: ['layla'], roomId: 'ants' }]);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Move undone')).toBeVisible();
  expect(sent.at(-1)).toEqual({ childIds: ['layla'], roomId: 'bees' });
});

test('several are ticked and moved at once, by the key too', async () => {
  const { user } = await open();
  await screen.findByRole('button', { name: 'Extend, move or print slip: Layla' });
  const dialog = within(await pressMove(user));
  expect(dialog.getByRole('button', { name: 'Move children' })).toBeDisabled();
  await expectAccessible();
  await user.click(dialog.getByRole('checkbox', { name: 'Adam' }));
  await user.click(dialog.getByRole('checkbox', { name: 'Layla' }));
  await user.click(dialog.getByRole('radio', { name: /Ants. · 1/ }));
  await user.click(dialog.getByRole('button', { name: 'Move 2 children' }));
  expect(await screen.findByText('2 children moved to Ants')).toBeVisible();
  expect(sent[0]?.childIds.toSorted()).toEqual(['adam', 'layla']);
});

test('beyond a hard limit a reason is asked for; who may not give one cannot choose the room', async () => {
  rooms = [ants({ capacity: 1, capacityKind: 'hard' }), bees()];
  const { user } = await open();
  await screen.findByRole('button', { name: 'Extend, move or print slip: Layla' });
  const dialog = within(await pressMove(user));
  await user.click(dialog.getByRole('checkbox', { name: 'Adam' }));
  await user.click(dialog.getByRole('radio', { name: /Ants. · 1 \/ 1 · full/ }));
  const button = dialog.getByRole('button', { name: 'Move 1 child' });
  expect(button).toBeDisabled();
  await user.type(dialog.getByLabelText(/Why more than the limit/), 'The garden is closed');
  await user.click(button);
  await waitFor(() =>
    expect(sent).toEqual([
      { childIds: ['adam'], roomId: 'ants', overCapacityReason: 'The garden is closed' },
    ]),
  );
});

test('a teacher cannot choose a full room', async () => {
  rooms = [ants({ capacity: 1, capacityKind: 'hard' }), bees()];
  const permissions = ['families.view', 'rooms.view', 'children.move', 'children.check_in'] as const;
  const { user } = await open({ as: { admin: admin({ permissions: [...permissions] }) } });
  await screen.findByRole('button', { name: 'Extend, move or print slip: Layla' });
  const dialog = within(await pressMove(user));
  expect(dialog.getByRole('radio', { name: /Ants. · 1 \/ 1 · full/ })).toBeDisabled();
});

test('the line of rooms has children of the capacity, staff and ratio, and says what is wrong', async () => {
  const staff = [{ _id: 'a', name: 'Nadia', since: new Date().toISOString() }];
  const ratio = { childrenPerStaff: 6, staffNeeded: 3 };
  rooms = [
    ants({ capacity: 12, children: 13, isOverCapacity: true }),
    bees({ children: 12, staff, ratio, isUnderstaffed: true }),
  ];
  await open();
  const line = within(await screen.findByRole('region', { name: 'Rooms' }));
  await waitFor(() => expect(line.getAllByRole('link')).toHaveLength(2));
  const [first, second] = line.getAllByRole('link');
  expect(first).toHaveTextContent('Ants13 / 12 children Too many children');
  expect(second).toHaveTextContent('Bees12 / 15 children · 1 staff · 1:6 Too few staff');
  await expectAccessible();
});

test('Register Entry has the room of the child, says when it is full, and sends another if one is chosen', async () => {
  rooms = [ants(), bees({ capacity: 2, capacityKind: 'hard' })];
  const { user } = await open();
  await user.click((await screen.findAllByRole('button', { name: /Check in/ }))[0] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog', { name: 'Register Child Entry' }));
  const picker = await dialog.findByLabelText('Room');
  expect(picker).toHaveValue('bees');
  expect(
    dialog.getByText('This room is full. Choose another one, or say why more children come in.'),
  ).toBeVisible();
  await user.selectOptions(picker, 'ants');
  expect(
    dialog.queryByText('This room is full. Choose another one, or say why more children come in.'),
  ).toBeNull();
});

/** Opens Register Entry for Omar, whose room is full. */
async function openFull(options = {}) {
  const asked: unknown[] = [];
  rooms = [ants({ capacity: 1, capacityKind: 'hard' }), bees({ capacity: 2, capacityKind: 'hard' })];
  server.use(
    handle(childRoutes.checkInChild, ({ body }) => {
      asked.push(body);
      return { message: 'Child checked in successfully', child: insideOf('omar', 'Omar') };
    }),
  );
  const { user } = await open(options);
  await user.click(await screen.findByRole('button', { name: 'Check in Omar' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Register Child Entry' }));
  await dialog.findByLabelText('Room');
  return { user, dialog, asked };
}

test('a manager goes over the limit at a check-in with a reason', async () => {
  const { user, dialog, asked } = await openFull();
  const reason = dialog.getByLabelText(/Why more than the limit/);
  await user.click(dialog.getByRole('button', { name: 'Check in' }));
  expect(reason).toHaveAccessibleDescription(/Say why\./);
  expect(asked).toEqual([]);
  await user.type(reason, 'The garden is closed');
  await user.click(dialog.getByRole('button', { name: 'Check in' }));
  await waitFor(() =>
    expect(asked).toEqual([{ durationInMinutes: 30, overCapacityReason: 'The garden is closed' }]),
  );
});

test('a teacher is asked for no reason, and is offered the rooms with places', async () => {
  const permissions = ['families.view', 'rooms.view', 'children.move', 'children.check_in'] as const;
  const { dialog } = await openFull({ as: { admin: admin({ permissions: [...permissions] }) } });
  expect(dialog.getByText('This room is full. Please choose another one.')).toBeVisible();
  expect(dialog.queryByLabelText(/Why more than the limit/)).toBeNull();
  expect(dialog.getByRole('option', { name: /Ants/ })).toBeDisabled();
});

test('with one room there is nothing to choose', async () => {
  rooms = [bees()];
  const { user } = await open({ language: 'ar' });
  await user.click(
    (
      await screen.findAllByRole('button', { name: /تمديد أو نقل أو طباعة القسيمة: Layla/ })
    )[0] as HTMLElement,
  );
  await screen.findByRole('dialog', { name: /Layla/ });
  expect(screen.queryByRole('button', { name: /^نقل/ })).toBeNull();
});
