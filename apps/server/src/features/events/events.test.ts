/** `/api/events` over a real port: order, resuming, recipients, and the end with the session (contract §4, §5). */
import type { AddressInfo } from 'node:net';
import { EVENT_POSITION_HEADER, EVENT_STREAMS_PER_ACCOUNT } from '@haris/contract/constants';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { fakePhoto } from '../../testing/fake-vision.ts';
import {
  ADMIN_EMAIL,
  ADMIN_PASSWORD,
  type Family,
  loginPath,
  startTestApp,
  type TestApp,
} from '../../testing/harness.ts';
import { askFor, makeKiosk } from '../../testing/kiosks.ts';
import { type EventClient, openEvents } from '../../testing/sse.ts';
import { announceTimeUp } from '../stays/service.ts';
import { END_WITHIN_MS } from './response-outlet.ts';
import { SESSION_CHECK_MS } from './stream.ts';

let app: TestApp;
let staff: string;
let family: Family;
let other: Family;
let port: number;
const clients: EventClient[] = [];

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  [family, other] = [await app.makeFamily(), await app.makeFamily()];
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.app.server.address() as AddressInfo).port;
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});
afterAll(() => app.close());

async function listen(token: string, lastEventId?: string): Promise<EventClient> {
  const client = await openEvents(port, token, lastEventId);
  clients.push(client);
  expect(client.status).toBe(200);
  return client;
}
const post = (path: string, token = staff) => app.expect(200, 'POST', path, { token });
const stay = async (id: string) => {
  await post(`/api/children/checkin-child/${id}`);
  await post(`/api/children/checkout-child/${id}`);
};
const types = (client: EventClient) => client.events.map(({ type }) => type);
const within = { timeout: 240_000, interval: 20 };

test('without a session: 401 in our shape', async () => {
  for (const token of [undefined, 'garbage'])
    expect(await app.ask('GET', '/api/events', { token })).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    });
});

test('tells of what happens from now on, in order, with the child as it is', async () => {
  const child = await app.makeChild(family, 'Told');
  const client = await listen(staff);
  expect(client.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  await post(`/api/children/checkin-child/${child._id}`);
  await expect.poll(() => types(client), within).toEqual(['child.checked_in']);
  expect(client.events[0]?.data).toMatchObject({
    type: 'child.checked_in',
    at: new Date(app.clock.now()).toISOString(),
    childId: child._id,
    parentId: family.id,
    child: { name: 'Told', isInside: true, duration: 30 },
  });
  await post(`/api/children/checkout-child/${child._id}`);
  await app.expect(200, 'DELETE', `/api/children/delete-child/${child._id}`, { token: staff });
  await expect
    .poll(() => types(client), within)
    .toEqual(['child.checked_in', 'child.checked_out', 'child.deleted']);
  expect(client.events[2]?.data.child).toBeNull();
  expect(client.comments).toContain('hello');
});

test('pick-ups, extensions and what a family asks at a kiosk reach staff and that family, and no other', async () => {
  const [child, others] = [await app.makeChild(family, 'Fetched'), await app.makeChild(other, 'Unconcerned')];
  const kiosk = await makeKiosk(app);
  const [desk, own, wrong] = [await listen(staff), await listen(family.token), await listen(other.token)];
  await post(`/api/children/checkin-child/${child._id}`);
  const due = (minutes: number) => new Date(app.clock.now() + minutes * 60_000).toISOString();
  const extension = { token: staff, json: { due: due(30), minutes: 30 } };
  await app.expect(200, 'POST', `/api/children/extend-stay/${child._id}`, extension);
  const undo = { token: staff, json: { due: due(60) } };
  await app.expect(200, 'POST', `/api/children/undo-extend-stay/${child._id}`, undo);
  const announcement = { token: family.token, json: { children: [child._id], arrivesAt: due(10) } };
  await app.expect(200, 'POST', '/api/children/on-my-way', announcement);
  await app.expect(200, 'DELETE', `/api/children/${child._id}/on-my-way`, { token: family.token });
  const { visit } = await askFor(app, kiosk, family, [child._id], { kind: 'pick_up' });
  await app.expect(200, 'DELETE', `/api/kiosk/requests/${visit}`, { token: kiosk.token });
  await post(`/api/children/checkout-child/${child._id}`);
  await stay(others._id);
  const happened = [
    'child.checked_in',
    'child.stay_extended',
    'child.stay_extension_undone',
    'child.on_my_way',
    'child.on_my_way_ended',
    'kiosk.updated',
    'child.on_my_way',
    'child.on_my_way_ended',
    'kiosk.updated',
    'child.checked_out',
  ];
  const unconcerned = ['child.checked_in', 'child.checked_out'];
  await expect.poll(() => types(desk), within).toEqual([...happened, ...unconcerned]);
  await expect.poll(() => types(own), within).toEqual(happened);
  await expect.poll(() => types(wrong), within).toEqual(unconcerned);
});

// `npm run bench:events` measures the delay.
test('reaches another desk by the wake-up, without a timer', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const quiet = await startTestApp();
  try {
    const token = await quiet.staff();
    await quiet.app.listen({ port: 0, host: '127.0.0.1' });
    const desk = await openEvents(
      (quiet.app.server.address() as AddressInfo).port,
      (await quiet.makeEmployee()).token,
    );
    const child = await quiet.makeChild(await quiet.makeFamily());
    await quiet.expect(200, 'POST', `/api/children/checkin-child/${child._id}`, { token });
    await expect.poll(() => types(desk), within).toContain('child.checked_in');
    desk.close();
  } finally {
    vi.useRealTimers();
    await quiet.close();
  }
});

