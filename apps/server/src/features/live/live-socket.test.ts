/** `WS /api/live`: layers and notes for the web app, the newest picture first, and refusals at the upgrade. */
import type { AddressInfo } from 'node:net';
import { COARSE_MAX_HEIGHT } from '@haris/contract/vision-live';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FakeLive, startFakeLive } from '../../testing/fake-live.ts';
import { addGuardian, changeGuardian } from '../../testing/guardians.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { type LiveAsk, type LiveClient, openLive } from '../../testing/live-socket.ts';

let app: TestApp;
let live: FakeLive;
let staff: string;
let family: Family;
let other: Family;
let port: number;
let room: string;
let child: string;
const clients: LiveClient[] = [];
const within = { timeout: 240_000, interval: 10 };

beforeAll(async () => {
  live = await startFakeLive();
  app = await startTestApp({ live });
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.app.server.address() as AddressInfo).port;
  staff = await app.staff();
  [family, other] = [await app.makeFamily(), await app.makeFamily()];
  const json = { name: 'Room', area: 'Ground floor', kind: 'browser' };
  room = (await app.expect(201, 'POST', '/api/cameras', { token: staff, json })).camera._id;
});
beforeEach(async () => {
  app.clock.advance(60_000);
  child = (await app.makeChild(family, 'Lina'))._id;
  await post(`/api/children/checkin-child/${child}`);
  await beLive();
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await expect.poll(() => live.subscriptions.size, within).toBe(0);
});
afterAll(async () => {
  await app.close();
  await live.stop();
});

const post = (path: string) => app.expect(200, 'POST', path, { token: staff });
async function beLive(state: 'live' | 'stalled' = 'live'): Promise<void> {
  await expect.poll(() => live.cameras.some(({ id }) => id === room), within).toBe(true);
  live.report(room, { state });
  await expect.poll(() => app.context.live.report(room)?.state, within).toBe(state);
}
async function open(query: string, ask: LiveAsk): Promise<LiveClient> {
  const client = await openLive(port, `/api/live?${query}`, ask);
  clients.push(client);
  await expect.poll(() => live.subscriptions.size, within).toBeGreaterThan(0);
  return client;
}
const refusal = (query: string, ask: LiveAsk = {}): Promise<string> =>
  openLive(port, `/api/live?${query}`, ask).then(
    (client) => {
      client.close();
      return 'open';
    },
    (error: Error) => error.message.slice(0, 11),
  );
const show = (mark: string, over: object = {}) => live.show(() => true, { mark, ...over });
const marks = (client: LiveClient) =>
  client.pictures.map(({ layers }) => /m\d+/.exec(Buffer.from(layers[0] ?? []).toString('latin1'))?.[0]);

test('brings the coarse room and sharp regions of the own children, and says where it is', async () => {
  const client = await open(`target_id=${child}`, { token: family.token, takes: true });
  expect(client.socket.protocol).toBe('bearer');
  expect([...live.subscriptions.values()]).toEqual([
    expect.objectContaining({ cameraId: room, format: 'layers', view: { kind: 'only', childIds: [child] } }),
  ]);
  await expect
    .poll(() => client.notes, within)
    .toEqual([
      { type: 'camera', cameraId: room, area: 'Ground floor', name: 'Room' },
      { type: 'waiting', reason: 'not_seen_yet' },
    ]);
  live.seen({ cameraId: room, subject: { kind: 'child' as const, id: child } });
  await expect
    .poll(() => client.notes.slice(2), within)
    .toEqual([{ type: 'camera', cameraId: room, area: 'Ground floor', name: 'Room' }]);
  show('m1', { regions: [child], capturedAt: app.clock.now() - 40 });
  await expect.poll(() => client.pictures.length, within).toBe(1);
  expect(client.pictures[0]?.header).toMatchObject({
    capturedAt: app.clock.now() - 40,
    width: 1280,
    height: 720,
    layers: [{ box: [0, 0, 1, 1] }, { childId: child, feather: 0.1 }],
  });
  expect(client.pictures[0]?.header.faces).toBeUndefined();
});

