/** `/video_feed` over a real port: rights of the viewers, and the end of streams (contract §2, §4, §5). */
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { testDialect } from '../../testing/database.ts';
import { type FakeLive, startFakeLive } from '../../testing/fake-live.ts';
import { tinyJpeg } from '../../testing/fake-vision.ts';
import {
  ADMIN_EMAIL,
  ADMIN_PASSWORD,
  type Family,
  startTestApp,
  type TestApp,
} from '../../testing/harness.ts';
import { type MjpegAsk, type MjpegClient, openMjpeg } from '../../testing/mjpeg.ts';

let app: TestApp;
let live: FakeLive;
let staff: string;
let family: Family;
let other: Family;
let port: number;
let room: string;
let hall: string;
const clients: MjpegClient[] = [];
const within = { timeout: 240_000, interval: 10 };

beforeAll(async () => {
  live = await startFakeLive();
  app = await startTestApp({ live });
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.app.server.address() as AddressInfo).port;
  staff = await app.staff();
  [family, other] = [await app.makeFamily(), await app.makeFamily()];
  room = await addCamera('A room');
  hall = await addCamera('B hall');
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await expect.poll(() => live.subscriptions.size, within).toBe(0);
});
afterAll(async () => {
  await app.close();
  await live.stop();
});
beforeEach(async () => {
  // Forget the sightings of earlier tests.
  app.clock.advance(60_000);
  await allLive(room, hall);
});

async function addCamera(name: string): Promise<string> {
  const json = { name, area: `Area of ${name}`, kind: 'browser' };
  return (await app.expect(201, 'POST', '/api/cameras', { token: staff, json })).camera._id;
}
async function allLive(...ids: string[]): Promise<void> {
  await expect
    .poll(() => ids.every((id) => live.cameras.some((camera) => camera.id === id)), within)
    .toBe(true);
  for (const id of [room, hall]) live.report(id, { state: ids.includes(id) ? 'live' : 'stalled' });
  await expect
    .poll(() => [room, hall].map((id) => app.context.live.report(id)?.state), within)
    .toEqual([room, hall].map((id) => (ids.includes(id) ? 'live' : 'stalled')));
}
const post = (path: string, token = staff) => app.expect(200, 'POST', path, { token });
async function makeInside(of: Family, name?: string): Promise<string> {
  const { _id } = await app.makeChild(of, name);
  await post(`/api/children/checkin-child/${_id}`);
  return _id;
}
async function open(query: string, ask: MjpegAsk = {}): Promise<MjpegClient> {
  const client = await openMjpeg(port, `/video_feed?${query}`, ask);
  clients.push(client);
  return client;
}
async function watch(query: string, ask: MjpegAsk = {}): Promise<MjpegClient> {
  const client = await open(query, ask);
  expect(client.status, client.text()).toBe(200);
  return client;
}
/** Resolves with the server's subscriptions, once there are `count`. */
async function pulled(count: number) {
  await expect.poll(() => live.subscriptions.size, within).toBe(count);
  return [...live.subscriptions.values()];
}
async function see(childId: string, cameraId: string): Promise<void> {
  live.seen({
    cameraId,
    subject: { kind: 'child', id: childId },
    trackId: `${childId} ${app.clock.now()}`,
    ended: true,
  });
  await expect
    .poll(
      async () =>
        (await app.context.db.selectFrom('sightings').selectAll().where('child_id', '=', childId).execute())
          .length,
      within,
    )
    .toBeGreaterThan(0);
}
const ticketFor = async (token: string, json: object): Promise<string> =>
  (await app.expect(201, 'POST', '/api/tickets', { token, json: { for: 'video', ...json } })).ticket;
const refusal = async (query: string, token?: string) => {
  const answer = await app.ask('GET', `/video_feed?${query}`, { token });
  return [answer.status, answer.body.code];
};