test('tells a parent of the own family only, and staff of all', async () => {
  const [mine, theirs] = [await app.makeChild(family), await app.makeChild(other)];
  const [parent, desk] = [await listen(family.token), await listen(staff)];
  await stay(theirs._id);
  await app.expect(200, 'PUT', '/api/settings', { token: staff, json: { recognitionMargin: 0.05 } });
  await app.makeEmployee();
  await app.makeFamily();
  await stay(mine._id);
  await expect.poll(() => types(desk).length, within).toBeGreaterThanOrEqual(7);
  await expect.poll(() => types(parent), within).toEqual(['child.checked_in', 'child.checked_out']);
  expect(new Set(parent.events.map(({ data }) => data.childId))).toEqual(new Set([mine._id]));
  expect(types(desk)).toEqual(
    expect.arrayContaining(['settings.updated', 'admin.created', 'parent.created']),
  );
});

describe('Last-Event-ID', () => {
  test('resumes: nothing is missed, nothing told twice', async () => {
    const child = await app.makeChild(family);
    const first = await listen(staff);
    await post(`/api/children/checkin-child/${child._id}`);
    await expect.poll(() => types(first), within).toEqual(['child.checked_in']);
    first.close();
    await post(`/api/children/checkout-child/${child._id}`);
    await stay(child._id);
    const second = await listen(staff, first.events[0]?.id);
    await expect
      .poll(() => types(second), within)
      .toEqual(['child.checked_out', 'child.checked_in', 'child.checked_out']);
    await stay(child._id);
    await expect.poll(() => types(second).length, within).toBe(5);
    const ids = second.events.map(({ id }) => Number(id));
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });

  test('of a parent never leads to another family’s events', async () => {
    const theirs = await app.makeChild(other);
    await stay(theirs._id);
    const client = await listen(family.token, '0');
    await expect.poll(() => types(client).length, within).toBeGreaterThan(0);
    expect(client.events.every(({ data }) => data.parentId === family.id)).toBe(true);
  });

  test('that was never given starts from now', async () => {
    const child = await app.makeChild(family);
    for (const odd of ['999999999', 'abc', '-5', '', '1e400', '9'.repeat(30)]) {
      const client = await listen(staff, odd);
      await post(`/api/children/checkin-child/${child._id}`);
      await expect.poll(() => types(client), within).toEqual(['child.checked_in']);
      await post(`/api/children/checkout-child/${child._id}`);
      client.close();
    }
  });

  test('catches up with more than one batch', async () => {
    const child = await app.makeChild(family);
    await stay(child._id);
    const before = await listen(staff);
    await stay(child._id);
    await expect.poll(() => types(before).length, within).toBe(2);
    const now = app.clock.now();
    const rows = Array.from({ length: 1200 }, () => ({
      facility_id: 'main',
      at: now,
      type: 'child.updated',
      child_id: child._id,
      parent_id: family.id,
    }));
    for (let i = 0; i < rows.length; i += 200)
      await app.context.db
        .insertInto('events')
        .values(rows.slice(i, i + 200))
        .execute();
    const client = await listen(family.token, before.events[1]?.id);
    await expect.poll(() => client.events.length, { timeout: 240_000, interval: 50 }).toBe(1200);
  });
});

