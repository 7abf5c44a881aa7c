/** Notifications of an incident reach the people of its facility alone, by every way and at every moment (decision 048). */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAIN_FACILITY } from '../../facility.ts';
import { atFacility, makeFacility, makeInsideAt, manageAt } from '../../testing/at-facility.ts';
import { type Employee, type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { openPushService, type PushBrowser, type PushService } from '../../testing/push-service.ts';

const MINUTE = 60_000;

let service: PushService;
let hook: { readonly url: string; readonly bodies: string[]; status: number; close(): void };
let app: TestApp;
let there: TestApp;
let second: string;
/** Managers of the first facility, of the second one, and of both. */
let here: Employee;
let theirs: Employee;
let shared: Employee;
/** Families with a child inside: at the first facility, at the second one, and one at each. */
let families: { readonly here: Family; readonly theirs: Family; readonly shared: Family };
const phones = new Map<string, PushBrowser>();

beforeAll(async () => {
  service = await openPushService();
  hook = await openHook();
  app = await startTestApp({ config: { NOTICES_TO_THIS_MACHINE: 'yes' } });
  second = await makeFacility(app, 'Second');
  there = atFacility(app, second);
  here = await app.makeEmployee();
  theirs = await there.makeEmployee();
  shared = await app.makeEmployee();
  await manageAt(app, shared, MAIN_FACILITY, second);
  families = { here: await app.makeFamily(), theirs: await app.makeFamily(), shared: await app.makeFamily() };
  await makeInsideAt(app, MAIN_FACILITY, families.here, 'Child');
  await makeInsideAt(app, second, families.theirs, 'Child');
  for (const facility of [MAIN_FACILITY, second])
    await makeInsideAt(app, facility, families.shared, `Child at ${facility}`);
  for (const person of [here, theirs, shared, ...Object.values(families)]) await addPhone(person);
});
afterAll(async () => {
  expect(service.problems).toEqual([]);
  await app.close();
  await service.close();
  hook.close();
});

async function openHook(): Promise<typeof hook> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    bodies.push(Buffer.concat(chunks).toString('utf8'));
    response.writeHead(opened.status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const opened = { url, bodies, status: 204, close: () => void server.close() };
  return opened;
}
async function addPhone({ id, token }: Family): Promise<void> {
  const phone = service.newBrowser();
  phones.set(id, phone);
  const json = { ...phone.subscription, device: 'Phone' };
  await app.expect(201, 'POST', '/api/notices/devices', { token, json });
}

/** A sensor that reads what is too hot. Returns what cools it down. */
async function makeHot(at: TestApp, name: string): Promise<() => Promise<void>> {
  const json = { name, area: name, kind: 'haris', period: 60 };
  const { sensor, deviceKey } = await at.expect(201, 'POST', '/api/sensors', {
    token: await app.staff(),
    json,
  });
  const read = async (temperature: number) => {
    await at.expect(202, 'POST', `/api/sensors/${sensor._id}/readings`, {
      json: { temperature },
      headers: { 'x-device-key': deviceKey },
    });
    await settle();
  };
  await read(45);
  return async () => {
    for (let minutes = 0; minutes < 4; minutes++) {
      app.clock.advance(MINUTE);
      await read(21);
    }
  };
}
/** Lets the engine look, and sends what is due. */
async function settle(): Promise<void> {
  await app.app.incidents.sweep();
  await app.app.notifications.settled();
}

/** Ids of those who got a push or a mail with this text. */
async function toldOf(text: string): Promise<{ push: string[]; mail: string[] }> {
  const people = [here, theirs, shared, ...Object.values(families)];
  const push = people.filter(({ id }) =>
    phones.get(id)?.received.some(({ payload }) => payload.body.includes(text)),
  );
  const mails = await app.outbox();
  const mail = people.filter(({ email }) => mails.some((one) => one.to === email && one.text.includes(text)));
  return { push: push.map(({ id }) => id).toSorted(), mail: mail.map(({ id }) => id).toSorted() };
}
const idsOf = (...people: Family[]) => people.map(({ id }) => id).toSorted();

test('a danger is told to staff and families of its facility, and to those of both', async () => {
  await makeHot(app, 'Garden');
  const told = await toldOf('Garden');
  expect(told).toEqual({
    push: idsOf(here, shared, families.here, families.shared),
    mail: idsOf(here, shared, families.here, families.shared),
  });
  const calm = await makeHot(there, 'Terrace');
  expect(await toldOf('Terrace')).toEqual({
    push: idsOf(theirs, shared, families.theirs, families.shared),
    mail: idsOf(theirs, shared, families.theirs, families.shared),
  });
  await calm();
  for (const [id, { received }] of phones)
    expect({ id, ends: received.filter(({ payload }) => payload.phase === 'cleared').length }).toEqual({
      id,
      ends: idsOf(theirs, shared, families.theirs, families.shared).includes(id) ? 1 : 0,
    });
});

test('what waits for a person who lost the role at its facility is not sent, nor is its end', async () => {
  const leaver = await app.makeEmployee();
  await manageAt(app, leaver, MAIN_FACILITY, second);
  await addPhone(leaver);
  const phone = phones.get(leaver.id);
  if (!phone) throw new Error('The phone was added above');
  phone.status = 503;
  const calm = await makeHot(app, 'Kitchen');
  const kitchen = () => phone.received.filter(({ payload }) => payload.body.includes('Kitchen'));
  const mails = async () => (await app.outbox(leaver.email)).filter(({ text }) => text.includes('Kitchen'));
  expect([kitchen().length, (await mails()).length]).toEqual([0, 1]);
  await manageAt(app, leaver, second);
  phone.status = 201;
  app.clock.advance(MINUTE);
  await settle();
  await calm();
  expect([kitchen().length, (await mails()).length]).toEqual([0, 1]);
  // Of the other facility the person is told as before.
  await makeHot(there, 'Balcony');
  expect(phone.received.some(({ payload }) => payload.body.includes('Balcony'))).toBe(true);
});

test('failures are listed at the facility of their incident: those of a colleague of both, and of the webhook', async () => {
  const token = await app.staff();
  await app.expect(200, 'PUT', '/api/notices/webhook', { token, json: { url: hook.url } });
  hook.status = 410;
  const phone = phones.get(shared.id);
  if (!phone) throw new Error('The phone was added above');
  const failures = async (at: TestApp, who: string) => {
    const page = await at.expect(200, 'GET', '/api/notices/failed?limit=200', { token: who });
    return page.failures.map(({ way, account }) => `${way} ${account?._id ?? ''}`);
  };
  const before = await failures(there, theirs.token);
  phone.status = 410;
  await makeHot(app, 'Attic');
  const failed = ['webhook ', `push ${shared.id}`];
  expect(await failures(app, here.token)).toEqual(expect.arrayContaining(failed));
  expect(await failures(there, theirs.token)).toEqual(before);
  expect(before.filter((one) => failed.includes(one))).toEqual([]);
});
