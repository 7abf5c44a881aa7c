/** Two facilities with the same dangers at once: each has its own incidents, ladder, people and roll call. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IncidentStep } from '../../incident-step.ts';
import { atFacility, makeFacility } from '../../testing/at-facility.ts';
import { fakePhoto } from '../../testing/fake-vision.ts';
import { type Employee, startTestApp, type TestApp } from '../../testing/harness.ts';

const MINUTE = 60_000;

/** One facility with a teacher, a sensor, a room for one child and two children in it. */
interface Place {
  readonly id: string;
  readonly at: TestApp;
  readonly teacher: Employee;
  readonly family: string;
  readonly children: readonly string[];
  readonly room: string;
  readonly sensor: string;
  readonly evacuation: string;
}

let app: TestApp;
let owner: string;
let owners: string;
const steps: IncidentStep[] = [];
let places: readonly [Place, Place];

beforeAll(async () => {
  app = await startTestApp({
    receiveStep: async (step) => {
      steps.push(step);
    },
  });
  owner = await app.staff();
  owners = (await app.expect(200, 'GET', '/api/admin/info', { token: owner })).admin._id;
  const second = await makeFacility(app, 'Second');
  places = [await settle(app, 'main', 'first'), await settle(atFacility(app, second), second, 'second')];
  await app.app.incidents.sweep();
  app.clock.advance(MINUTE);
  await app.app.incidents.sweep();
});
afterAll(() => app.close());

/** Makes the dangers of one facility: an evacuation, a hot sensor and a room over its capacity. */
async function settle(at: TestApp, id: string, name: string): Promise<Place> {
  const token = owner;
  const teacher = await at.makeEmployee();
  const family = await at.makeFamily();
  const json = { name: `Small room, ${name}`, capacity: 1, capacityKind: 'soft' };
  const { room } = await at.expect(201, 'POST', '/api/rooms', { token, json });
  const children: string[] = [];
  for (const number of [1, 2]) {
    const child = await at.makeChild(
      family,
      `Child ${number}, ${name}`,
      fakePhoto({ face: `${name} ${number}` }),
    );
    const stay = { roomId: room._id, durationInMinutes: 240 };
    await at.expect(200, 'POST', `/api/children/checkin-child/${child._id}`, { token, json: stay });
    children.push(child._id);
  }
  const hot = { name: `Window, ${name}`, area: 'Playroom', kind: 'haris', period: 60 };
  const { sensor, deviceKey } = await at.expect(201, 'POST', '/api/sensors', { token, json: hot });
  await at.expect(202, 'POST', `/api/sensors/${sensor._id}/readings`, {
    json: { temperature: 45 },
    headers: { 'x-device-key': deviceKey },
  });
  const { evacuation } = await at.expect(201, 'POST', '/api/evacuations', { token });
  return {
    ...{ id, at, teacher, children, family: family.id },
    ...{ room: room._id, sensor: sensor._id, evacuation: evacuation._id },
  };
}

const KINDS: readonly string[] = ['evacuation', 'room_over_capacity', 'temperature'];
/** The open incidents of these kinds; one about the machine may be open too. */
const open = async ({ at }: Place, token: string) =>
  (await at.expect(200, 'GET', '/api/incidents?state=open&limit=200', { token })).incidents.filter(
    ({ kind }) => KINDS.includes(kind),
  );
const other = (place: Place): Place => (place === places[0] ? places[1] : places[0]);

test('each facility has its own evacuation, hot sensor and full room', async () => {
  for (const place of places)
    for (const token of [place.teacher.token, await app.staff()]) {
      const incidents = await open(place, token);
      expect(incidents.map(({ kind }) => kind).sort()).toEqual(KINDS);
      const text = JSON.stringify(incidents);
      for (const id of [place.room, place.sensor, place.evacuation]) expect(text).toContain(id);
      const theirs = other(place);
      for (const id of [theirs.room, theirs.sensor, theirs.evacuation, theirs.teacher.id, ...theirs.children])
        expect(text).not.toContain(id);
    }
});

test('each step notifies people of its facility, and the owner of both', async () => {
  for (const place of places) {
    const ids = new Set((await open(place, place.teacher.token)).map(({ _id }) => _id));
    const own = steps.filter(({ incidentId }) => ids.has(incidentId));
    expect(own.length).toBeGreaterThanOrEqual(3);
    const told = new Set(own.flatMap(({ audience }) => audience.map(({ id }) => id)));
    const allowed = [place.teacher.id, owners, place.family];
    expect([...told].filter((id) => !allowed.includes(id))).toEqual([]);
    expect(told).toContain(place.teacher.id);
  }
});

test('each roll call has the children of its facility', async () => {
  for (const place of places) {
    const { evacuation } = await place.at.expect(200, 'GET', '/api/evacuations/current', {
      token: place.teacher.token,
    });
    expect(evacuation?._id).toBe(place.evacuation);
    expect(evacuation?.children.map(({ childId }) => childId).sort()).toEqual([...place.children].sort());
  }
});

test('a parent of both sees the dangers of the one where the child is inside, and no others', async () => {
  const [here, there] = places;
  const family = await here.at.makeFamily();
  const child = (await here.at.makeChild(family, 'Of both', fakePhoto({ face: 'both' })))._id;
  await app.expect(200, 'POST', `/api/children/${child}/facilities`, {
    token: owner,
    json: { facilityId: there.id },
  });
  const idsOf = async (place: Place, token: string) =>
    (await open(place, token))
      .filter(({ kind }) => kind !== 'room_over_capacity')
      .map(({ _id }) => _id)
      .sort();
  const act = (place: Place, what: string) =>
    place.at.expect(200, 'POST', `/api/children/${what}-child/${child}`, { token: owner });

  expect(await idsOf(here, family.token)).toEqual([]);
  for (const place of places) {
    await act(place, 'checkin');
    const seen = await idsOf(place, family.token);
    expect(seen).toHaveLength(2);
    expect(seen).toEqual(await idsOf(place, place.teacher.token));
    await act(place, 'checkout');
  }
  expect(await idsOf(here, family.token)).toEqual([]);
});

test('what is taken on and ended at one facility goes on at the other', async () => {
  const [here, there] = places;
  const token = here.teacher.token;
  const [hot] = (await open(here, token)).filter(({ kind }) => kind === 'temperature');
  await here.at.expect(200, 'POST', `/api/incidents/${hot?._id}/acknowledge`, { token });
  await here.at.expect(200, 'POST', `/api/evacuations/${here.evacuation}/end`, {
    token,
    json: { note: 'All out' },
  });
  await app.app.incidents.sweep();
  expect((await open(here, token)).map(({ kind }) => kind)).not.toContain('evacuation');
  const theirs = await open(there, there.teacher.token);
  expect(theirs.map(({ kind }) => kind)).toContain('evacuation');
  for (const { kind, acknowledgedAt } of theirs)
    expect({ kind, acknowledgedAt }).toEqual({ kind, acknowledgedAt: null });
});
