/** A child of several facilities has a home room at each (decision 048). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { atFacility, makeFacility } from '../../testing/at-facility.ts';
import { startTestApp, type TestApp } from '../../testing/harness.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('a home room is of one facility: told only there, changed only there, and gone with it', async () => {
  const owner = await app.staff();
  const moonId = await makeFacility(app, 'Full Moon');
  const moon = atFacility(app, moonId);
  const family = await app.makeFamily();
  const child = (await app.makeChild(family))._id;
  const places = `/api/children/${child}/facilities`;
  const addToMoon = () => app.expect(200, 'POST', places, { token: owner, json: { facilityId: moonId } });
  const seen = async (at: TestApp) =>
    (await at.expect(200, 'GET', `/api/children/get-child/${child}`, { token: owner })).child;

  await addToMoon();
  const makeRoom = async (at: TestApp, name: string) =>
    (await at.expect(201, 'POST', '/api/rooms', { token: owner, json: { name } })).room._id;
  const [bees, owls] = [await makeRoom(app, 'Bees'), await makeRoom(moon, 'Owls')];
  const choose = (at: TestApp, homeRoomId: string) =>
    at.ask('PUT', `/api/children/update-child/${child}`, { token: owner, json: { homeRoomId } });
  expect((await choose(app, bees)).body.child.homeRoomId).toBe(bees);
  expect(await seen(moon)).toMatchObject({ homeRoomId: null });
  expect((await choose(moon, bees)).status).toBe(404);
  expect((await choose(moon, owls)).body.child.homeRoomId).toBe(owls);
  expect(await seen(app)).toMatchObject({ homeRoomId: bees });

  // Each check-in goes to the home room of its facility; the parent of both is told it.
  for (const [at, name] of [
    [app, 'Bees'],
    [moon, 'Owls'],
  ] as const) {
    await at.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: owner });
    expect(await seen(at)).toMatchObject({ room: name });
    const own = await app.expect(200, 'GET', '/api/children/get-all-children', { token: family.token });
    expect(own.children[0]).toMatchObject({ room: name });
    await at.expect(200, 'POST', `/api/children/checkout-child/${child}`, { token: owner });
  }
  const homes = async (at: TestApp, id: string) => {
    const { rooms } = await at.expect(200, 'GET', '/api/rooms', { token: owner });
    return rooms.find(({ _id }) => _id === id)?.homeChildren;
  };
  expect([await homes(app, bees), await homes(moon, owls)]).toEqual([1, 1]);

  // Emptied here, it stays there.
  expect((await choose(app, '')).body.child.homeRoomId).toBeNull();
  expect(await seen(moon)).toMatchObject({ homeRoomId: owls });
  await moon.expect(200, 'DELETE', `${places}/${moonId}`, { token: owner });
  await addToMoon();
  expect(await seen(moon)).toMatchObject({ homeRoomId: null });
});
