/** Ends of a stay besides the periods: a time of day, the closing, the end of the booking; each only where the facility offers it. */

import type { StayEnd } from '@haris/contract/fields';
import { facilityRoutes } from '@haris/contract/http/facilities';
import { WEEKDAYS } from '@haris/contract/opening-hours';
import { localDay, momentAt, nextDay } from '@haris/contract/zone-time';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { atFacility, makeFacility } from '../../testing/at-facility.ts';
import { bookEveryDay } from '../../testing/bookings.ts';
import { type Ask, type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { askFor, makeKiosk } from '../../testing/kiosks.ts';
import { announceTimeUp } from './service.ts';

const MINUTE = 60_000;
const ZONE = 'Africa/Cairo';

let app: TestApp;
let staff: string;
let family: Family;
beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  family = await app.makeFamily();
});
afterAll(() => app.close());

const settings = (json: object) => app.expect(200, 'PUT', '/api/settings', { token: staff, json });
const open = (from: string, to: string) => Object.fromEntries(WEEKDAYS.map((day) => [day, [{ from, to }]]));
const checkIn = (id: string, end: unknown, ask: Ask = {}) =>
  app.ask('POST', `/api/children/checkin-child/${id}`, { token: staff, json: { end }, ...ask });
const iso = (at: number) => new Date(at).toISOString();
const makeChild = async () => (await app.makeChild(family))._id;
/** When the stay of a child inside ends. */
const endOf = ({ entryTime, duration }: { entryTime: string | null; duration: number | null }) =>
  Date.parse(entryTime ?? '') + (duration ?? 0) * MINUTE;