test('to staff tells the names of children in view, and of nobody else', async () => {
  const client = await open(`camera_id=${room}`, { token: staff, takes: true });
  const box = [0.1, 0.1, 0.2, 0.2] as [number, number, number, number];
  show('m1', {
    faces: [
      { box, subject: { kind: 'child' as const, id: child } },
      { box, subject: null },
      { box, subject: { kind: 'child' as const, id: 'somebody unknown here' } },
    ],
  });
  await expect.poll(() => client.pictures.length, within).toBe(1);
  expect(client.pictures[0]?.header.faces).toEqual([
    { box, childId: child, name: 'Lina', kind: 'child' },
    { box, childId: null, name: null, kind: 'unknown' },
    { box, childId: null, name: null, kind: 'unknown' },
  ]);
});

describe('what a parent must not see is not passed on, whatever the face engine sends', () => {
  test.each([
    ['a region of another child', { regions: ['another'] }],
    ['faces', { faces: [] }],
    ['a base layer that is not coarse', { base: jpegOfHeight(COARSE_MAX_HEIGHT + 1) }],
    [
      'a base layer that says no height',
      { base: Buffer.from([0xff, 0xd8, 0xff, 0xda, 0, 0, 0, 0, 0, 0, 0, 0, 0]) },
    ],
    ['a layer that is no JPEG', { base: Buffer.from('a picture of somebody') }],
  ])('%s', async (_what, picture) => {
    const client = await open(`target_id=${child}`, { token: family.token, takes: true });
    show('m1', picture);
    show('m2', { base: Buffer.concat([jpegOfHeight(COARSE_MAX_HEIGHT), Buffer.from('m2')]) });
    await expect.poll(() => marks(client), within).toEqual(['m2']);
  });
});

/** Bytes that pass as a JPEG of the given height in pixels. */
function jpegOfHeight(height: number): Buffer {
  return Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, height, 0, 64, 1, 1, 0x11, 0, 0xff, 0xd9, 0, 0]);
}

test('at most two pictures are under way, then the newest one', async () => {
  const client = await open(`target_id=${child}`, { token: family.token });
  // Takes everything: what it has got, the server has had for the other one too.
  const quick = await open(`target_id=${child}`, { token: family.token, takes: true });
  await expect.poll(() => quick.notes.length, within).toBe(2);
  for (const n of [1, 2, 3, 4, 5]) {
    show(`m${n}`);
    await expect.poll(() => marks(quick).at(-1), within).toBe(`m${n}`);
  }
  expect(marks(client)).toEqual(['m1', 'm2']);
  const seqs = () => client.pictures.map(({ header }) => header.seq);
  // Acknowledging a picture that was never sent, or the same picture twice, does not count.
  client.taken(999_999);
  client.taken(seqs()[0] ?? 0);
  await expect.poll(() => marks(client), within).toEqual(['m1', 'm2', 'm5']);
  client.taken(seqs()[0] ?? 0);
  for (const mark of ['m6', 'm7']) {
    show(mark);
    await expect.poll(() => marks(quick).at(-1), within).toBe(mark);
  }
  client.taken(seqs()[2] ?? 0);
  await expect.poll(() => marks(client), within).toEqual(['m1', 'm2', 'm5', 'm7']);
  expect(seqs()).toEqual([...seqs()].sort((a, b) => a - b));
  expect(new Set(seqs()).size).toBe(4);
});

test.each([
  ['words', 'hello'],
  ['another kind', '{"type":"drawn","seq":1}'],
  ['no number', '{"type":"taken","seq":"1"}'],
  ['bytes', Buffer.from([1, 2, 3])],
  ['a long story', JSON.stringify({ type: 'taken', seq: 1, x: 'x'.repeat(500) })],
])('a client that sends %s is closed', async (_what, words) => {
  const client = await open(`target_id=${child}`, { token: family.token });
  client.socket.send(words);
  expect(await client.closed).toBe(1008);
});