describe('ends within 2 seconds', () => {
  // Compare the stream's own limits; the machine's speed must not decide the result.
  test('by its own timers', () => {
    expect(SESSION_CHECK_MS + END_WITHIN_MS).toBeLessThanOrEqual(2_000);
  });

  async function endsWith(token: string, end: () => Promise<unknown>): Promise<EventClient> {
    const client = await listen(token);
    const bystander = await listen(staff);
    await end();
    await client.ended;
    expect(bystander.isOpen()).toBe(true);
    return client;
  }

  test('of signing out', async () => {
    const token = await app.signIn('parent', family.email, family.password);
    await endsWith(token, () => app.ask('POST', '/api/logout', { token }));
  });

  test('of the account’s deletion, and tells nothing after it', async () => {
    const short = await app.makeFamily();
    const client = await endsWith(short.token, () =>
      app.expect(200, 'DELETE', `/api/parent/delete-parent/${short.id}`, { token: staff }),
    );
    expect(types(client).filter((type) => type !== 'parent.deleted')).toEqual([]);
    const employee = await app.makeEmployee();
    await endsWith(employee.token, () =>
      app.expect(200, 'DELETE', `/api/admin/delete-admin/${employee.id}`, { token: staff }),
    );
  });

  test('of a new password', async () => {
    const fresh = await app.makeFamily();
    await app.expect(200, 'POST', '/vendor/forgot', { json: { email: fresh.email } });
    const { token } = await app.lastMail(fresh.email);
    await endsWith(fresh.token, () =>
      app.expect(200, 'POST', '/vendor/reset', { json: { token, password: 'brand-new' } }),
    );
  });

  test('of the session’s last moment: an open stream keeps no idle employee signed in', async () => {
    const token = await app.signIn('admin', ADMIN_EMAIL, ADMIN_PASSWORD);
    const client = await listen(token);
    app.clock.advance(12 * 3_600_000);
    await client.ended;
    staff = await app.signIn('admin', ADMIN_EMAIL, ADMIN_PASSWORD);
  });
});

test('time_up is told once to each', async () => {
  const child = await app.makeChild(family);
  const [parent, desk] = [await listen(family.token), await listen(staff)];
  await post(`/api/children/checkin-child/${child._id}`);
  app.clock.advance(30 * 60_000);
  await Promise.all([announceTimeUp(app.context), announceTimeUp(app.context)]);
  await announceTimeUp(app.context);
  await post(`/api/children/checkout-child/${child._id}`);
  for (const client of [parent, desk])
    await expect
      .poll(() => types(client), within)
      .toEqual(['child.checked_in', 'child.time_up', 'child.checked_out']);
});

test('what happens between a sign-in and the opening of the stream is told', async () => {
  const child = await app.makeChild(family);
  const position = async (path: string, body: object | null): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: body ? { 'content-type': 'application/json' } : { authorization: `Bearer ${family.token}` },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
    return answer.headers.get(EVENT_POSITION_HEADER) ?? '';
  };
  for (const [path, body] of [
    ['/api/parent/info', null],
    ['/api/parent/get-parent-by-token', null],
    ['/api/parent/get-parent-by-email-and-password', { email: family.email, password: family.password }],
  ] as const) {
    const from = await position(path, body);
    await stay(child._id);
    const late = await listen(family.token, from);
    await expect.poll(() => types(late), within).toEqual(['child.checked_in', 'child.checked_out']);
    late.close();
  }
});

