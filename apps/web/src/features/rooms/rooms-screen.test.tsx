/** The list of rooms: empty, failed, full and understaffed, "I'm here", adding, changing and deleting. */
import { type Room, roomRoutes } from '@haris/contract/http/rooms';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { handle, refuse, server } from '../../testing/contract-server.ts';
import { admin } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { room } from '../../testing/rooms.ts';

const open = (options = {}) => renderScreen('/rooms', { as: { admin: admin() }, ...options });
const card = async (name: string) => {
  const found = (await screen.findByRole('heading', { name })).closest('li');
  if (found === null) throw new Error('no card');
  return within(found);
};

test('a room says how many children and staff it has, and what is wrong, in words', async () => {
  const staff = [{ _id: 'admin-nadia', name: 'Nadia', since: '2026-03-18T06:05:00.000Z' }];
  const ratio = { childrenPerStaff: 6, staffNeeded: 3 };
  const full = { children: 16, capacity: 15, isOverCapacity: true, isUnderstaffed: true };
  server.use(
    handle(roomRoutes.listRooms, {
      rooms: [
        room({ name: 'Bees', ...full, staff, ratio }),
        room({ _id: 'room-2', name: 'Ants', ratio: { childrenPerStaff: 4, staffNeeded: 1 }, children: 2 }),
      ],
    }),
  );
  await open();
  const bees = await card('Bees');
  expect(bees.getByText('16 / 15 children')).toBeVisible();
  expect(bees.getByText('1 staff member')).toBeVisible();
  expect(bees.getByText('1 : 6 · 3 needed')).toBeVisible();
  expect(bees.getByText('Too many children')).toBeVisible();
  expect(bees.getByText('Too few staff')).toBeVisible();
  expect(bees.getByText('Nadia')).toBeVisible();
  const ants = await card('Ants');
  expect(ants.getByText(/Nobody has said where they are today/)).toBeVisible();
  await expectAccessible();
});

test('"I’m here" is one press, and so is leaving', async () => {
  const said: string[] = [];
  let bees = room({ name: 'Bees' });
  server.use(
    handle(roomRoutes.listRooms, () => ({ rooms: [bees] })),
    handle(roomRoutes.setPresence, ({ body }) => {
      said.push(body.presence);
      const own = { _id: 'admin-salma', name: 'Salma Adel', since: new Date().toISOString() };
      bees = { ...bees, staff: body.presence === 'here' ? [own] : [] };
      return { room: bees };
    }),
  );
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'I’m here: Bees' }));
  await user.click(await screen.findByRole('button', { name: 'I’ve left: Bees' }));
  expect(await screen.findByRole('button', { name: 'I’m here: Bees' })).toBeVisible();
  expect(said).toEqual(['here', 'gone']);
});

test('a room is added with a capacity and a ratio; a name that is taken is said at once', async () => {
  let rooms: Room[] = [];
  const sent: unknown[] = [];
  server.use(
    handle(roomRoutes.listRooms, () => ({ rooms })),
    handle(roomRoutes.createRoom, ({ body }) => {
      sent.push(body);
      if (body.name === 'Taken') return refuse('room_name_taken');
      rooms = [room({ name: body.name })];
      return { room: room({ name: body.name }) };
    }),
  );
  const { user } = await open();
  expect(await screen.findByText('No rooms yet.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Add room' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add a room' }));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('Room is required')).toBeVisible();
  await user.type(dialog.getByLabelText(/Name/), 'Taken');
  await user.type(dialog.getByLabelText('Capacity'), '12');
  await user.click(dialog.getByRole('radio', { name: 'Check nobody else in' }));
  await user.click(dialog.getByRole('button', { name: 'Add an age' }));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('There is a room with this name already.')).toBeVisible();
  await expectAccessible();
  await user.clear(dialog.getByLabelText(/Name/));
  await user.type(dialog.getByLabelText(/Name/), 'Nest');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('heading', { name: 'Nest' })).toBeVisible();
  expect(sent.at(-1)).toMatchObject({
    name: 'Nest',
    capacity: 12,
    capacityKind: 'hard',
    ratios: [{ underMonths: 36, childrenPerStaff: 6 }],
  });
});

test('a room in use says why it cannot be deleted; another is deleted after a question', async () => {
  let rooms = [
    room({ name: 'Bees', isDefault: true, children: 2, cameras: 1 }),
    room({ _id: 'room-2', name: 'Ants', homeChildren: 3 }),
  ];
  server.use(
    handle(roomRoutes.listRooms, () => ({ rooms })),
    handle(roomRoutes.deleteRoom, ({ params }) => {
      rooms = rooms.filter(({ _id }) => _id !== params.id);
      return { message: 'Room deleted' };
    }),
  );
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Delete Bees' }));
  const refused = within(await screen.findByRole('dialog', { name: 'Bees cannot be deleted yet' }));
  expect(refused.getByText('2 children are in it.')).toBeVisible();
  expect(refused.getByText('1 camera is in it.')).toBeVisible();
  await expectAccessible();
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Delete Ants' }));
  expect(await screen.findByText(/^3 children have it as their home room/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Yes, delete it' }));
  await expect.poll(() => screen.queryByRole('heading', { name: 'Ants' })).toBeNull();
});

test('whoever may not manage rooms sees them without buttons to change them', async () => {
  server.use(handle(roomRoutes.listRooms, { rooms: [room({ name: 'Bees' })] }));
  await open({ as: { admin: admin({ permissions: ['rooms.view', 'children.move'] }) } });
  expect(await screen.findByRole('button', { name: 'I’m here: Bees' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Change Bees' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Add room' })).toBeNull();
});

test('a failure can be tried again; Arabic', async () => {
  server.use(handle(roomRoutes.listRooms, refuse('internal_error')));
  const { user } = await open({ language: 'ar' });
  const again = await screen.findByRole('button', { name: 'حاول مرة أخرى' });
  server.use(handle(roomRoutes.listRooms, { rooms: [room({ name: 'Bees', children: 3, capacity: 15 })] }));
  await user.click(again);
  expect(await screen.findByText('الأطفال ٣ من ١٥')).toBeVisible();
});