describe('at ten in the morning, a nursery that is open from half past seven to four', () => {
  let closing: number;
  beforeAll(async () => {
    closing = momentAt(localDay(app.clock.now(), ZONE), '16:00', ZONE, 'last');
    await settings({ timeZone: ZONE, openingHours: open('07:30', '16:00'), holidays: [] });
  });
  beforeEach(() => settings({ stayEnds: ['until', 'closing', 'booking'] }));

  test.each([
    { kind: 'closing' },
    { kind: 'booking' },
    { kind: 'until', at: '2026-11-20T12:00:00Z' },
  ] satisfies StayEnd[])('a fresh installation offers only the periods: $kind is refused', async (end) => {
    const id = await makeChild();
    await bookEveryDay(app, staff, id);
    await settings({ stayEnds: [] });
    expect(await checkIn(id, end)).toMatchObject({ status: 409, body: { code: 'stay_end_unavailable' } });
    const { child } = await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: staff });
    expect(child.duration).toBe(30);
  });

  test('until closing; the audit log says so, and a repeated call gets the same answer', async () => {
    const id = await makeChild();
    // Between two minutes: the stay is rounded up.
    app.clock.advance(1);
    const headers = { 'idempotency-key': `closing-${id}` };
    const { status, body, bytes } = await checkIn(id, { kind: 'closing' }, { headers });
    expect(status).toBe(200);
    expect(endOf(body.child) - closing).toBeGreaterThanOrEqual(0);
    expect(endOf(body.child) - closing).toBeLessThan(MINUTE);
    expect((await checkIn(id, { kind: 'closing' }, { headers })).bytes.equals(bytes)).toBe(true);
    expect(await checkIn(id, { kind: 'booking' }, { headers })).toMatchObject({
      status: 409,
      body: { code: 'idempotency_key_reused' },
    });
    const { entries } = await app.expect(200, 'GET', '/api/audit?limit=20', { token: staff });
    const entry = entries.find(({ action, subject }) => action === 'child.checked_in' && subject?.id === id);
    expect(entry).toMatchObject({ details: { minutes: body.child.duration, until: 'closing' } });
  });

  test('as booked, also if the family had reported an absence; not without a booking, nor once it is over', async () => {
    const id = await makeChild();
    expect(await checkIn(id, { kind: 'booking' })).toMatchObject({ body: { code: 'stay_end_unavailable' } });
    await bookEveryDay(app, staff, id, { from: '08:00', to: '14:00' });
    const today = localDay(app.clock.now(), ZONE);
    await app.expect(201, 'POST', `/api/children/${id}/absences`, {
      token: staff,
      json: { from: today, to: today, reason: 'illness' },
    });
    const { body } = await checkIn(id, { kind: 'booking' });
    const booked = momentAt(today, '14:00', ZONE, 'last');
    expect(endOf(body.child) - booked).toBeGreaterThanOrEqual(0);
    expect(endOf(body.child) - booked).toBeLessThan(MINUTE);

    const past = await makeChild();
    await bookEveryDay(app, staff, past, { from: '06:00', to: '09:00' });
    expect(await checkIn(past, { kind: 'booking' })).toMatchObject({
      body: { code: 'stay_end_unavailable' },
    });
  });

  test('until a time of the next 24 hours; what is not a time, or no end at all, is 400', async () => {
    const now = app.clock.now();
    for (const at of [iso(now), iso(now - MINUTE), iso(now + 24 * 60 * MINUTE + 1)])
      expect(await checkIn(await makeChild(), { kind: 'until', at })).toMatchObject({
        status: 409,
        body: { code: 'unsuitable_end' },
      });
    for (const end of [{ kind: 'until', at: 'noon' }, { kind: 'until' }, { kind: 'never' }, 'closing', 60])
      expect(await checkIn(await makeChild(), end)).toMatchObject({ status: 400 });
    const id = await makeChild();
    const { body } = await checkIn(id, { kind: 'until', at: iso(now + 90.5 * MINUTE) });
    expect(body.child.duration).toBe(91);
  });

  test('the setting names each end once', async () => {
    for (const stayEnds of [
      ['until', 'until'],
      ['closing', 'until', 'closing'],
    ])
      expect(await app.ask('PUT', '/api/settings', { token: staff, json: { stayEnds } })).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', fields: { stayEnds: 'must name each end once' } },
      });
    const kept = (await app.expect(200, 'GET', '/api/settings', { token: staff })).settings;
    expect(kept.stayEnds).toEqual(['until', 'closing', 'booking']);
  });

  test('families read what is offered with the opening hours, and cannot check in', async () => {
    const answer = await app.expect(200, 'GET', '/api/facilities/hours', { token: family.token });
    const { facilities } = facilityRoutes.listOpeningHours.answer.parse(answer);
    expect(facilities).toMatchObject([{ stayEnds: ['until', 'closing', 'booking'] }]);
    const id = await makeChild();
    expect((await checkIn(id, { kind: 'closing' }, { token: family.token })).status).toBe(403);
    const url = `/api/children/checkin-child/${id}`;
    expect((await app.ask('POST', url, { json: { end: { kind: 'closing' } } })).status).toBe(401);
  });

  test('another facility offers its own ends, by its own hours and bookings', async () => {
    const id = (await app.makeChild(await app.makeFamily()))._id;
    const other = await makeFacility(app, 'Garden');
    await bookEveryDay(app, staff, id, { from: '08:00', to: '14:00' });
    await app.expect(200, 'POST', `/api/children/${id}/facilities`, {
      token: staff,
      json: { facilityId: other },
    });
    const there = atFacility(app, other);
    const enter = (end: StayEnd) =>
      there.ask('POST', `/api/children/checkin-child/${id}`, { token: staff, json: { end } });
    await there.expect(200, 'PUT', '/api/settings', {
      token: staff,
      json: { stayEnds: [], openingHours: null },
    });
    expect(await enter({ kind: 'closing' })).toMatchObject({ body: { code: 'stay_end_unavailable' } });
    await there.expect(200, 'PUT', '/api/settings', {
      token: staff,
      json: { stayEnds: ['closing', 'booking'] },
    });
    // Neither the hours nor the booking of the first facility count here.
    for (const kind of ['closing', 'booking'] as const)
      expect(await enter({ kind })).toMatchObject({ body: { code: 'stay_end_unavailable' } });
    expect((await checkIn(id, { kind: 'booking' })).status).toBe(200);
  });

  test('what is usual is the chosen end, also of a stay that lasts as long as a period', async () => {
    const usualAfter = async (json: object) => {
      const id = await makeChild();
      await bookEveryDay(app, staff, id, { from: '08:00', to: '14:00' });
      const url = `/api/children/checkin-child/${id}`;
      const { child } = await app.expect(200, 'POST', url, { token: staff, json });
      const sheet = await app.expect(200, 'GET', `/api/children/get-child/${id}`, { token: staff });
      const { minutes, end } = sheet.usual;
      return [child.duration, minutes, end];
    };
    const two = momentAt(localDay(app.clock.now(), ZONE), '14:00', ZONE, 'last');
    await settings({ openingHours: open('07:30', '14:00') });
    expect(await usualAfter({ end: { kind: 'closing' } })).toEqual([240, null, { kind: 'closing' }]);
    await settings({ openingHours: open('07:30', '16:00') });
    expect(await usualAfter({ end: { kind: 'booking' } })).toEqual([240, null, { kind: 'booking' }]);
    const until = { kind: 'until', at: iso(two) };
    expect(await usualAfter({ end: until })).toEqual([240, null, until]);
    expect(await usualAfter({ durationInMinutes: 240 })).toEqual([240, 240, undefined]);
  });

  test('what a family asked for at a kiosk is accepted until an end that the facility offers', async () => {
    const kiosk = await makeKiosk(app);
    const id = await makeChild();
    const { visit } = await askFor(app, kiosk, family, [id], { durationInMinutes: 60 });
    const { requests } = await app.expect(200, 'GET', '/api/kiosk-requests', { token: staff });
    const url = `/api/kiosk-requests/${requests.find((one) => one.visit === visit)?._id}/accept`;
    const accept = (end: unknown, ask: Ask = {}) =>
      app.ask('POST', url, { token: staff, json: { end }, ...ask });
    expect((await app.ask('POST', url, { json: { end: { kind: 'closing' } } })).status).toBe(401);
    expect((await accept({ kind: 'closing' }, { token: family.token })).status).toBe(403);
    expect((await accept({ kind: 'never' })).status).toBe(400);
    expect(await accept({ kind: 'booking' })).toMatchObject({
      status: 409,
      body: { code: 'stay_end_unavailable' },
    });
    const { status, body } = await accept({ kind: 'closing' });
    expect(status).toBe(200);
    expect(endOf(body.child) - closing).toBeGreaterThanOrEqual(0);
    expect(endOf(body.child) - closing).toBeLessThan(MINUTE);
    const sheet = await app.expect(200, 'GET', `/api/children/get-child/${id}`, { token: staff });
    expect(sheet.usual).toMatchObject({ minutes: null, end: { kind: 'closing' } });
  });

  test('a child inside is said to be inside, whatever the end', async () => {
    const id = await makeChild();
    await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: staff });
    expect(await checkIn(id, { kind: 'booking' })).toMatchObject({ body: { code: 'already_inside' } });
  });

  test('after closing there is no closing', async () => {
    app.clock.advance(closing - app.clock.now());
    expect(await checkIn(await makeChild(), { kind: 'closing' })).toMatchObject({
      body: { code: 'stay_end_unavailable' },
    });
  });
});

