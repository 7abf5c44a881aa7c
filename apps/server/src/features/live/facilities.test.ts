/** Live pictures of two facilities: each is shown to its own staff and families only, by any way to ask (decision 048). */
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MAIN_FACILITY } from '../../facility.ts';
import { atFacility, makeFacility, makeInsideAt, manageAt } from '../../testing/at-facility.ts';
import { type FakeLive, startFakeLive } from '../../testing/fake-live.ts';
import { type Employee, type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { type LiveClient, openLive } from '../../testing/live-socket.ts';
import { openMjpeg } from '../../testing/mjpeg.ts';

const within = { timeout: 60_000, interval: 10 };

let live: FakeLive;
let app: TestApp;
/** The same server; its requests are made at the second facility. */
let there: TestApp;
let second: string;
let port: number;
/** Camera of the first and of the second facility. */
let cameras: { readonly here: string; readonly there: string };
/** A family with one child inside at each facility. */
let family: Family;
let children: { readonly here: string; readonly there: string };
/** Manager of the second facility alone. */
let theirs: Employee;
const clients: LiveClient[] = [];

beforeAll(async () => {
  live = await startFakeLive();
  app = await startTestApp({ live });
  second = await makeFacility(app, 'Second');
  there = atFacility(app, second);
  cameras = { here: await makeCamera(app), there: await makeCamera(there) };
  family = await app.makeFamily();
  children = {
    here: await makeInsideAt(app, MAIN_FACILITY, family, 'Here'),
    there: await makeInsideAt(app, second, family, 'There'),
  };
  theirs = await there.makeEmployee();
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.app.server.address() as AddressInfo).port;
});
beforeEach(async () => {
  await app.forgetLimits();
  for (const id of Object.values(cameras)) {
    await expect.poll(() => live.cameras.some((camera) => camera.id === id), within).toBe(true);
    live.report(id, { state: 'live' });
    await expect.poll(() => app.context.live.report(id)?.state, within).toBe('live');
  }
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await expect.poll(() => live.subscriptions.size, within).toBe(0);
});
afterAll(async () => {
  await app.close();
  await live.stop();
});

async function makeCamera(at: TestApp): Promise<string> {
  const json = { name: 'Room', area: 'Ground floor', kind: 'browser' };
  return (await at.expect(201, 'POST', '/api/cameras', { token: await app.staff(), json })).camera._id;
}
async function ticketFor(token: string, json: object, at: TestApp = app): Promise<string> {
  return (await at.expect(201, 'POST', '/api/tickets', { token, json: { for: 'video', ...json } })).ticket;
}

/** What both ways of live pictures answer: the status of a refusal with its code, or `open`. */
async function answersTo(query: string, token?: string): Promise<string[]> {
  const socket = openLive(port, `/api/live?${query}`, token === undefined ? {} : { token }).then(
    (client) => {
      client.close();
      return 'open';
    },
    ({ message }: Error) => `${/\d{3}/.exec(message)?.[0]} ${/"code":"(\w+)"/.exec(message)?.[1]}`,
  );
  const stream = openMjpeg(port, `/video_feed?${query}`, { token }).then(async (client) => {
    if (client.status === 200) {
      client.close();
      return 'open';
    }
    await client.ended;
    return `${client.status} ${/"code":"(\w+)"/.exec(client.text())?.[1]}`;
  });
  return Promise.all([socket, stream]);
}
const both = (answer: string): string[] => [answer, answer];

async function open(query: string, token?: string): Promise<LiveClient> {
  const before = live.subscriptions.size;
  const client = await openLive(port, `/api/live?${query}`, {
    ...(token === undefined ? {} : { token }),
    takes: true,
  });
  clients.push(client);
  await expect.poll(() => live.subscriptions.size, within).toBe(before + 1);
  return client;
}
/** Cameras that the engine is asked to show. */
const shown = () => [...live.subscriptions.values()].map(({ cameraId }) => cameraId);

