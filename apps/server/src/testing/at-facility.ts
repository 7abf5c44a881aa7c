/** A test app whose requests name a facility. */
import { FACILITY_HEADER } from '@haris/contract/constants';
import type { Asker } from './ask.ts';
import { fakePhoto } from './fake-vision.ts';
import type { TestApp } from './harness.ts';
import { makePeople } from './people.ts';

/** Adds a facility, which the first administrator owns too; returns its id. */
export async function makeFacility(app: TestApp, name: string): Promise<string> {
  const token = await app.staff();
  const { facility } = await app.expect(201, 'POST', '/api/facilities', { token, json: { name } });
  return (facility as unknown as { _id: string })._id;
}

/** The same app, but its requests are made at a facility, and so is everything that they create. */
export function atFacility(app: TestApp, facility: string): TestApp {
  const named: Asker['ask'] = (method, url, ask = {}) =>
    app.ask(method, url, { ...ask, headers: { [FACILITY_HEADER]: facility, ...ask.headers } });
  const asker: Asker = {
    ask: named,
    expect: (status, method, url, ask = {}) =>
      app.expect(status, method, url, { ...ask, headers: { [FACILITY_HEADER]: facility, ...ask.headers } }),
  };
  return { ...app, ...asker, ...makePeople(app.context, asker) };
}

/** Adds a child of a family that is known at one facility alone, and checks it in there for four hours; returns its id. */
export async function makeInsideAt(
  app: TestApp,
  facility: string,
  family: { readonly id: string },
  name: string,
): Promise<string> {
  const token = await app.staff();
  const { _id: id } = await app.makeChild(family, name, fakePhoto({ face: `${family.id} ${name}` }));
  await app.context.db
    .updateTable('child_facilities')
    .set({ facility_id: facility })
    .where('child_id', '=', id)
    .execute();
  const url = `/api/children/checkin-child/${id}`;
  await atFacility(app, facility).expect(200, 'POST', url, { token, json: { durationInMinutes: 240 } });
  return id;
}

/** Replaces somebody's roles by that of a manager at these facilities. */
export async function manageAt(
  app: TestApp,
  { id }: { readonly id: string },
  ...facilities: string[]
): Promise<void> {
  const roles = facilities.map((facilityId) => ({ roleId: 'manager', facilityId }));
  await app.expect(200, 'PUT', `/api/admin/${id}/roles`, { token: await app.staff(), json: { roles } });
}
