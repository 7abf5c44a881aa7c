/**
 * Each socket and stream of the contract by each kind of actor: each role at two facilities, parents, devices and nobody. It
 * opens exactly for whom the contract says, and ends with the session and with the role.
 */
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { sockets, streams } from '@haris/contract/live/sockets';
import { DEVICE_UNPAIRED } from '@haris/contract/live/video';
import {
  BUILT_IN_ROLE_IDS,
  BUILT_IN_ROLES,
  type BuiltInRoleId,
  type Permission,
} from '@haris/contract/permissions';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { MAIN_FACILITY } from '../facility.ts';
import { atFacility, makeFacility, makeInsideAt } from '../testing/at-facility.ts';
import { makeExampleWorld } from '../testing/example-world.ts';
import { type FakeLive, startFakeLive } from '../testing/fake-live.ts';
import { type Employee, type Family, startTestApp, type TestApp } from '../testing/harness.ts';
import { changeSessions } from '../testing/sessions.ts';

const within = { timeout: 60_000, interval: 10 };

type SocketId = keyof typeof sockets;
type PeopleId = Exclude<SocketId, 'deviceCameraSocket'> | keyof typeof streams;

/** Something to ask for, and who may see it. */
interface Example {
  /** Query of the request. */
  readonly query: string;
  /** What staff need for it; null: nothing more than a role there. */
  readonly needs: Permission | null;
  /** How staff without it are refused. */
  readonly lacking: string;
  /** The facility that it belongs to; null: something of each. */
  readonly place: 0 | 1 | null;
  /** What the parent of the family, and another parent, are answered. */
  readonly parents: readonly [own: string, other: string];
}

let live: FakeLive;
let app: TestApp;
let places: readonly [string, string];
let port: number;
let own: Family;
let other: Family;
let people: readonly { readonly roles: Roles; readonly token: string }[];
let examples: Record<PeopleId, readonly Example[]>;
/** Token of a paired camera. */
let camera: string;
/** Tokens that open nothing for people. */
let strangers: Readonly<Record<string, string | undefined>>;

type Roles = readonly [BuiltInRoleId | null, BuiltInRoleId | null];
const WITH_ROLES: readonly Roles[] = [
  ...BUILT_IN_ROLE_IDS.map((role) => [role, null] as const),
  ...BUILT_IN_ROLE_IDS.map((role) => [null, role] as const),
  ['inspector', 'manager'],
  ['owner', 'teacher'],
];

beforeAll(async () => {
  live = await startFakeLive();
  app = await startTestApp({ live });
  const token = await app.staff();
  const gone = await app.makeEmployee();
  await app.expect(200, 'DELETE', `/api/admin/delete-admin/${gone.id}`, { token });
  [own, other] = [await app.makeFamily(), await app.makeFamily()];
  const world = await makeExampleWorld({ app, staff: token, own, gone });
  const limited = await app.makeEmployee();
  await changeSessions(app.context, { factor: 'mail' }, limited.token);
  const second = await makeFacility(app, 'Second');
  places = [MAIN_FACILITY, second];
  const cameras = [await makeCamera(app), await makeCamera(atFacility(app, second))] as const;
  ({ token: camera } = await pairCamera(cameras[0]));
  const children = [
    await makeInsideAt(app, MAIN_FACILITY, own, 'Here'),
    await makeInsideAt(app, second, own, 'There'),
  ] as const;
  strangers = {
    nobody: undefined,
    garbage: 'x'.repeat(43),
    deleted: gone.token,
    'without second factor': limited.token,
    kiosk: world.device,
    desk: await world.pairDesk(),
  };
  people = [];
  for (const roles of WITH_ROLES) {
    const one = await app.makeEmployee();
    await setRoles(one, roles);
    people = [...people, { roles, token: one.token }];
  }
  const everywhere = { query: '', place: null, parents: ['open', 'open'] } as const;
  const videos = ([0, 1] as const).flatMap((place): Example[] => [
    {
      ...{ query: `camera_id=${cameras[place]}`, needs: 'live.watch', lacking: '403 forbidden', place },
      parents: ['403 forbidden', '403 forbidden'],
    },
    {
      ...{ query: `target_id=${children[place]}`, needs: 'live.watch', lacking: '404 not_found', place },
      parents: ['open', '404 not_found'],
    },
  ]);
  examples = {
    readingsSocket: [{ ...everywhere, needs: 'sensors.view', lacking: '403 forbidden' }],
    streamEvents: [{ ...everywhere, needs: null, lacking: '' }],
    liveSocket: videos,
    getVideoFeed: videos,
  };
  for (const id of cameras) {
    await vi.waitFor(() => expect(live.cameras.some((one) => one.id === id)).toBe(true), within);
    live.report(id, { state: 'live' });
    await vi.waitFor(() => expect(app.context.live.report(id)?.state).toBe('live'), within);
  }
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.app.server.address() as AddressInfo).port;
});
afterAll(async () => {
  // `fetch` opens a spare connection and asks nothing on it: Node takes it for a busy one for more than a minute.
  app.app.server.closeAllConnections();
  await app.close();
  await live.stop();
});
beforeEach(() => app.forgetLimits());