describe('staff of the second facility', () => {
  test.each([
    ['its camera', () => `camera_id=${cameras.here}`],
    ['a child inside there, by id', () => `target_id=${children.here}`],
    ['a child inside there, by name', () => 'target_name=Here'],
  ])('%s of the first does not exist for them, whatever facility they name', async (_what, query) => {
    expect(await answersTo(query(), theirs.token)).toEqual(both('404 not_found'));
    expect(await answersTo(`${query()}&facility=${second}`, theirs.token)).toEqual(both('404 not_found'));
    const elsewhere = `${query()}&facility=${MAIN_FACILITY}`;
    expect(await answersTo(elsewhere, theirs.token)).toEqual(both('404 unknown_facility'));
    expect(shown()).toEqual([]);
  });

  test('see their own camera and child, also without naming their facility', async () => {
    for (const query of [`camera_id=${cameras.there}`, `target_id=${children.there}`, 'target_name=There'])
      expect(await answersTo(query, theirs.token)).toEqual(both('open'));
  });
});

test('staff of a facility watch a child of both no more once it is inside at the other', async () => {
  const child = await makeInsideAt(app, second, await app.makeFamily(), 'Of both');
  await there.expect(200, 'POST', `/api/children/${child}/facilities`, {
    token: await app.staff(),
    json: { facilityId: MAIN_FACILITY },
  });
  const client = await open(`target_id=${child}`, theirs.token);
  expect(shown()).toEqual([cameras.there]);
  // Checked out there and in here between two checks of the rights.
  await app.context.db
    .updateTable('stays')
    .set({ facility_id: MAIN_FACILITY })
    .where('child_id', '=', child)
    .execute();
  await expect.poll(() => client.isOpen(), within).toBe(false);
  expect(client.notes.at(-1)).toEqual({ type: 'end', reason: 'checked_out' });
  expect(JSON.stringify(client.notes)).not.toContain(cameras.here);
  expect(await answersTo(`target_id=${child}`, theirs.token)).toEqual(both('409 child_outside'));
});

describe('without a session', () => {
  test('a facility in the address opens nothing', async () => {
    for (const facility of [MAIN_FACILITY, second])
      expect(await answersTo(`camera_id=${cameras.there}&facility=${facility}`)).toEqual(
        both('401 unauthenticated'),
      );
  });
});

describe('a ticket', () => {
  test('is of the facility where it was made: naming the other one opens nothing there', async () => {
    const token = await app.staff();
    for (const [json, at] of [
      [{ cameraId: cameras.there }, app],
      [{ childId: children.there }, app],
      [{ cameraId: cameras.here }, there],
      [{ childId: children.here }, there],
    ] as const)
      expect(await at.ask('POST', '/api/tickets', { token, json: { for: 'video', ...json } })).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
    const ticket = await ticketFor(token, { cameraId: cameras.here });
    await open(`ticket=${ticket}&facility=${second}`);
    expect(shown()).toEqual([cameras.here]);
    for (const client of clients.splice(0)) client.close();
    await expect.poll(shown, within).toEqual([]);
    await open(`ticket=${await ticketFor(token, { cameraId: cameras.there }, there)}`);
    expect(shown()).toEqual([cameras.there]);
    // It names its camera; another one in the address is refused.
    for (const path of ['/api/live', '/video_feed']) {
      const own = await ticketFor(token, { cameraId: cameras.here });
      const url = `${path}?ticket=${own}&camera_id=${cameras.there}&facility=${second}`;
      const answer = path === '/api/live' ? openLive(port, url) : null;
      if (answer) await expect(answer).rejects.toThrow(/refused 401.*invalid_ticket/);
      else expect((await openMjpeg(port, url)).status).toBe(401);
    }
  });

  test('opens nothing once its maker lost the role at its facility, though not at the other', async () => {
    const teacher = await app.makeEmployee();
    await manageAt(app, teacher, MAIN_FACILITY, second);
    const tickets = await Promise.all(
      Array.from({ length: 2 }, () => ticketFor(teacher.token, { cameraId: cameras.here })),
    );
    const kept = await ticketFor(teacher.token, { cameraId: cameras.there }, there);
    await manageAt(app, teacher, second);
    const [plain, named] = tickets;
    await expect(openLive(port, `/api/live?ticket=${plain}`)).rejects.toThrow('refused 404');
    await expect(openLive(port, `/api/live?ticket=${named}&facility=${second}`)).rejects.toThrow(
      'refused 404',
    );
    await open(`ticket=${kept}`);
    expect(shown()).toEqual([cameras.there]);
  });
});