describe('who sees what', () => {
  test('a parent: the coarse room, and the own children inside sharp', async () => {
    const [child, sibling] = [await makeInside(family, 'Lina'), await makeInside(family, 'Sami')];
    await app.makeChild(family, 'At home');
    await makeInside(other, 'Stranger');
    await see(child, hall);
    const client = await watch(`target_id=${child}`, { token: family.token });
    const [stream] = await pulled(1);
    expect(stream).toMatchObject({ cameraId: hall, format: 'jpeg', view: { kind: 'only' } });
    expect(stream?.view.kind === 'only' && [...stream.view.childIds].sort()).toEqual([child, sibling].sort());
    live.show(() => true, { mark: 'first' });
    await expect.poll(() => client.parts.length, within).toBe(1);
    expect(client.parts[0]?.body.toString('latin1')).toContain('first');
  });

  test('staff: everything but the privacy zones, of the child’s camera or of any', async () => {
    const child = await makeInside(family);
    await see(child, hall);
    await watch(`target_id=${child}`, { token: staff });
    const [byChild] = await pulled(1);
    expect(byChild).toMatchObject({ cameraId: hall, view: { kind: 'whole' } });
    await watch(`camera_id=${room}`, { token: staff });
    expect((await pulled(2)).map(({ cameraId }) => cameraId).sort()).toEqual([room, hall].sort());
  });

  test('staff without the permission to watch: no picture of a child or a camera, and no ticket', async () => {
    const child = await makeInside(family);
    await see(child, hall);
    const inspector = await app.makeEmployee();
    await app.proveNow(staff);
    await app.expect(200, 'PUT', `/api/admin/${inspector.id}/roles`, {
      token: staff,
      json: { roles: [{ roleId: 'inspector', facilityId: 'main' }] },
    });
    for (const query of [`target_id=${child}`, `camera_id=${hall}`])
      expect([403, 404], query).toContain((await refusal(query, inspector.token))[0]);
    for (const json of [{ childId: child }, { cameraId: hall }]) {
      const ask = { token: inspector.token, json: { for: 'video', ...json } };
      expect([403, 404]).toContain((await app.ask('POST', '/api/tickets', ask)).status);
    }
    expect(live.subscriptions.size).toBe(0);
  });

  test('staff also get boxes and names, drawn into the picture, and keep them until others are known', async () => {
    const child = await makeInside(family, 'Lina');
    const base = await sharp({ create: { width: 320, height: 180, channels: 3, background: '#5a5a5a' } })
      .jpeg()
      .toBuffer();
    const client = await watch(`camera_id=${room}`, { token: staff });
    await pulled(1);
    const shown = async (count: number): Promise<boolean[]> => {
      await expect.poll(() => client.parts.length, within).toBe(count);
      const { data, info } = await sharp(client.parts.at(-1)?.body)
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect([info.width, info.height]).toEqual([320, 180]);
      const isGrey = (x: number, y: number) => Math.abs((data[(y * 320 + x) * 3] ?? 0) - 90) < 12;
      // The box of the child, its name above, the box of somebody unknown, and the middle of the child's face.
      return [isGrey(33, 120), isGrey(64, 80), isGrey(225, 91), isGrey(64, 120)];
    };
    const faces = [
      {
        box: [0.1, 0.5, 0.2, 0.4] as [number, number, number, number],
        subject: { kind: 'child' as const, id: child },
      },
      { box: [0.7, 0.5, 0.2, 0.4] as [number, number, number, number], subject: null },
    ];
    const capturedAt = app.clock.now() - 2_000;
    const picture = (over: object) => live.show(() => true, { base, capturedAt, ...over });
    picture({});
    expect(await shown(1)).toEqual([true, true, true, true]);
    picture({ faces });
    expect(await shown(2)).toEqual([false, false, false, true]);
    picture({ capturedAt: capturedAt + 900 });
    expect(await shown(3)).toEqual([false, false, false, true]);
    picture({ capturedAt: capturedAt + 1_100 });
    expect(await shown(4)).toEqual([true, true, true, true]);
    // A picture whose names cannot be drawn is sent unchanged.
    live.show(() => true, {
      mark: 'no room for a box',
      capturedAt,
      faces,
      base: Buffer.concat([tinyJpeg.subarray(0, 40), Buffer.from('cut off')]),
    });
    await expect.poll(() => client.parts.at(-1)?.body.toString('latin1') ?? '', within).toContain('cut off');
  });

  test('nobody without a session, no parent of another family, no parent a camera', async () => {
    const child = await makeInside(family);
    expect(await refusal(`target_id=${child}`)).toEqual([401, 'unauthenticated']);
    expect(await refusal(`target_id=${child}`, 'x'.repeat(43))).toEqual([401, 'unauthenticated']);
    expect(await refusal(`target_id=${child}`, other.token)).toEqual([404, 'not_found']);
    expect(await refusal('target_id=nobody', staff)).toEqual([404, 'not_found']);
    expect(await refusal('target_id=%00', staff)).toEqual([400, 'invalid_body']);
    expect(await refusal(`camera_id=${room}`, family.token)).toEqual([403, 'forbidden']);
    expect(await refusal('camera_id=none', staff)).toEqual([404, 'not_found']);
    expect(await refusal('', staff)).toEqual([400, 'invalid_request']);
    expect(await refusal('target_name=%20', family.token)).toEqual([400, 'invalid_request']);
    expect(await refusal(`target_id=${child}&camera_id=${room}`, staff)).toEqual([400, 'invalid_request']);
    expect(await refusal('target_name=a&target_name=b', staff)).toEqual([400, 'invalid_request']);
    expect(live.subscriptions.size).toBe(0);
  });

  test('a child outside: 409; no live camera: 503, but never before 401 and 404', async () => {
    const child = (await app.makeChild(family))._id;
    expect(await refusal(`target_id=${child}`, family.token)).toEqual([409, 'child_outside']);
    expect(await refusal(`target_id=${child}`, staff)).toEqual([409, 'child_outside']);
    await post(`/api/children/checkin-child/${child}`);
    await allLive();
    expect(await refusal(`target_id=${child}`, family.token)).toEqual([503, 'no_camera']);
    expect(await refusal(`camera_id=${room}`, staff)).toEqual([503, 'no_camera']);
    expect(await refusal(`target_id=${child}`, other.token)).toEqual([404, 'not_found']);
    await allLive(hall);
    expect(await refusal(`camera_id=${room}`, staff)).toEqual([503, 'no_camera']);
  });

  test('two families with a “Mariam”: each parent the own one, staff must say which', async () => {
    const mine = await makeInside(family, 'Mariam');
    const theirs = await makeInside(other, 'مريم');
    const alike = await makeInside(other, ' mariam ');
    for (const [of, id, name] of [
      [family, mine, 'MARIAM'],
      [family, mine, '  Máriam '],
      [other, alike, 'Mariam'],
      [other, theirs, 'مريم'],
    ] as const) {
      await watch(`target_name=${encodeURIComponent(name)}`, { token: of.token });
      const [stream] = await pulled(1);
      expect(stream?.view.kind === 'only' && stream.view.childIds, name).toContain(id);
      expect(
        stream?.view.kind === 'only' && stream.view.childIds.includes(of === family ? alike : mine),
      ).toBe(false);
      for (const client of clients.splice(0)) client.close();
      await pulled(0);
    }
    const answer = await app.ask('GET', '/video_feed?target_name=mariam', { token: staff });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(Object.keys(answer.body.fields)).toEqual(['target_name']);
    await watch(`target_id=${mine}`, { token: staff });
    expect(await refusal('target_name=Nobody', family.token)).toEqual([404, 'not_found']);
  });

  test('of two own children of one name the one that is inside', async () => {
    const twins = await app.makeFamily();
    await app.makeChild(twins, 'Adam');
    expect(await refusal('target_name=adam', twins.token)).toEqual([409, 'child_outside']);
    const inside = await makeInside(twins, 'Adam');
    await watch('target_name=adam', { token: twins.token });
    const [stream] = await pulled(1);
    expect(stream?.view).toEqual({ kind: 'only', childIds: [inside] });
  });
});

