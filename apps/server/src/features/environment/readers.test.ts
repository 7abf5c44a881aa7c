/** Who may hold a `/ws` open: staff whose role reads sensors, at their facility, on so many sockets, while it can be checked. */
import type { AddressInfo } from 'node:net';
import { READINGS_NOT_YOURS } from '@haris/contract/live/readings';
import { BUILT_IN_ROLES } from '@haris/contract/permissions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { makeFacility } from '../../testing/at-facility.ts';
import { startTestApp, type TestApp } from '../../testing/harness.ts';

let app: TestApp;
let port: number;
let owner: string;
/** A role like the teacher's that reads no sensors. */
let blind: string;
let elsewhere: string;

beforeAll(async () => {
  app = await startTestApp();
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.app.server.address() as AddressInfo).port;
  owner = await app.staff();
  const permissions = BUILT_IN_ROLES.teacher.filter((one) => one !== 'sensors.view');
  const json = { name: 'Blind', permissions };
  blind = (await app.expect(201, 'POST', '/api/roles', { token: owner, json })).role._id;
  elsewhere = await makeFacility(app, 'Full Moon');
});
afterAll(() => app.close());

async function employee(roleId = 'teacher') {
  const { id, token } = await app.makeEmployee();
  await become(id, roleId);
  return { id, token };
}
const become = (id: string, roleId: string, facilityId = 'main') =>
  app.expect(200, 'PUT', `/api/admin/${id}/roles`, {
    token: owner,
    json: { roles: [{ roleId, facilityId }] },
  });

/** Resolves to `open` or the status of the refusal; `closed` to the code with which the server closes the socket. */
async function open(token: string) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, ['bearer', token]);
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  const answer = await new Promise<number | 'open'>((resolve) => {
    socket.once('open', () => resolve('open'));
    socket.once('unexpected-response', (_request, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
  });
  return { socket, answer, closed };
}

test('a role that reads no sensors opens none', async () => {
  const [teacher, other] = [await open((await employee()).token), await open((await employee(blind)).token)];
  expect([teacher.answer, other.answer]).toEqual(['open', 403]);
  teacher.socket.terminate();
});

test.each([
  ['the role no longer reads sensors', () => ({ role: blind, at: 'main' })],
  ['the role is now one at another facility', () => ({ role: 'teacher', at: elsewhere })],
])('an open one ends when %s', async (_why, next) => {
  const { id, token } = await employee();
  const stays = await open((await employee()).token);
  const { answer, closed } = await open(token);
  expect(answer).toBe('open');
  const { role, at } = next();
  await become(id, role, at);
  expect(await closed).toBe(READINGS_NOT_YOURS);
  expect(stays.socket.readyState).toBe(WebSocket.OPEN);
  stays.socket.terminate();
});

test('the 21st of an account closes its oldest, and nobody else’s', async () => {
  const other = await open((await employee()).token);
  const { token } = await employee();
  const opened = [];
  for (let count = 0; count <= 20; count++) opened.push(await open(token));
  expect(await opened[0]?.closed).toBe(READINGS_NOT_YOURS);
  const left = [...opened.slice(1), other];
  expect(left.every(({ socket }) => socket.readyState === WebSocket.OPEN)).toBe(true);
  for (const { socket } of left) socket.terminate();
});
