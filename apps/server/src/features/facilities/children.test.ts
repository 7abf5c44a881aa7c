/** Where a child is known: added to a facility, and removed from one (decision 048). */
import type { AddressInfo } from 'node:net';
import { facilityRoutes } from '@haris/contract/http/facilities';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { atFacility, makeFacility } from '../../testing/at-facility.ts';
import { makeExampleWorld } from '../../testing/example-world.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { openEvents } from '../../testing/sse.ts';

let app: TestApp;
/** The same server; its requests are made at Full Moon. */
let moon: TestApp;
let moonId: string;
let owner: string;
/** Somebody of the main facility, and somebody of Full Moon, who may edit families there and nowhere else. */
let desk: { readonly here: string; readonly there: string };
let family: Family;
let child: string;

beforeAll(async () => {
  app = await startTestApp();
  owner = await app.staff();
  moonId = await makeFacility(app, 'Full Moon');
  moon = atFacility(app, moonId);
  desk = { here: await signInAs('desk', 'main'), there: await signInAs('desk', moonId) };
});
afterAll(() => app.close());
beforeEach(async () => {
  family = await app.makeFamily();
  child = (await app.makeChild(family))._id;
});

async function signInAs(roleId: string, facilityId: string): Promise<string> {
  const { id, token } = await app.makeEmployee();
  const json = { roles: [{ roleId, facilityId }] };
  await app.expect(200, 'PUT', `/api/admin/${id}/roles`, { token: await app.staff(), json });
  return token;
}
const within = { timeout: 240_000 };
/** Opens an event stream for each token. */
async function listen(...tokens: string[]) {
  if (!app.app.server.listening) await app.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.app.server.address() as AddressInfo;
  return Promise.all(tokens.map((token) => openEvents(port, token)));
}
const places = () => `/api/children/${child}/facilities`;
const add = (token: string | undefined, facilityId = moonId, at = app) =>
  at.ask('POST', places(), { token, json: { facilityId } });
const addToMoon = () => app.expect(200, 'POST', places(), { token: owner, json: { facilityId: moonId } });
const remove = (at: TestApp, token: string | undefined, facility: string) =>
  at.ask('DELETE', `${places()}/${facility}`, { token });
const seen = async (at: TestApp, token = owner) => {
  const { status, body } = await at.ask('GET', `/api/children/get-child/${child}`, { token });
  return status === 200 ? body.child : status;
};
const list = async (token: string) =>
  facilityRoutes.listChildFacilities.answer.parse(await app.expect(200, 'GET', places(), { token }));

test('the list names where the child is known, and where the caller may add it', async () => {
  const names = ({ facilities, addable }: Awaited<ReturnType<typeof list>>) =>
    [facilities, addable].map((some) => some.map(({ _id }) => _id));
  expect(names(await list(owner))).toEqual([['main'], [moonId]]);
  // Of one facility: no right at the other one. A teacher edits no families.
  expect(names(await list(desk.here))).toEqual([['main'], []]);
  expect(names(await list(await signInAs('teacher', 'main')))).toEqual([['main'], []]);
  await addToMoon();
  expect(names(await list(owner))).toEqual([['main', moonId], []]);
});

test('added only by staff who see the child, and may edit families here and there', async () => {
  expect((await add(undefined)).status).toBe(401);
  expect((await add(family.token)).status).toBe(403);
  expect((await add(desk.here)).body.code).toBe('beyond_own_rights');
  expect((await add(await signInAs('teacher', 'main'))).body.code).toBe('forbidden');
  expect((await add(desk.there, moonId, moon)).status).toBe(404);
  expect((await add(owner, 'nowhere')).status).toBe(404);
  expect((await list(owner)).facilities).toHaveLength(1);
  expect(await seen(moon)).toBe(404);

  expect((await add(owner)).status).toBe(200);
  expect(await seen(moon, desk.there)).toMatchObject({ _id: child });
});