describe('the stream', () => {
  test('is multipart JPEG with the length and the moment of each picture, and is not kept', async () => {
    const child = await makeInside(family);
    const client = await watch(`target_id=${child}`, { token: family.token });
    expect(client.headers).toMatchObject({
      'content-type': expect.stringMatching(/^multipart\/x-mixed-replace; boundary=[a-z-]+$/),
      'cache-control': 'no-store',
      'x-request-id': expect.any(String),
    });
    await pulled(1);
    const capturedAt = app.clock.now() - 300;
    for (const mark of ['one', 'two', 'three']) {
      live.show(() => true, { mark, capturedAt, padding: 50_000 });
      await expect.poll(() => client.parts.at(-1)?.body.toString('latin1') ?? '', within).toContain(mark);
    }
    expect(client.problem()).toBeNull();
    for (const { headers, body } of client.parts) {
      expect(headers['content-type']).toBe('image/jpeg');
      expect(headers['x-timestamp']).toBe((capturedAt / 1_000).toFixed(3));
      expect(body.subarray(0, 3)).toEqual(tinyJpeg.subarray(0, 3));
    }
  });

  test('is never said to be fresher than it can be', async () => {
    const child = await makeInside(family);
    const client = await watch(`target_id=${child}`, { token: family.token });
    await pulled(1);
    live.show(() => true, { capturedAt: app.clock.now() + 3_600_000 });
    await expect.poll(() => client.parts.length, within).toBe(1);
    expect(client.parts[0]?.headers['x-timestamp']).toBe((app.clock.now() / 1_000).toFixed(3));
  });

  test('of one family and camera is pulled once, however many watch, and not at all when nobody does', async () => {
    const child = await makeInside(family);
    const many = await Promise.all(
      Array.from({ length: 8 }, () => watch(`target_id=${child}`, { token: family.token })),
    );
    for (const client of many)
      await expect
        .poll(() => {
          live.show(() => true, { mark: 'for all' });
          return client.parts.length;
        }, within)
        .toBeGreaterThan(0);
    expect(live.subscriptions.size).toBe(1);
    for (const client of many) client.close();
    await pulled(0);
  });

  test('follows the child from camera to camera, and shows the coarse room until it is seen', async () => {
    const child = await makeInside(family);
    const client = await watch(`target_id=${child}`, { token: family.token });
    expect((await pulled(1))[0]?.cameraId).toBe(room);
    await see(child, hall);
    await expect.poll(() => [...live.subscriptions.values()][0]?.cameraId, within).toBe(hall);
    // Both cameras see the child: the viewer does not switch back and forth.
    live.seen({ cameraId: room, subject: { kind: 'child' as const, id: child }, trackId: 'in the room' });
    live.show(({ cameraId }) => cameraId === hall, { mark: 'still the hall' });
    await expect.poll(() => client.parts.length, within).toBe(1);
    expect([...live.subscriptions.values()].map(({ cameraId }) => cameraId)).toEqual([hall]);
    app.clock.advance(3_001);
    live.seen({ cameraId: room, subject: { kind: 'child' as const, id: child }, trackId: 'in the room' });
    await expect.poll(() => [...live.subscriptions.values()][0]?.cameraId, within).toBe(room);
    // A failed camera is replaced without closing the stream; then no camera is live, and then one again.
    await allLive(hall);
    await expect.poll(() => [...live.subscriptions.values()][0]?.cameraId, within).toBe(hall);
    await allLive();
    await pulled(0);
    await allLive(room, hall);
    await pulled(1);
    expect(client.isOpen()).toBe(true);
  });

  test('goes on when the face engine was away', async () => {
    const child = await makeInside(family);
    const client = await watch(`target_id=${child}`, { token: family.token });
    await pulled(1);
    live.drop();
    await expect.poll(() => app.context.live.isUp(), within).toBe(false);
    await expect.poll(() => app.context.live.isUp(), within).toBe(true);
    await allLive(room, hall);
    await pulled(1);
    live.show(() => true, { mark: 'back' });
    await expect.poll(() => client.parts.length, within).toBe(1);
  });
});