describe('at the upgrade', () => {
  test('who may not see is refused, as with /video_feed', async () => {
    expect(await refusal(`target_id=${child}`)).toBe('refused 401');
    expect(await refusal(`target_id=${child}`, { token: 'x'.repeat(43) })).toBe('refused 401');
    expect(await refusal(`target_id=${child}`, { token: other.token })).toBe('refused 404');
    expect(await refusal(`camera_id=${room}`, { token: family.token })).toBe('refused 403');
    expect(await refusal('', { token: staff })).toBe('refused 400');
    expect(await refusal('ticket=nothing', { token: staff })).toBe('refused 401');
    const outside = (await app.makeChild(family))._id;
    expect(await refusal(`target_id=${outside}`, { token: family.token })).toBe('refused 409');
    expect(live.subscriptions.size).toBe(0);
  });

  test('a plain request is not there', async () => {
    for (const path of ['/api/live', '/api/cameras/stream'])
      expect(await app.ask('GET', path, { token: staff })).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
  });

  test('a ticket opens it once', async () => {
    const json = { for: 'video', childId: child };
    const { ticket } = await app.expect(201, 'POST', '/api/tickets', { token: family.token, json });
    await open(`ticket=${ticket}`, {});
    expect(await refusal(`ticket=${ticket}`)).toBe('refused 401');
  });

  test('the token is never answered', async () => {
    const client = await open(`target_id=${child}`, { token: staff });
    expect(client.socket.protocol).toBe('bearer');
    expect(app.logLines.join('\n')).not.toContain(staff);
  });
});

describe('another guardian', () => {
  test('watches the child without its siblings, and no more once it has ended', async () => {
    const sibling = (await app.makeChild(family, 'Omar'))._id;
    await post(`/api/children/checkin-child/${sibling}`);
    await addGuardian(app, child, other.id);
    expect(await refusal(`target_id=${sibling}`, { token: other.token })).toBe('refused 404');
    const client = await open('target_name=Lina', { token: other.token });
    expect([...live.subscriptions.values()]).toEqual([
      expect.objectContaining({ view: { kind: 'only', childIds: [child] } }),
    ]);
    await changeGuardian(app, child, other.id, { ended_at: app.clock.now() });
    await expect.poll(() => client.isOpen(), within).toBe(false);
    expect(client.notes.at(-1)).toEqual({ type: 'end', reason: 'no_right' });
    expect(await refusal(`target_id=${child}`, { token: other.token })).toBe('refused 404');
    expect(await refusal('target_name=Lina', { token: other.token })).toBe('refused 404');
    await post(`/api/children/checkout-child/${sibling}`);
  });

  test('without the right to watch sees the child in no picture', async () => {
    const theirs = (await app.makeChild(other, 'Nour'))._id;
    await post(`/api/children/checkin-child/${theirs}`);
    await addGuardian(app, child, other.id);
    await changeGuardian(app, child, other.id, { may_live: 0 });
    expect(await refusal(`target_id=${child}`, { token: other.token })).toBe('refused 404');
    await open(`target_id=${theirs}`, { token: other.token });
    expect([...live.subscriptions.values()]).toEqual([
      expect.objectContaining({ view: { kind: 'only', childIds: [theirs] } }),
    ]);
    await post(`/api/children/checkout-child/${theirs}`);
  });
});

