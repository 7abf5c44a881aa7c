/** Opening hours and holidays: who sets them, what is refused, and which families and staff see which. */
import { FACILITY_HEADER } from '@haris/contract/constants';
import { type FacilityHours, facilityRoutes } from '@haris/contract/http/facilities';
import type { OpeningHours } from '@haris/contract/opening-hours';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { atFacility, makeFacility } from '../../testing/at-facility.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';

const day = [{ from: '07:30', to: '16:00' }];
const week: OpeningHours = {
  sunday: day,
  monday: day,
  tuesday: day,
  wednesday: day,
  thursday: [
    { from: '07:30', to: '12:00' },
    { from: '13:00', to: '24:00' },
  ],
  friday: [],
  saturday: [],
};
const holiday = (from: string, to: string, name: string) => ({ from, to, name });

let app: TestApp;
let there: TestApp;
let owner: string;
let elsewhere: string;
let family: Family;
let stranger: Family;
beforeAll(async () => {
  app = await startTestApp({ config: { TIME_ZONE: 'Africa/Cairo' } });
  owner = await app.staff();
  family = await app.makeFamily();
  await app.makeChild(family);
});
afterAll(() => app.close());

const put = (json: unknown, token = owner, at = app) => at.ask('PUT', '/api/settings', { token, json });
async function hours(token: string, at = app): Promise<FacilityHours[]> {
  const answer = await at.expect(200, 'GET', '/api/facilities/hours', { token });
  return facilityRoutes.listOpeningHours.answer.parse(answer).facilities;
}

test('are not told at first; then every family and all staff see them, with name and phone', async () => {
  expect(await hours(family.token)).toMatchObject([
    { _id: 'main', name: null, openingHours: null, holidays: [], timeZone: 'Africa/Cairo', region: 'EG' },
  ]);
  const named = { facilityName: 'Little Stars', facilityPhone: '0227350000' };
  const saved = await put({ ...named, openingHours: { ...week, thursday: week.thursday.toReversed() } });
  expect(saved).toMatchObject({ status: 200, body: { settings: { openingHours: week, holidays: [] } } });
  const told = { _id: 'main', name: 'Little Stars', phone: '0227350000', openingHours: week, holidays: [] };
  const teacher = await app.makeEmployee();
  const unborn = await app.makeFamily();
  for (const token of [family.token, unborn.token, owner, teacher.token])
    expect(await hours(token)).toMatchObject([told]);
  expect((await put({ openingHours: null })).body.settings.openingHours).toBeNull();
  await put({ openingHours: week });
});

test('holidays are shown until the last local day is over', async () => {
  // 22:30 in UTC on this day is already the next one in Cairo.
  const today = new Date(app.clock.now() + 2 * 3_600_000).toISOString().slice(0, 10);
  const next = '2090-01-07';
  const holidays = [
    holiday(next, next, 'Christmas'),
    holiday('2020-03-01', '2020-03-02', 'Past'),
    holiday(today, today, 'Today'),
  ];
  const { settings } = (await put({ holidays })).body;
  expect(settings.holidays.map(({ name }) => name)).toEqual(['Past', 'Today', 'Christmas']);
  const names = async () => (await hours(family.token))[0]?.holidays.map(({ name }) => name);
  expect(await names()).toEqual(['Today', 'Christmas']);
  app.clock.advance(2 * 24 * 3_600_000);
  expect(await names()).toEqual(['Christmas']);
  owner = await app.staff();
  family = { ...family, token: await app.signIn('parent', family.email, family.password) };
});

test.each([
  [
    { openingHours: { ...week, monday: [{ from: '16:00', to: '07:30' }] } },
    'openingHours.monday.0.to',
    'Closing time must be after opening time',
  ],
  [
    { openingHours: { ...week, friday: [{ from: '7:30', to: '16:00' }] } },
    'openingHours.friday.0.from',
    'Enter a time like 07:30',
  ],
  [
    { openingHours: { ...week, sunday: [...day, { from: '15:59', to: '17:00' }] } },
    'openingHours.sunday',
    'Opening times of a day must not overlap',
  ],
  [{ openingHours: { sunday: day } }, 'openingHours.monday', 'Opening times are a list'],
  [{ openingHours: 'always' }, 'openingHours', 'Opening hours name each weekday'],
  [
    { holidays: [holiday('2026-12-25', '2026-12-24', 'Eid')] },
    'holidays.0.to',
    'The last day must not be before the first',
  ],
  [
    { holidays: [holiday('2026-02-30', '2026-03-01', 'Eid')] },
    'holidays.0.from',
    'Enter a date like 2026-11-21',
  ],
  [{ holidays: [holiday('2026-12-25', '2026-12-25', ' ')] }, 'holidays.0.name', 'Name is required'],
  [
    { holidays: [holiday('2026-12-25', '2028-12-25', 'Eid')] },
    'holidays.0.to',
    'A holiday may have up to 366 days',
  ],
  [
    { holidays: Array.from({ length: 101 }, () => holiday('2026-12-25', '2026-12-25', 'Eid')) },
    'holidays',
    'There may be up to 100 holidays',
  ],
  [{ holidays: null }, 'holidays', 'Holidays are a list'],
])('%j is refused at its place, and changes nothing', async (json, field, message) => {
  const before = (await app.expect(200, 'GET', '/api/settings', { token: owner })).settings;
  expect(await put({ facilityName: 'Changed', ...json })).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', message, fields: { [field]: message } },
  });
  expect((await app.expect(200, 'GET', '/api/settings', { token: owner })).settings).toEqual(before);
});