async function makeCamera(at: TestApp): Promise<string> {
  const json = { name: 'Room', area: 'Ground floor', kind: 'browser' };
  return (await at.expect(201, 'POST', '/api/cameras', { token: await app.staff(), json })).camera._id;
}
async function pairCamera(id: string) {
  const { code } = await app.expect(201, 'POST', `/api/cameras/${id}/pairing`, { token: await app.staff() });
  return (await app.ask('POST', '/api/cameras/pair', { json: { code } })).body;
}
async function setRoles({ id }: { readonly id: string }, roles: Roles): Promise<void> {
  const json = {
    roles: roles.flatMap((roleId, index) => (roleId === null ? [] : [{ roleId, facilityId: places[index] }])),
  };
  await app.expect(200, 'PUT', `/api/admin/${id}/roles`, { token: await app.staff(), json });
}

/** What became of a request to open: `open`, or the status and code of the refusal. */
interface Opened {
  readonly outcome: string;
  /** Whether the server has ended it. */
  readonly hasEnded: () => boolean;
  readonly close: () => void;
}

const isStream = (id: SocketId | keyof typeof streams): id is keyof typeof streams =>
  Object.hasOwn(streams, id);
const outcomeOf = (status: number, text: string) => `${status} ${/"code":"(\w+)"/.exec(text)?.[1]}`;

async function open(
  id: SocketId | keyof typeof streams,
  token: string | undefined,
  query = '',
  place?: 0 | 1,
): Promise<Opened> {
  const named = place === undefined ? '' : `facility=${places[place]}`;
  const search = `?${[query, named].filter(Boolean).join('&')}`;
  if (isStream(id)) return openStream(`${streams[id].route.path}${search}`, token);
  return openSocket(`${sockets[id].path}${search}`, token === undefined ? [] : [sockets[id].scheme, token]);
}

async function openStream(path: string, token: string | undefined): Promise<Opened> {
  const stop = new AbortController();
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    signal: stop.signal,
  });
  if (answer.status !== 200)
    return { outcome: outcomeOf(answer.status, await answer.text()), hasEnded: () => true, close() {} };
  let ended = false;
  answer.body
    ?.pipeTo(new WritableStream())
    .catch(() => {})
    .finally(() => {
      ended = true;
    });
  return { outcome: 'open', hasEnded: () => ended, close: () => stop.abort() };
}

function openSocket(path: string, protocols: string[]): Promise<Opened> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocols);
  socket.on('error', () => {});
  return new Promise((resolve) => {
    const hasEnded = () => socket.readyState === WebSocket.CLOSED;
    const close = () => socket.terminate();
    socket.once('unexpected-response', (_request, answer) => {
      let text = '';
      answer.on('data', (data) => {
        text += String(data);
      });
      answer.on('end', () =>
        resolve({ outcome: outcomeOf(answer.statusCode ?? 0, text), hasEnded: () => true, close }),
      );
    });
    socket.once('open', () => resolve({ outcome: 'open', hasEnded, close }));
  });
}

/** Opens and closes; returns the outcome. */
async function tryOpen(...asked: Parameters<typeof open>): Promise<string> {
  const { outcome, close } = await open(...asked);
  close();
  return outcome;
}

/** What the contract says of somebody with these roles at a facility. */
function expectedOf(roles: Roles, place: 0 | 1, { needs, lacking, place: of }: Example): string {
  const role = roles[place];
  if (role === null) return '404 unknown_facility';
  if (needs !== null && !BUILT_IN_ROLES[role].includes(needs)) return lacking;
  return of === null || of === place ? 'open' : '404 not_found';
}

const peopleIds = [...Object.values(sockets), ...Object.values(streams).map(({ route }) => route)].flatMap(
  ({ id, access }) => (access === 'camera' ? [] : [id as PeopleId]),
);