describe('ends', () => {
  /** A viewer that has already received a picture. */
  async function watching(query: string, token: string): Promise<MjpegClient> {
    const client = await watch(query, { token });
    await expect
      .poll(() => {
        live.show(() => true, { mark: 'seen' });
        return client.parts.length;
      }, within)
      .toBeGreaterThan(0);
    return client;
  }
  async function endsAfter(client: MjpegClient, what: () => Promise<unknown>): Promise<void> {
    await what();
    await expect.poll(() => client.isOpen(), within).toBe(false);
    expect(client.isClosed()).toBe(true);
    await pulled(0);
  }

  test('at checkout, for the parent and for staff', async () => {
    const child = await makeInside(family);
    const mine = await watching(`target_id=${child}`, family.token);
    const theirs = await watching(`target_id=${child}`, staff);
    await endsAfter(mine, () => post(`/api/children/checkout-child/${child}`));
    await expect.poll(() => theirs.isOpen(), within).toBe(false);
  });

  test('at logout, only of that session', async () => {
    const child = await makeInside(family);
    const token = await app.signIn('parent', family.email, family.password);
    const [ending, staying] = [
      await watching(`target_id=${child}`, token),
      await watching(`target_id=${child}`, family.token),
    ];
    await app.expect(204, 'POST', '/api/logout', { token });
    await expect.poll(() => ending.isOpen(), { timeout: 240_000, interval: 10 }).toBe(false);
    expect(staying.isOpen()).toBe(true);
  });

  test('when the camera is deleted that staff look at', async () => {
    const camera = await addCamera('Z gone soon');
    await expect.poll(() => live.cameras.some(({ id }) => id === camera), within).toBe(true);
    live.report(camera);
    await expect.poll(() => app.context.live.report(camera)?.state, within).toBe('live');
    const client = await watching(`camera_id=${camera}`, staff);
    await endsAfter(client, () => app.expect(200, 'DELETE', `/api/cameras/${camera}`, { token: staff }));
  });

  test('when the employee is deleted', async () => {
    const employee = await app.makeEmployee();
    const client = await watching(`camera_id=${room}`, employee.token);
    await endsAfter(client, () =>
      app.expect(200, 'DELETE', `/api/admin/delete-admin/${employee.id}`, { token: staff }),
    );
  });

  test('when rights cannot be looked up', async () => {
    const child = await makeInside(family);
    const client = await watching(`target_id=${child}`, family.token);
    await endsAfter(client, () => app.context.db.schema.alterTable('sessions').renameTo('hidden').execute());
    await app.context.db.schema.alterTable('hidden').renameTo('sessions').execute();
    await watching(`target_id=${child}`, family.token);
  });

  test('not, but shows nothing, while rights are looked up too slowly', async () => {
    const child = await makeInside(family);
    const client = await watching(`target_id=${child}`, family.token);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    // Blocks the only connection of the embedded database; PostgreSQL needs a lock.
    const slow = app.context.db.transaction().execute(async (trx) => {
      if (testDialect === 'postgres') await sql`lock table sessions in access exclusive mode`.execute(trx);
      await held;
    });
    await expect.poll(() => live.subscriptions.size, { timeout: 240_000, interval: 10 }).toBe(0);
    release();
    await slow;
    await pulled(1);
    live.show(() => true, { mark: 'again' });
    await expect.poll(() => client.parts.at(-1)?.body.toString('latin1'), within).toContain('again');
  });

  test('a sibling who is checked out is not sharp any more', async () => {
    const [child, sibling] = [await makeInside(family), await makeInside(family)];
    const client = await watching(`target_id=${child}`, family.token);
    await post(`/api/children/checkout-child/${sibling}`);
    await expect
      .poll(
        () =>
          [...live.subscriptions.values()].every(
            ({ view }) => view.kind === 'only' && !view.childIds.includes(sibling),
          ),
        within,
      )
      .toBe(true);
    expect(client.isOpen()).toBe(true);
  });

  test('one account’s oldest beyond 20', async () => {
    const child = await makeInside(family);
    const many: MjpegClient[] = [];
    for (let n = 0; n < 21; n++) many.push(await watch(`target_id=${child}`, { token: family.token }));
    await expect.poll(() => many[0]?.isOpen(), within).toBe(false);
    expect(many.slice(1).every((client) => client.isOpen())).toBe(true);
  });
});