test('a year of nights with clock changes: each stay until closing is over at closing, and not before', async () => {
  const night = [
    { from: '00:00', to: '06:00' },
    { from: '20:00', to: '24:00' },
  ];
  const openingHours = Object.fromEntries(WEEKDAYS.map((day) => [day, night]));
  await settings({ timeZone: ZONE, openingHours, holidays: [], stayEnds: ['closing'] });
  const id = await makeChild();
  const announced = async () =>
    (
      await app.context.db
        .selectFrom('audit_log')
        .select('seq')
        .where('action', '=', 'child.time_up')
        .where('subject_id', '=', id)
        .execute()
    ).length;
  let day = nextDay(localDay(app.clock.now(), ZONE));
  const lengths = new Set<number>();
  for (let nights = 0; nights < 365; nights++, day = nextDay(day)) {
    const from = momentAt(day, '20:00', ZONE, 'first') + nights * 37_000;
    app.clock.advance(from - app.clock.now());
    app.forgetLimits();
    const token = await app.staff();
    const { status, body } = await checkIn(id, { kind: 'closing' }, { token });
    expect(status).toBe(200);
    const end = momentAt(nextDay(day), '06:00', ZONE, 'last');
    lengths.add(Math.round((end - momentAt(day, '20:00', ZONE, 'first')) / (60 * MINUTE)));
    app.clock.advance(end - 1 - app.clock.now());
    await announceTimeUp(app.context);
    expect([day, await announced()]).toEqual([day, nights]);
    app.clock.advance(endOf(body.child) - app.clock.now());
    await announceTimeUp(app.context);
    expect([day, await announced(), app.clock.now() - end < MINUTE]).toEqual([day, nights + 1, true]);
    await app.expect(200, 'POST', `/api/children/checkout-child/${id}`, { token });
  }
  // Ten hours, and those of the two nights in which the clocks change.
  expect([...lengths].sort((a, b) => a - b)).toEqual([9, 10, 11]);
});