test('a client that goes away is forgotten, one that only asks for the head is not kept', async () => {
  const child = await app.makeChild(family);
  const gone = await listen(staff);
  gone.close();
  await stay(child._id);
  const head = await fetch(`http://127.0.0.1:${port}/api/events`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${staff}` },
    signal: AbortSignal.timeout(60_000),
  });
  expect([200, 404, 405]).toContain(head.status);
});

test('one account has at most 20 streams: one more closes the oldest of its own', async () => {
  const [one, bystander] = [await app.makeFamily(), await listen(family.token)];
  const streams: EventClient[] = [];
  for (let i = 0; i < EVENT_STREAMS_PER_ACCOUNT; i++) streams.push(await listen(one.token));
  const again = await app.signIn('parent', one.email, one.password);
  const newest = await listen(again);
  await streams[0]?.ended;
  for (const stream of [...streams.slice(1), newest, bystander]) expect(stream.isOpen()).toBe(true);
  const child = await app.makeChild(one);
  await expect.poll(() => newest.events.map(({ data }) => data.childId), within).toContain(child._id);
  expect(streams[0]?.events).toEqual([]);
  newest.close();
  expect((await listen(one.token)).isOpen()).toBe(true);
});

test('while the database does not answer, nobody is told anything, and the streams end', async () => {
  const broken = await startTestApp();
  const token = await broken.staff();
  await broken.app.listen({ port: 0, host: '127.0.0.1' });
  const client = await openEvents((broken.app.server.address() as AddressInfo).port, token);
  await sql`drop table sessions`
    .execute(broken.context.db)
    .catch(() => sql`drop table sessions cascade`.execute(broken.context.db));
  await client.ended;
  expect(broken.logLines.some((line) => line.includes('sessions could not be checked'))).toBe(true);
  await broken.close();
});

test('closing the server ends all streams at once', async () => {
  const short = await startTestApp();
  const token = await short.staff();
  await short.app.listen({ port: 0, host: '127.0.0.1' });
  const shortPort = (short.app.server.address() as AddressInfo).port;
  const open = await Promise.all(Array.from({ length: 5 }, () => openEvents(shortPort, token)));
  await short.close();
  await Promise.all(open.map((client) => client.ended));
});

test('a stream whose password ends with a check-in is not told of it, nor of the child that staff add', async () => {
  for (const act of ['adds', 'checks in'] as const) {
    const email = `stranger-${act.replace(' ', '-')}@family.test`;
    const json = { name: 'Mother', email, phone: '01112345678', password: 'chosen-by-whom' };
    const { parent } = await app.expect(201, 'POST', '/api/parent/add', { json });
    const link = (await app.lastMail(email)).token;
    // The owner of the address opens it, on another device than the one that signs in.
    const headers = { 'user-agent': 'Mozilla/5.0' };
    await app.ask('GET', `/api/parent/verify/email/${link}`, { headers });
    const { token } = await app.expect(200, 'POST', loginPath.parent, { json });
    const given = act === 'checks in' && (await addOwnChild(parent._id, token));
    const stranger = await listen(token);
    const desk = await listen(staff);
    if (given) await post(`/api/children/checkin-child/${given}`);
    else await app.makeChild({ id: parent._id }, 'Sara');
    await expect.poll(() => types(desk).length, within).toBeGreaterThan(0);
    await stranger.ended;
    expect(types(stranger)).toEqual([]);
  }
});

async function addOwnChild(parentId: string, token: string): Promise<string> {
  const { child } = await app.expect(201, 'POST', `/api/children/create-child/${parentId}`, {
    token,
    form: { name: 'Sara', photo: fakePhoto() },
  });
  return child._id;
}