describe('with a ticket', () => {
  test('opens once, for what it was given', async () => {
    const child = await makeInside(family, 'Ticketed');
    const ticket = await ticketFor(family.token, { childId: child });
    await watch(`ticket=${ticket}`);
    await pulled(1);
    expect(await refusal(`ticket=${ticket}`)).toEqual([401, 'invalid_ticket']);
    const named = await ticketFor(family.token, { childId: child });
    await watch(`ticket=${named}&target_name=ticketed`);
    await watch(`ticket=${await ticketFor(staff, { cameraId: room })}`);
  });

  test('of another session opens nothing beside the own token, and is used up', async () => {
    const child = await makeInside(family);
    for (const token of [other.token, staff, await app.signIn('parent', family.email, family.password)]) {
      const ticket = await ticketFor(family.token, { childId: child });
      expect(await refusal(`ticket=${ticket}`, token)).toEqual([401, 'invalid_ticket']);
      expect(await refusal(`ticket=${ticket}`)).toEqual([401, 'invalid_ticket']);
    }
    expect(live.subscriptions.size).toBe(0);
    await watch(`ticket=${await ticketFor(family.token, { childId: child })}`, { token: family.token });
  });

  test('of a dead session, of another thing, too old, or never given: 401 and nothing', async () => {
    const [child, sibling] = [await makeInside(family, 'One'), await makeInside(family, 'Another')];
    const token = await app.signIn('parent', family.email, family.password);
    const dead = await ticketFor(token, { childId: child });
    await app.expect(204, 'POST', '/api/logout', { token });
    const foreign = await ticketFor(family.token, { childId: child });
    const photo = (
      await app.ask('GET', '/api/children/get-all-children', { token: family.token })
    ).body.children
      .find(({ _id }) => _id === child)
      ?.photo?.replace('/api/photos/', '');
    const json = { for: 'photo', photoId: photo };
    const forPhoto = (await app.expect(201, 'POST', '/api/tickets', { token: family.token, json })).ticket;
    const old = await ticketFor(family.token, { childId: child });
    const wrongName = await ticketFor(family.token, { childId: child });
    expect(await refusal(`ticket=${dead}`)).toEqual([401, 'invalid_ticket']);
    expect(await refusal(`ticket=${foreign}&target_id=${sibling}`)).toEqual([401, 'invalid_ticket']);
    expect(await refusal(`ticket=${wrongName}&target_name=another`)).toEqual([401, 'invalid_ticket']);
    expect(await refusal(`ticket=${forPhoto}`)).toEqual([401, 'invalid_ticket']);
    for (const odd of ['', 'x', staff, 'a&ticket=b', '%00'])
      expect(await refusal(`ticket=${odd}&target_id=${child}`, family.token)).toEqual([
        401,
        'invalid_ticket',
      ]);
    app.clock.advance(60_000);
    expect(await refusal(`ticket=${old}`)).toEqual([401, 'invalid_ticket']);
    expect(live.subscriptions.size).toBe(0);
  });

  test('is not given for another family’s child, for a camera to a parent, for both or nothing', async () => {
    const child = await makeInside(family);
    const ask = async (token: string, json: object) => {
      const answer = await app.ask('POST', '/api/tickets', { token, json });
      return [answer.status, answer.body.code];
    };
    expect(await ask(other.token, { for: 'video', childId: child })).toEqual([404, 'not_found']);
    expect(await ask(family.token, { for: 'video', cameraId: room })).toEqual([404, 'not_found']);
    expect(await ask(staff, { for: 'video', cameraId: 'none' })).toEqual([404, 'not_found']);
    expect(await ask(staff, { for: 'video', cameraId: room, childId: child })).toEqual([
      400,
      'invalid_request',
    ]);
    expect(await ask(staff, { for: 'video' })).toEqual([400, 'invalid_request']);
    expect(await ask(staff, { for: 'films', childId: child })).toEqual([400, 'invalid_request']);
    expect((await ask(other.token, { for: 'sensors' }))[0]).toBe(201);
  });
});