test('a role that ends at one facility ends the videos of that one, not those of the other', async () => {
  const teacher = await app.makeEmployee();
  await manageAt(app, teacher, MAIN_FACILITY, second);
  const gone = await open(`camera_id=${cameras.here}&facility=${MAIN_FACILITY}`, teacher.token);
  const kept = await open(`camera_id=${cameras.there}&facility=${second}`, teacher.token);
  expect(shown().toSorted()).toEqual(Object.values(cameras).toSorted());
  await manageAt(app, teacher, second);
  await gone.closed;
  await expect.poll(shown, within).toEqual([cameras.there]);
  live.show(() => true, { mark: 'after' });
  await expect.poll(() => kept.pictures.length, within).toBe(1);
  expect(gone.pictures).toEqual([]);
  expect(kept.isOpen()).toBe(true);
  // Reconnecting as before, and with the other facility's name, opens nothing of the first one.
  const again = `camera_id=${cameras.here}`;
  expect(await answersTo(`${again}&facility=${MAIN_FACILITY}`, teacher.token)).toEqual(
    both('404 unknown_facility'),
  );
  expect(await answersTo(`${again}&facility=${second}`, teacher.token)).toEqual(both('404 not_found'));
});

describe('a family with a child at each facility', () => {
  test('sees each child by the cameras of the facility where it is, whatever facility it names', async () => {
    for (const facility of ['', MAIN_FACILITY, second, 'nowhere'])
      for (const at of ['here', 'there'] as const) {
        const client = await open(`target_id=${children[at]}&facility=${facility}`, family.token);
        expect(shown()).toEqual([cameras[at]]);
        client.close();
        await expect.poll(shown, within).toEqual([]);
      }
  });

  test('a camera of the other facility that takes somebody for the child is not shown', async () => {
    const client = await open(`target_id=${children.here}`, family.token);
    const subject = { kind: 'child' as const, id: children.here };
    live.seen({ cameraId: cameras.there, subject });
    live.seen({ cameraId: cameras.here, subject });
    await expect
      .poll(() => client.notes.filter(({ type }) => type === 'camera').length, within)
      .toBeGreaterThan(1);
    live.seen({ cameraId: cameras.there, subject });
    live.show(() => true, { mark: 'm' });
    await expect.poll(() => client.pictures.length, within).toBe(1);
    expect(shown()).toEqual([cameras.here]);
    expect(JSON.stringify(client.notes)).not.toContain(cameras.there);
  });

  test('another family sees neither', async () => {
    const { token } = await app.makeFamily();
    for (const id of Object.values(children))
      expect(await answersTo(`target_id=${id}&facility=${second}`, token)).toEqual(both('404 not_found'));
  });

  test('the last picture of a facility that the child left is never that of the other', async () => {
    const staff = await app.staff();
    const url = (call: string) => `/api/children/${call}-child/${children.here}`;
    await app.expect(200, 'POST', url('checkout'), { token: staff });
    expect(await answersTo(`target_id=${children.here}`, family.token)).toEqual(both('409 child_outside'));
    await app.expect(200, 'POST', url('checkin'), { token: staff });
  });
});
