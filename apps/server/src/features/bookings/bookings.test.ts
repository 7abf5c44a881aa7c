/** Bookings, absences, "Expected, not here" and late pick-ups (decision 051). */

import { weekdayOf } from '@haris/contract/bookings';
import { ABSENCE_CHANGES_PER_HOUR } from '@haris/contract/constants';
import type { AttendanceEntry } from '@haris/contract/http/reports';
import { localDay, nextDay } from '@haris/contract/zone-time';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { atFacility, makeFacility } from '../../testing/at-facility.ts';
import { bookEveryDay, everyDay } from '../../testing/bookings.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';

const MINUTE = 60_000;
const ZONE = 'Africa/Cairo';

let app: TestApp;
let staff: string;
let family: Family;
let other: Family;
beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  [family, other] = [await app.makeFamily(), await app.makeFamily()];
  await app.expect(200, 'PUT', '/api/settings', { token: staff, json: { timeZone: ZONE } });
});
afterAll(() => app.close());
beforeEach(() => app.forgetLimits());
afterEach(async () => {
  for (const table of ['booking_patterns', 'booking_exceptions', 'booking_arrivals', 'absences'] as const)
    await app.context.db.deleteFrom(table).execute();
  await app.app.incidents.sweep();
});

const today = () => localDay(app.clock.now(), ZONE);
const iso = (at: number) => new Date(at).toISOString();
/** A local time of today as `HH:MM`, some minutes from now. */
const timeIn = (minutes: number) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, hour: '2-digit', minute: '2-digit' }).format(
    app.clock.now() + minutes * MINUTE,
  );
const url = (id: string, rest: string) => `/api/children/${id}/${rest}`;
const child = async (owner = family) => (await app.makeChild(owner))._id;
/** A child whose booking begins in some minutes and lasts until the evening. */
async function childBookedIn(minutes: number, owner = family): Promise<string> {
  const id = await child(owner);
  await bookEveryDay(app, staff, id, { from: timeIn(minutes), to: '23:30' });
  return id;
}
const checkIn = (id: string) =>
  app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: staff });
const checkOut = (id: string) =>
  app.expect(200, 'POST', `/api/children/checkout-child/${id}`, { token: staff });
const bookingsOf = async (id: string, token = staff) =>
  (await app.expect(200, 'GET', url(id, 'bookings'), { token })).bookings;
const report = (id: string, json: object = {}, token = family.token) =>
  app.ask('POST', url(id, 'absences'), {
    token,
    json: { from: today(), to: today(), reason: 'illness', ...json },
  });
const arrive = (id: string, arrivesAt: number, token = family.token) =>
  app.ask('PUT', url(id, 'arrival'), { token, json: { arrivesAt: iso(arrivesAt) } });
const expectedOf = async (id: string) => {
  const { expected } = await app.expect(200, 'GET', '/api/bookings/today', { token: staff });
  return expected.find((one) => one.child._id === id);
};
async function pass(minutes: number): Promise<void> {
  app.clock.advance(minutes * MINUTE);
  await app.app.incidents.sweep();
}
/** Open questions to a family, and the children in the desk's open alerts. */
const questions = async (owner = family) =>
  (await app.expect(200, 'GET', '/api/incidents?state=open', { token: owner.token })).incidents
    .filter(({ kind }) => kind === 'expected_not_here')
    .map(({ subject }) => subject?._id);
const alerts = async () =>
  (await app.expect(200, 'GET', '/api/incidents?state=open', { token: staff })).incidents
    .filter(({ kind }) => kind === 'expected_not_here')
    .flatMap(({ subjects }) => subjects.filter(({ until }) => until === null).map(({ _id }) => _id));