test('each look is written down with its begin and end, a refused one is not', async () => {
  const child = await makeInside(family);
  await refusal(`target_id=${child}`, other.token);
  const client = await watch(`target_id=${child}`, { token: family.token });
  await pulled(1);
  const rows = async () =>
    (await app.expect(200, 'GET', `/api/audit?subject=${child}`, { token: staff })).entries
      .filter(({ action }) => action.startsWith('video.'))
      .map(({ action, actor, details }) => [action, actor?.kind, details.reason])
      .reverse();
  client.close();
  // The server detects the end a moment later; the rows are in the order of detection.
  await expect.poll(rows, within).toHaveLength(2);
  await watch(`target_id=${child}`, { token: staff });
  await post(`/api/children/checkout-child/${child}`);
  await expect.poll(rows, within).toEqual([
    ['video.started', 'parent', undefined],
    ['video.ended', 'parent', 'left'],
    ['video.started', 'admin', undefined],
    ['video.ended', 'admin', 'checked_out'],
  ]);
});

test('a look that cannot be written down shows nothing', async () => {
  const child = await makeInside(family);
  const append = vi.spyOn(app.context.audit, 'append').mockRejectedValueOnce(new Error('the disk is full'));
  const refused = await open(`target_id=${child}`, { token: family.token });
  append.mockRestore();
  expect(refused.status).toBe(500);
  expect(refused.parts).toEqual([]);
  await watch(`target_id=${child}`, { token: family.token });
});

test('is signed out with the rest when the administrator’s session is idle for 12 hours', async () => {
  const token = await app.signIn('admin', ADMIN_EMAIL, ADMIN_PASSWORD);
  const client = await watch(`camera_id=${room}`, { token });
  app.clock.advance(12 * 3_600_000);
  await expect.poll(() => client.isOpen(), within).toBe(false);
});
