/** The recipients of a danger's steps, depending on who is signed in at the desk, on both databases. */
import { STAFF_SESSION_IDLE_MS } from '@haris/contract/constants';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { IncidentStep } from '../../incident-step.ts';
import { type Employee, makeNationalId, startTestApp, type TestApp } from '../../testing/harness.ts';

const MINUTE = 60_000;

let app: TestApp;
let steps: IncidentStep[];
let first: string;
let employees: Employee[];
let sensor: { id: string; key: string };
beforeEach(async () => {
  steps = [];
  app = await startTestApp({
    receiveStep: async (step) => {
      steps.push(step);
    },
  });
  const token = await app.staff();
  const { admins } = await app.expect(200, 'GET', '/api/admin/get-all-admins', { token });
  first = String(admins[0]?._id);
  employees = [await app.makeEmployee(), await app.makeEmployee()];
  // An unverified address.
  await app.expect(201, 'POST', '/api/admin/create-admin', {
    token,
    json: { name: 'New', email: 'new@haris.test', password: 'password-new', nationalId: makeNationalId() },
  });
  const json = { name: 'Window', area: 'Playroom', kind: 'haris', period: 60 };
  const made = await app.expect(201, 'POST', '/api/sensors', { token, json });
  sensor = { id: made.sensor._id, key: made.deviceKey };
});
afterEach(() => app.close());

async function signOut(...tokens: string[]): Promise<void> {
  for (const token of tokens) await app.expect(204, 'POST', '/api/logout', { token });
}

/** Sends a dangerous reading, and returns the ids of the people whom the newest step notifies. */
async function raise(): Promise<string[]> {
  await app.expect(202, 'POST', `/api/sensors/${sensor.id}/readings`, {
    json: { temperature: 45 },
    headers: { 'x-device-key': sensor.key },
  });
  await app.app.incidents.sweep();
  return newest();
}

const newest = () => (steps.at(-1)?.audience ?? []).map(({ id }) => id).sort();
const ids = (...people: { id: string }[]) => people.map(({ id }) => id).sort();
const everybody = () => ids({ id: first }, ...employees);

test('with nobody signed in at the desk, a danger notifies all staff', async () => {
  await signOut(await app.staff(), ...employees.map(({ token }) => token));
  expect(await raise()).toEqual(everybody());
});

test('a session that has been idle for too long is nobody at the desk', async () => {
  app.clock.advance(STAFF_SESSION_IDLE_MS + 1);
  expect(await raise()).toEqual(everybody());
});

test('the desk is notified first, then all staff, then the administrators', async () => {
  const [atDesk, away] = employees;
  if (!atDesk || !away) throw new Error('no employees');
  await signOut(await app.staff(), away.token);
  expect(await raise()).toEqual(ids(atDesk));
  const afterMinutes = async (minutes: number) => {
    app.clock.advance(minutes * MINUTE);
    await app.app.incidents.sweep();
    return { step: steps.at(-1)?.step, people: newest() };
  };
  expect(await afterMinutes(2)).toEqual({ step: 1, people: everybody() });
  expect(await afterMinutes(3)).toEqual({ step: 2, people: [first] });
});