test('without a session 401; a parent may not write, nor may staff without the permission', async () => {
  expect((await app.ask('GET', '/api/facilities/hours')).status).toBe(401);
  expect((await app.ask('PUT', '/api/settings', { json: { openingHours: null } })).status).toBe(401);
  expect((await put({ openingHours: null }, family.token)).status).toBe(403);
  const desk = await app.makeEmployee();
  await app.expect(200, 'PUT', `/api/admin/${desk.id}/roles`, {
    token: owner,
    json: { roles: [{ roleId: 'desk', facilityId: 'main' }] },
  });
  expect((await put({ openingHours: null }, desk.token)).status).toBe(403);
  expect((await hours(desk.token))[0]?.openingHours).toEqual(week);
});

test('are each facility’s own: a new one begins with those of the present one, then they part', async () => {
  elsewhere = await makeFacility(app, 'Full Moon');
  there = atFacility(app, elsewhere);
  stranger = await there.makeFamily();
  await there.makeChild(stranger);
  expect(await hours(owner, there)).toMatchObject([
    { _id: elsewhere, name: 'Full Moon', phone: null, openingHours: week, holidays: [{ name: 'Christmas' }] },
  ]);
  const { settings } = await there.expect(200, 'GET', '/api/settings', { token: owner });
  expect(settings.holidays).toHaveLength(3);
  await put({ holidays: [], openingHours: null }, owner, there);
  expect(await hours(owner)).toMatchObject([{ _id: 'main', openingHours: week }]);
  expect(await hours(stranger.token)).toMatchObject([{ _id: elsewhere, openingHours: null, holidays: [] }]);
  expect(await hours(family.token)).toMatchObject([{ _id: 'main', openingHours: week }]);

  // A manager of the one neither sees nor changes those of the other.
  const manager = await app.makeEmployee();
  const asked = { token: manager.token, headers: { [FACILITY_HEADER]: elsewhere } };
  expect((await app.ask('GET', '/api/facilities/hours', asked)).body.code).toBe('unknown_facility');
  const json = { openingHours: week };
  expect((await app.ask('PUT', '/api/settings', { ...asked, json })).body.code).toBe('unknown_facility');
  expect((await put({ openingHours: week }, manager.token)).status).toBe(200);
});

test('a family whose children go to two facilities sees both; one without children sees none of several', async () => {
  const child = await app.makeChild(family);
  await app.expect(200, 'POST', `/api/children/${child._id}/facilities`, {
    token: owner,
    json: { facilityId: elsewhere },
  });
  expect((await hours(family.token)).map(({ _id, name }) => [_id, name])).toEqual([
    ['main', 'Little Stars'],
    [elsewhere, 'Full Moon'],
  ]);
  expect(await hours((await app.makeFamily()).token)).toEqual([]);
});

test('a change has its audit row', async () => {
  await put({ holidays: [holiday('2090-01-07', '2090-01-07', 'Christmas')] });
  const { entries } = await app.expect(200, 'GET', '/api/audit?kind=settings', { token: owner });
  expect(entries[0]).toMatchObject({
    action: 'settings.updated',
    details: { holidays: '[{"from":"2090-01-07","to":"2090-01-07","name":"Christmas"}]' },
  });
});

test('refuse nothing: while it is closed, for the week and a holiday, a child is checked in and out', async () => {
  const never = Object.fromEntries(Object.keys(week).map((name) => [name, []]));
  const dayAt = (days: number) => new Date(app.clock.now() + days * 86_400_000).toISOString().slice(0, 10);
  const holidays = [holiday(dayAt(-2), dayAt(2), 'Renovation')];
  expect((await put({ openingHours: never, holidays })).status).toBe(200);
  const child = await app.makeChild(family);
  const ask = (url: string, json?: unknown) =>
    app.ask('POST', `/api/children/${url}/${child._id}`, { token: owner, json });
  expect(await ask('checkin-child', { durationInMinutes: 240 })).toMatchObject({
    status: 200,
    body: { child: { isInside: true, duration: 240 } },
  });
  expect(await ask('checkout-child')).toMatchObject({ status: 200, body: { child: { isInside: false } } });
});