describe('ends with a word', () => {
  const last = (client: LiveClient) => client.notes.at(-1);

  test('at checkout', async () => {
    const client = await open(`target_id=${child}`, { token: family.token });
    await post(`/api/children/checkout-child/${child}`);
    await expect.poll(() => client.isOpen(), within).toBe(false);
    expect(await client.closed).toBe(1000);
    expect(last(client)).toEqual({ type: 'end', reason: 'checked_out' });
  });

  test('at logout, and no other session’s', async () => {
    const token = await app.signIn('parent', family.email, family.password);
    const staying = await open(`target_id=${child}`, { token: family.token });
    const client = await open(`target_id=${child}`, { token });
    await app.expect(204, 'POST', '/api/logout', { token });
    await expect.poll(() => client.isOpen(), within).toBe(false);
    expect(await client.closed).toBe(1000);
    expect(last(client)).toEqual({ type: 'end', reason: 'signed_out' });
    expect(staying.isOpen()).toBe(true);
  });

  test('when the employee who watches is deleted', async () => {
    const employee = await app.makeEmployee();
    const client = await open(`camera_id=${room}`, { token: employee.token });
    await app.expect(200, 'DELETE', `/api/admin/delete-admin/${employee.id}`, { token: staff });
    await expect.poll(() => client.isOpen(), within).toBe(false);
    expect(last(client)).toEqual({ type: 'end', reason: 'signed_out' });
  });

  test('when the camera that staff watch is removed', async () => {
    const json = { name: 'Gone soon', area: 'Hall', kind: 'browser' };
    const camera = (await app.expect(201, 'POST', '/api/cameras', { token: staff, json })).camera._id;
    const client = await openLive(port, `/api/live?camera_id=${camera}`, { token: staff });
    clients.push(client);
    await expect.poll(() => client.notes.length, within).toBeGreaterThan(0);
    await app.expect(200, 'DELETE', `/api/cameras/${camera}`, { token: staff });
    await expect.poll(() => client.isOpen(), within).toBe(false);
    expect(last(client)).toEqual({ type: 'end', reason: 'no_right' });
  });

  test.each(['child', 'camera'] as const)(
    'a %s without a live camera waits, and begins when one comes',
    async (kind) => {
      await beLive('stalled');
      const asChild = kind === 'child';
      const client = await openLive(
        port,
        `/api/live?${asChild ? `target_id=${child}` : `camera_id=${room}`}`,
        {
          token: asChild ? family.token : staff,
          takes: true,
        },
      );
      clients.push(client);
      const waiting = { type: 'waiting', reason: asChild ? 'no_camera' : 'camera_down' };
      await expect.poll(() => client.notes, within).toEqual([waiting]);
      // The note is repeated, so that the page knows that the connection is alive.
      app.clock.advance(30_000);
      await expect.poll(() => client.notes, within).toEqual([waiting, waiting]);
      expect(live.subscriptions.size).toBe(0);
      await beLive();
      await expect.poll(() => live.subscriptions.size, within).toBe(1);
      await expect.poll(() => client.notes[2]?.type, within).toBe('camera');
      show('m1');
      await expect.poll(() => marks(client), within).toEqual(['m1']);
    },
  );

  test('ends at the checkout also while it waits', async () => {
    await beLive('stalled');
    const client = await openLive(port, `/api/live?target_id=${child}`, { token: family.token });
    clients.push(client);
    await expect.poll(() => client.notes.length, within).toBe(1);
    await post(`/api/children/checkout-child/${child}`);
    expect(await client.closed).toBe(1000);
    expect(last(client)).toEqual({ type: 'end', reason: 'checked_out' });
  });

  test('says that no camera is on when all are switched off, also when one had seen the child', async () => {
    live.seen({ cameraId: room, subject: { kind: 'child' as const, id: child } });
    const client = await open(`target_id=${child}`, { token: family.token, takes: true });
    const setOn = (enabled: boolean) =>
      app.expect(200, 'PUT', `/api/cameras/${room}`, { token: staff, json: { enabled } });
    await setOn(false);
    await expect.poll(() => last(client), within).toEqual({ type: 'waiting', reason: 'no_camera' });
    await setOn(true);
    await beLive();
    await expect.poll(() => last(client)?.type, within).toBe('camera');
  });

  test('says that the camera is down, and goes on when it is back', async () => {
    live.seen({ cameraId: room, subject: { kind: 'child' as const, id: child } });
    const client = await open(`target_id=${child}`, { token: family.token, takes: true });
    await beLive('stalled');
    await expect.poll(() => last(client), within).toEqual({ type: 'waiting', reason: 'camera_down' });
    await expect.poll(() => live.subscriptions.size, within).toBe(0);
    await beLive();
    await expect.poll(() => last(client)?.type, within).toBe('camera');
    await expect.poll(() => live.subscriptions.size, within).toBe(1);
    show('m9');
    await expect.poll(() => marks(client), within).toEqual(['m9']);
  });
});