describe('the weekly pattern', () => {
  test('staff set it from a day on; the family reads it; it is an event and in the audit log', async () => {
    const id = await child();
    const later = nextDay(nextDay(today()));
    const json = { validFrom: later, week: { ...everyDay('08:00', '14:00'), friday: null } };
    const { bookings } = await app.expect(200, 'PUT', url(id, 'bookings'), { token: staff, json });
    expect(bookings).toMatchObject([{ childId: id, today: today(), patterns: [json], presence: 'none' }]);
    const [seen] = await bookingsOf(id, family.token);
    expect(seen?.days[0]).toMatchObject({ state: 'none' });
    const booked = seen?.days.find(({ date }) => date === later);
    expect(booked).toMatchObject({ state: 'booked', from: '08:00', to: '14:00' });
    const friday = seen?.days.find(({ date }) => date >= later && new Date(date).getUTCDay() === 5);
    expect(friday).toMatchObject({ state: 'none' });
    const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${id}`, { token: staff });
    expect(entries[0]).toMatchObject({ action: 'booking.set', details: { validFrom: later, days: 6 } });
    const own = await app.expect(200, 'GET', '/api/bookings', { token: family.token });
    expect(own.bookings.map(({ childId }) => childId)).toContain(id);
    expect((await app.expect(200, 'GET', '/api/bookings', { token: other.token })).bookings).toEqual([]);
  });

  test('a later one takes over on its day, and can be removed; the past cannot be changed', async () => {
    const id = await child();
    await bookEveryDay(app, staff, id, { from: '08:00', to: '14:00' });
    const tomorrow = nextDay(today());
    const json = { validFrom: tomorrow, week: everyDay('10:00', '12:00') };
    const both = await app.expect(200, 'PUT', url(id, 'bookings'), { token: staff, json });
    expect(both.bookings[0]?.days.slice(0, 2).map(({ from }) => from)).toEqual(['08:00', '10:00']);
    const gone = url(id, `bookings/${tomorrow}`);
    const { bookings } = await app.expect(200, 'DELETE', gone, { token: staff });
    expect(bookings[0]?.days[1]).toMatchObject({ from: '08:00' });
    expect((await app.ask('DELETE', gone, { token: staff })).status).toBe(404);
    const past = { ...json, validFrom: '2026-01-01' };
    expect(await app.ask('PUT', url(id, 'bookings'), { token: staff, json: past })).toMatchObject({
      status: 400,
      body: { fields: { validFrom: expect.any(String) } },
    });
  });

  test('a day has other times, or none, and gets the usual ones back', async () => {
    const id = await child();
    await bookEveryDay(app, staff, id, { from: '08:00', to: '14:00' });
    const day = nextDay(today());
    const set = (times: unknown, date = day) =>
      app.ask('PUT', url(id, `bookings/days/${date}`), { token: staff, json: { times } });
    expect((await set({ from: '09:00', to: '10:00' })).body.bookings[0]?.days[1]).toMatchObject({
      from: '09:00',
      isException: true,
    });
    expect((await set(null)).body.bookings[0]?.days[1]).toMatchObject({ state: 'none' });
    for (const [times, field] of [
      [{ from: '10:00', to: '09:00' }, 'times.to'],
      [{ from: 'ten', to: '11:00' }, 'times.from'],
    ] as const)
      expect((await set(times)).body).toMatchObject({ fields: { [field]: expect.any(String) } });
    for (const date of ['2026-01-01', '2026-02-30', 'someday'])
      expect((await set(null, date)).body, date).toMatchObject({ fields: { day: expect.any(String) } });
    const { bookings } = await app.expect(200, 'DELETE', url(id, `bookings/days/${day}`), { token: staff });
    expect(bookings[0]?.days[1]).toMatchObject({ from: '08:00', isException: false });
  });

  test('another family, a parent who edits, nobody', async () => {
    const id = await child();
    const body = { validFrom: today(), week: everyDay('08:00', '14:00') };
    expect((await app.ask('GET', url(id, 'bookings'), { token: other.token })).status).toBe(404);
    expect((await app.ask('GET', url(id, 'bookings'))).status).toBe(401);
    expect((await app.ask('PUT', url(id, 'bookings'), { token: family.token, json: body })).status).toBe(403);
    expect((await app.ask('GET', '/api/bookings/today', { token: family.token })).status).toBe(403);
    expect((await report(id, {}, other.token)).status).toBe(404);
    expect((await arrive(id, app.clock.now(), other.token)).status).toBe(404);
  });
});

describe('absences', () => {
  test('a parent reports one and withdraws it; staff see the reason, the table does not', async () => {
    const id = await childBookedIn(60);
    const made = await report(id, { to: nextDay(today()), note: '  Chickenpox ' });
    const absence = { reason: 'illness', note: 'Chickenpox', reportedBy: 'family' };
    expect(made).toMatchObject({ status: 201, body: { absence } });
    expect(await expectedOf(id)).toMatchObject({ presence: 'absent', day: { absence } });
    const rows = await app.context.db.selectFrom('absences').selectAll().execute();
    expect(Buffer.from(rows[0]?.sealed ?? []).toString('latin1')).not.toMatch(/Chickenpox|illness/);
    expect((await report(id, { to: nextDay(today()), note: 'Chickenpox' })).body.absence._id).toBe(
      made.body.absence._id,
    );
    const gone = url(id, `absences/${made.body.absence._id}`);
    expect((await app.ask('DELETE', gone, { token: other.token })).status).toBe(404);
    const { bookings } = await app.expect(200, 'DELETE', gone, { token: family.token });
    expect(bookings[0]).toMatchObject({ absences: [], presence: 'expected' });
    expect((await app.ask('DELETE', gone, { token: family.token })).status).toBe(404);
    const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${id}`, { token: staff });
    expect(entries.slice(0, 2).map(({ action }) => action)).toEqual([
      'absence.withdrawn',
      'absence.reported',
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/illness|Chickenpox/);
  });

  test('what cannot be an absence is refused by field', async () => {
    const id = await child();
    for (const [json, field] of [
      [{ from: '2026-02-30' }, 'from'],
      [{ from: nextDay(today()) }, 'to'],
      [{ from: '2026-01-01', to: '2026-01-02' }, 'to'],
      [{ to: '2028-12-31' }, 'to'],
      [{ reason: 'tired' }, 'reason'],
      [{ note: 'x'.repeat(201) }, 'note'],
    ] as const)
      expect((await report(id, json)).body, JSON.stringify(json)).toMatchObject({
        fields: { [field]: expect.any(String) },
      });
  });

  test('50 at a time, and 30 changes an hour for a parent; staff are not counted', async () => {
    const id = await child();
    let day = nextDay(today());
    const next = async (token: string) => {
      day = nextDay(day);
      return (await report(id, { from: day, to: day }, token)).status;
    };
    for (let n = 0; n < ABSENCE_CHANGES_PER_HOUR; n++) expect(await next(family.token)).toBe(201);
    expect(await next(family.token)).toBe(429);
    for (let n = ABSENCE_CHANGES_PER_HOUR; n < 50; n++) expect(await next(staff)).toBe(201);
    day = nextDay(day);
    expect(await report(id, { from: day, to: day }, staff)).toMatchObject({
      status: 409,
      body: { code: 'too_many_absences' },
    });
  });

  test('a child of two facilities is absent at both by its family, at one by its staff', async () => {
    const place = await makeFacility(app, 'Second house');
    const there = atFacility(app, place);
    const third = await app.makeFamily();
    const id = await child(third);
    await app.expect(200, 'POST', url(id, 'facilities'), { token: staff, json: { facilityId: place } });
    const made = await report(id, {}, third.token);
    const { bookings } = made.body;
    expect(bookings.map(({ facility, absences }) => [facility._id, absences.length])).toEqual([
      ['main', 1],
      [place, 1],
    ]);
    const gone = url(id, `absences/${made.body.absence._id}`);
    await there.expect(200, 'DELETE', gone, { token: staff });
    expect((await bookingsOf(id, third.token)).map(({ absences }) => absences.length)).toEqual([1, 0]);
    expect((await bookingsOf(id)).length).toBe(1);
    await bookEveryDay(there, staff, id);
    await app.expect(200, 'DELETE', url(id, `facilities/${place}`), { token: staff });
    const left = await app.context.db.selectFrom('booking_patterns').select('facility_id').execute();
    expect(left.map((row) => row.facility_id)).not.toContain(place);
    await app.context.db.deleteFrom('facilities').where('id', '=', place).execute();
  });
});

