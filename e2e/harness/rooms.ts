/** Rooms with a capacity and a ratio, in which the children inside are; taken back after the scene. */
import type { World } from '../catalogue/world.ts';

interface Made {
  readonly _id: string;
  readonly name: string;
  readonly isDefault: boolean;
}

const NEST = {
  name: 'Nest',
  capacity: 1,
  capacityKind: 'soft',
  ratios: [{ underMonths: 36, childrenPerStaff: 3 }],
};
const BEES = { name: 'Bees', capacity: 12, capacityKind: 'hard' };

async function listRooms({ api, staff: { token } }: World): Promise<Made[]> {
  return (await api.call<{ rooms: Made[] }>('/api/rooms', { token })).rooms;
}

/** Puts two children into a room for one child, without staff; the staff member is in another room. */
export async function makeRooms(world: World): Promise<void> {
  const { api, staff } = world;
  const { token } = staff;
  const known = await listRooms(world);
  const make = async (json: { name: string }) =>
    known.find(({ name }) => name === json.name) ??
    (await api.call<{ room: Made }>('/api/rooms', { method: 'POST', token, json })).room;
  const [nest, bees] = [await make(NEST), await make(BEES)];
  const { children } = await api.call<{ children: { _id: string }[] }>(
    '/api/children/get-all-children?inside=true',
    { token },
  );
  const childIds = children.slice(0, 2).map(({ _id }) => _id);
  await api.call('/api/children/move', { method: 'POST', token, json: { childIds, roomId: nest._id } });
  await api.call(`/api/rooms/${bees._id}/staff`, { method: 'PUT', token, json: { presence: 'here' } });
}

/** Puts everybody back into the default room, and deletes the others that nothing uses. */
export async function endRooms(world: World): Promise<void> {
  const { api, staff } = world;
  const { token } = staff;
  const rooms = await listRooms(world);
  const home = rooms.find(({ isDefault }) => isDefault)?._id;
  const { children } = await api.call<{ children: { _id: string }[] }>(
    '/api/children/get-all-children?inside=true',
    { token },
  );
  const childIds = children.map(({ _id }) => _id);
  if (childIds.length > 0)
    await api.call('/api/children/move', { method: 'POST', token, json: { childIds, roomId: home } });
  for (const { _id, name } of rooms)
    if (name === NEST.name || name === BEES.name)
      await api.call(`/api/rooms/${_id}`, { method: 'DELETE', token });
}
