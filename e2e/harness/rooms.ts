/** Rooms with a capacity and a ratio, in which the children inside are; taken back after the scene. */
import type { World } from '../catalogue/world.ts';

interface Made {
  readonly _id: string;
  readonly name: string;
  readonly isDefault: boolean;
}

interface Count {
  readonly _id: string;
  readonly children: readonly { readonly childId: string }[];
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

/** Counts the two children on their way to the other room: one is here, one does not come along. Returns the id of the count. */
export async function startHeadCount(world: World): Promise<string> {
  const { api, staff } = world;
  const { token } = staff;
  const rooms = await listRooms(world);
  const idOf = (wanted: string) => rooms.find(({ name }) => name === wanted)?._id;
  const json = { fromRoomId: idOf(NEST.name), toRoomId: idOf(BEES.name) };
  const { headCount } = await api.call<{ headCount: Count }>('/api/head-counts', {
    method: 'POST',
    token,
    json,
  });
  // Nobody is left to be missed while the scene is looked at.
  for (const [index, { childId }] of headCount.children.entries()) {
    const word = { state: index === 0 ? 'here' : 'stays' };
    const url = `/api/head-counts/${headCount._id}/children/${childId}`;
    await api.call(url, { method: 'PUT', token, json: word });
  }
  return headCount._id;
}

/** Cancels the counts that go on. */
export async function cancelHeadCounts({ api, staff: { token } }: World): Promise<void> {
  const { headCounts } = await api.call<{ headCounts: Count[] }>('/api/head-counts', { token });
  const json = { outcome: 'cancelled' };
  for (const { _id } of headCounts)
    await api.call(`/api/head-counts/${_id}/end`, { method: 'POST', token, json });
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