describe('expected, not here', () => {
  test('after 15 minutes the family is asked once, 15 minutes later the desk is told; the check-in ends both', async () => {
    const id = await childBookedIn(10);
    await pass(24);
    expect(await questions()).toEqual([]);
    expect(await expectedOf(id)).toMatchObject({ presence: 'expected' });
    await pass(1);
    expect(await questions()).toEqual([id]);
    expect(await expectedOf(id)).toMatchObject({ presence: 'late' });
    expect(await alerts()).toEqual([]);
    await pass(14);
    expect(await alerts()).toEqual([]);
    await pass(1);
    expect(await alerts()).toEqual([id]);
    expect(await expectedOf(id)).toMatchObject({ presence: 'missing' });
    await checkIn(id);
    await pass(0);
    expect([await questions(), await alerts()]).toEqual([[], []]);
    await checkOut(id);
    await pass(5);
    expect(await expectedOf(id)).toMatchObject({ presence: 'left' });
    expect(await alerts()).toEqual([]);
  });

  test('an answer ends it: coming later asks again 15 minutes after that, absent today never', async () => {
    const id = await childBookedIn(0);
    await pass(30);
    await pass(15);
    expect([await questions(), await alerts()]).toEqual([[id], [id]]);
    expect((await arrive(id, app.clock.now() + 20 * MINUTE)).status).toBe(200);
    await pass(0);
    expect([await questions(), await alerts()]).toEqual([[], []]);
    await pass(34);
    expect(await questions()).toEqual([]);
    await pass(1);
    expect(await questions()).toEqual([id]);
    expect((await report(id)).status).toBe(201);
    await pass(0);
    expect(await questions()).toEqual([]);
    await pass(60);
    expect([await questions(), await alerts()]).toEqual([[], []]);
  });

  test('a withdrawn absence counts as coming now; what is not expected cannot come later', async () => {
    const id = await childBookedIn(0);
    const { body } = await report(id);
    await pass(60);
    expect((await arrive(id, app.clock.now())).body).toMatchObject({ code: 'not_expected' });
    await app.expect(200, 'DELETE', url(id, `absences/${body.absence._id}`), { token: family.token });
    await pass(14);
    expect(await questions()).toEqual([]);
    await pass(1);
    expect(await questions()).toEqual([id]);
    for (const at of [app.clock.now() - 6 * MINUTE, app.clock.now() + 24 * 60 * MINUTE])
      expect((await arrive(id, at)).body).toMatchObject({ fields: { arrivesAt: expect.any(String) } });
    await checkIn(id);
    expect((await arrive(id, app.clock.now())).body).toMatchObject({ code: 'already_inside' });
    await pass(0);
  });

  test('a week or a day that is saved again with the same times for today asks nobody anew', async () => {
    const times = { from: timeIn(0), to: '23:30' };
    const id = await child();
    await bookEveryDay(app, staff, id, times);
    await pass(30);
    await pass(15);
    expect([await questions(), await alerts()]).toEqual([[id], [id]]);
    const tomorrow = weekdayOf(nextDay(today()));
    const week = { ...everyDay(times.from, times.to), [tomorrow]: null };
    const asks = [
      ['bookings', { validFrom: today(), week }],
      [`bookings/days/${today()}`, { times }],
    ] as const;
    for (const [rest, json] of asks) {
      await app.expect(200, 'PUT', url(id, rest), { token: staff, json });
      await pass(0);
      expect([await questions(), await alerts()]).toEqual([[id], [id]]);
    }
    // Other times are another question.
    const later = { times: { ...times, from: timeIn(0) } };
    await app.expect(200, 'PUT', url(id, `bookings/days/${today()}`), { token: staff, json: later });
    await pass(0);
    expect([await questions(), await alerts()]).toEqual([[], []]);
    await report(id);
  });

  test('a server that was down asks first, and tells the desk 15 minutes after that', async () => {
    const id = await childBookedIn(0);
    await pass(120);
    expect([await questions(), await alerts()]).toEqual([[id], []]);
    await pass(15);
    expect(await alerts()).toEqual([id]);
    await report(id);
    await pass(0);
  });

  test('a holiday, a closed weekday and the end of the booking end it; without a pattern there is nothing', async () => {
    const id = await childBookedIn(0);
    const none = await child();
    await pass(20);
    expect(await questions()).toEqual([id]);
    const put = (json: object) => app.expect(200, 'PUT', '/api/settings', { token: staff, json });
    await put({ holidays: [{ from: today(), to: today(), name: 'Feast' }] });
    await pass(1);
    expect(await questions()).toEqual([]);
    expect(await expectedOf(id)).toBeUndefined();
    expect((await bookingsOf(id))[0]?.days[0]).toMatchObject({ state: 'closed', holiday: 'Feast' });
    await put({ holidays: [] });
    await pass(1);
    expect(await questions()).toEqual([id]);
    expect(await expectedOf(none)).toBeUndefined();
    await app.expect(200, 'PUT', url(id, `bookings/days/${today()}`), {
      token: staff,
      json: { times: { from: '00:00', to: timeIn(1) } },
    });
    await pass(1);
    expect(await questions()).toEqual([]);
    expect(await expectedOf(id)).toMatchObject({ presence: 'over' });
  });

  test('a parent sees only the own question, and it is no notification when it ends', async () => {
    const id = await childBookedIn(0, other);
    await pass(15);
    expect([await questions(), await questions(other)]).toEqual([[], [id]]);
    await report(id, {}, other.token);
    await pass(0);
    const steps = await app.context.db
      .selectFrom('notification_deliveries')
      .select(['account_id', 'phase'])
      .where('kind', '=', 'expected_not_here')
      .where('account_id', '=', other.id)
      .execute();
    expect(steps.every(({ phase }) => phase === 'raised')).toBe(true);
  });
});