test('each socket and stream × each role × two facilities, each parent and each stranger: 0 wrong', async () => {
  const wrong: string[] = [];
  let cells = 0;
  async function check(expected: string, who: string, ...asked: Parameters<typeof open>): Promise<void> {
    cells++;
    const outcome = await tryOpen(...asked);
    if (outcome !== expected)
      wrong.push(`${asked[0]} ${asked[2]} by ${who} at ${asked[3]}: ${outcome}, not ${expected}`);
  }
  for (const id of peopleIds)
    for (const example of examples[id]) {
      await app.forgetLimits();
      for (const place of [0, 1] as const)
        for (const { roles, token } of people)
          await check(expectedOf(roles, place, example), roles.join('/'), id, token, example.query, place);
      for (const [index, { token }] of [own, other].entries())
        for (const place of [undefined, 0, 1] as const)
          await check(example.parents[index as 0 | 1], `parent ${index}`, id, token, example.query, place);
      for (const [who, token] of Object.entries({ ...strangers, camera }))
        for (const place of [undefined, 0, 1] as const)
          await check('401 unauthenticated', who, id, token, example.query, place);
    }
  process.stdout.write(`openings: ${cells} cells, ${wrong.length} wrong\n`);
  expect(wrong).toEqual([]);
  expect(cells).toBeGreaterThan(400);
});

describe('a permission that the contract names', () => {
  test.each(peopleIds)('%s: asks it of each example', (id) => {
    const { permission } = isStream(id)
      ? streams[id].route
      : sockets[id as Exclude<typeof id, keyof typeof streams>];
    if (permission !== 'by-subject') for (const { needs } of examples[id]) expect(needs).toBe(permission);
  });
});

describe('the socket of cameras', () => {
  test('opens for a paired camera, and closes at once for any other token', async () => {
    expect(await tryOpen('deviceCameraSocket', undefined)).toBe('401 unauthenticated');
    const session = await app.staff();
    for (const [who, token] of Object.entries({ ...strangers, session, parent: own.token })) {
      if (token === undefined) continue;
      const socket = new WebSocket(`ws://127.0.0.1:${port}${sockets.deviceCameraSocket.path}`, [
        'device',
        token,
      ]);
      const code = await new Promise((resolve) => socket.once('close', resolve));
      expect(code, who).toBe(DEVICE_UNPAIRED);
      const bearer = await openSocket(sockets.deviceCameraSocket.path, ['bearer', token]);
      expect(bearer.outcome, who).toBe('401 unauthenticated');
    }
    const paired = await open('deviceCameraSocket', camera);
    expect(paired.outcome).toBe('open');
    expect(paired.hasEnded()).toBe(false);
    paired.close();
  });

  test('ends once the camera is paired again', async () => {
    const id = await makeCamera(app);
    const { token } = await pairCamera(id);
    const paired = await open('deviceCameraSocket', token);
    expect(paired.outcome).toBe('open');
    await pairCamera(id);
    await expect.poll(paired.hasEnded, within).toBe(true);
  });
});

describe.each(peopleIds)('an open %s', (id) => {
  const query = () => examples[id][0]?.query ?? '';
  const start = async (one: Employee) => {
    await setRoles(one, ['manager', null]);
    const opened = await open(id, one.token, query(), 0);
    expect(opened.outcome).toBe('open');
    return opened;
  };

  test('ends with its session, and another stays', async () => {
    const [leaving, staying] = [await app.makeEmployee(), await app.makeEmployee()];
    const opened = { leaving: await start(leaving), staying: await start(staying) };
    await app.expect(204, 'POST', '/api/logout', { token: leaving.token });
    await expect.poll(opened.leaving.hasEnded, within).toBe(true);
    expect(opened.staying.hasEnded()).toBe(false);
    opened.staying.close();
  });

  test('ends with the role at its facility', async () => {
    const one = await app.makeEmployee();
    const opened = await start(one);
    await setRoles(one, [null, 'manager']);
    await expect.poll(opened.hasEnded, within).toBe(true);
  });

  // Of the events each needs a permission of its own (features/events).
  if (id !== 'streamEvents')
    test('ends with the permission that it needs', async () => {
      const one = await app.makeEmployee();
      const opened = await start(one);
      const json = { name: `Little ${randomUUID()}`, permissions: ['reports.view'] };
      const { role } = await app.expect(201, 'POST', '/api/roles', { token: await app.staff(), json });
      const roles = [{ roleId: role._id, facilityId: places[0] }];
      const url = `/api/admin/${one.id}/roles`;
      await app.expect(200, 'PUT', url, { token: await app.staff(), json: { roles } });
      await expect.poll(opened.hasEnded, within).toBe(true);
    });
});