test('the lists of both facilities are told of an added child', async () => {
  const streams = await listen(desk.here, desk.there);
  await addToMoon();
  for (const { events } of streams)
    await vi.waitFor(() => expect(events.map(({ data }) => data.child?._id)).toContain(child), within);
  for (const stream of streams) stream.close();
});

describe('removed from a facility', () => {
  test('only by staff who may edit families there, and who see the child', async () => {
    expect((await remove(app, owner, 'main')).body.code).toBe('last_facility');
    await addToMoon();
    expect((await remove(app, undefined, moonId)).status).toBe(401);
    expect((await remove(app, family.token, moonId)).status).toBe(403);
    expect((await remove(app, desk.here, moonId)).body.code).toBe('beyond_own_rights');
    expect((await remove(app, await signInAs('teacher', moonId), moonId)).body.code).toBe('forbidden');
    expect((await remove(app, owner, 'nowhere')).status).toBe(404);
    expect((await list(owner)).facilities).toHaveLength(2);

    const removed = await remove(app, desk.there, moonId);
    expect(removed.status).toBe(200);
    expect(await seen(app)).toMatchObject({ _id: child });
    expect(await seen(moon)).toBe(404);
    expect(await seen(app, desk.there)).toBe(404);
    expect((await remove(app, desk.there, moonId)).status).toBe(404);
    expect((await remove(app, owner, moonId)).status).toBe(404);
    const parents = await app.expect(200, 'GET', '/api/parent/get-all-parents', { token: desk.there });
    expect(parents.parents.map(({ _id }) => _id)).not.toContain(family.id);
  });

  test('never while it is inside there; being inside elsewhere is no hindrance', async () => {
    await addToMoon();
    await moon.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: owner });
    for (const at of [app, moon]) expect((await remove(at, owner, moonId)).body.code).toBe('child_inside');
    await moon.expect(200, 'POST', `/api/children/checkout-child/${child}`, { token: owner });
    await app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: owner });
    expect((await remove(moon, owner, moonId)).status).toBe(200);
    expect(await seen(app)).toMatchObject({ isInside: true });
    expect((await remove(app, owner, 'main')).body.code).toBe('child_inside');
  });

  test('of two who remove it from both at once, one does', async () => {
    await addToMoon();
    const answers = await Promise.all([remove(app, owner, 'main'), remove(moon, owner, moonId)]);
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    const { db } = app.context;
    const rows = await db.selectFrom('child_facilities').selectAll().where('child_id', '=', child).execute();
    expect(rows).toHaveLength(1);
  });

  test('what its family asked at a kiosk there ends, and its staff see who removed it', async () => {
    await addToMoon();
    const gone = await app.makeEmployee();
    const world = await makeExampleWorld({ app: moon, staff: owner, own: family, gone, facility: moonId });
    const { id } = await world.askedFor(child);
    expect((await remove(app, owner, moonId)).status).toBe(200);
    // Even if the child is known there again.
    await addToMoon();
    const { requests } = await moon.expect(200, 'GET', '/api/kiosk-requests', { token: owner });
    expect(requests.map(({ _id }) => _id)).not.toContain(id);
    const log = await moon.expect(200, 'GET', `/api/audit?subject=${child}`, { token: owner });
    expect(log.entries.map(({ action }) => action)).toContain('child.facility_removed');
  });

  test('the lists of both facilities are told, and the family', async () => {
    await addToMoon();
    const streams = await listen(desk.here, desk.there, family.token);
    expect((await remove(app, owner, moonId)).status).toBe(200);
    for (const { events } of streams)
      await vi.waitFor(
        () =>
          expect(events.map(({ data }) => [data.type, data.childId])).toContainEqual([
            'child.updated',
            child,
          ]),
        within,
      );
    const told = streams.map(
      ({ events }) => events.find(({ data }) => data.childId === child)?.data.child?._id,
    );
    expect(told).toEqual([child, undefined, child]);
    for (const stream of streams) stream.close();
  });
});