test('late pick-up: minutes after the booked end, or after the due end without a booking', async () => {
  const booked = await child();
  const free = await child();
  await bookEveryDay(app, staff, booked, { from: '00:00', to: timeIn(20) });
  await Promise.all([checkIn(booked), checkIn(free)]);
  app.clock.advance(47.5 * MINUTE);
  await checkOut(booked);
  await checkOut(free);
  const report = await app.expect(200, 'GET', '/api/reports/attendance?limit=200', { token: staff });
  const entries = report.entries as unknown as readonly AttendanceEntry[];
  const of = (id: string) => entries.filter((entry) => entry.child._id === id);
  expect(of(booked)).toMatchObject([{ minutesLate: 27, minutesOver: 17, bookedUntil: expect.any(String) }]);
  expect(of(free)).toMatchObject([{ minutesLate: 17, minutesOver: 17, bookedUntil: null }]);
  const { totals } = await app.expect(200, 'GET', '/api/reports/attendance/totals', { token: staff });
  expect(totals.find((one) => one.child._id === booked)).toMatchObject({ minutesLate: 27 });
  await app.proveNow(staff);
  const csv = await app.ask('GET', '/api/reports/attendance.csv', { token: staff });
  expect(csv.bytes.toString('utf8')).toContain('Late pick-up (min)');
});
