/** Attendance by day, week and month: the stays included, the sums, and the file for spreadsheets. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AttendanceEntry, reportRoutes } from '@haris/contract/http/reports';
import Papa from 'papaparse';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';

let app: TestApp;
let staff: string;
let family: Family;
let adminId: string;
beforeEach(async () => {
  app = await startTestApp({ config: { TIME_ZONE: 'Africa/Cairo' } });
  staff = await app.staff();
  family = await app.makeFamily({ name: 'Mona Hassan' });
  adminId = (await app.expect(200, 'GET', '/api/admin/info', { token: staff })).admin._id;
});
afterEach(() => app.close());

/** Inserts a past stay into the database. Times as ISO 8601 with their offset. */
async function makeStay(childId: string, entry: string, exit: string | null, over: object = {}) {
  const id = randomUUID();
  await app.context.db
    .insertInto('stays')
    .values({
      id,
      facility_id: 'main',
      unique_entry_id: `entry-${id}`,
      child_id: childId,
      checked_in_by: adminId,
      entry_time: Date.parse(entry),
      duration: 60,
      checked_out_by: exit === null ? null : adminId,
      exit_time: exit === null ? null : Date.parse(exit),
      time_up_at: null,
      ...over,
    })
    .execute();
  return id;
}

const child = async (name: string, of: { id: string } = family) => (await app.makeChild(of, name))._id;

async function list(query: string) {
  const { bytes } = await app.ask('GET', `/api/reports/attendance?${query}`, { token: staff });
  return reportRoutes.listAttendance.answer.parse(JSON.parse(bytes.toString('utf8')));
}
async function totals(query: string) {
  const { bytes } = await app.ask('GET', `/api/reports/attendance/totals?${query}`, { token: staff });
  return reportRoutes.getAttendanceTotals.answer.parse(JSON.parse(bytes.toString('utf8')));
}
async function chart(query: string) {
  const { bytes } = await app.ask('GET', `/api/reports/attendance/chart?${query}`, { token: staff });
  return reportRoutes.getAttendanceChart.answer.parse(JSON.parse(bytes.toString('utf8')));
}
const names = ({ entries }: { entries: AttendanceEntry[] }) => entries.map((entry) => entry.child.name);

async function csv(query: string, token = staff) {
  const answer = await app.ask('GET', `/api/reports/attendance.csv?${query}`, { token });
  const text = answer.bytes.toString('utf8');
  const { data } = Papa.parse<string[]>(text.slice(1), { newline: '\r\n', skipEmptyLines: true });
  const [header = [], ...rows] = data;
  return { answer, text, header, rows };
}

describe('the chart', () => {
  test('of a day: the most children inside in each quarter of an hour, also those who came the day before', async () => {
    const [omar, layla] = [await child('Omar'), await child('Layla')];
    await makeStay(omar, '2026-11-12T22:00:00+02:00', '2026-11-13T00:20:00+02:00');
    await makeStay(omar, '2026-11-13T08:05:00+02:00', '2026-11-13T08:40:00+02:00');
    await makeStay(layla, '2026-11-13T08:20:00+02:00', '2026-11-13T08:25:00+02:00');
    // A check-in that was undone: nobody was there.
    await makeStay(layla, '2026-11-13T08:05:00+02:00', '2026-11-13T23:00:00+02:00', {
      voided_at: Date.parse('2026-11-13T08:06:00+02:00'),
    });
    const { peak, quarters, days } = await chart('period=day&date=2026-11-13');
    expect(peak).toEqual({ at: '2026-11-13T06:20:00.000Z', children: 2 });
    expect(quarters[0]).toEqual({ at: '2026-11-12T22:00:00.000Z', children: 1 });
    expect(quarters.slice(-3).map(({ children }) => children)).toEqual([1, 2, 1]);
    expect(quarters.at(-1)?.at).toBe('2026-11-13T06:30:00.000Z');
    expect(days).toEqual([{ date: '2026-11-13', visits: 2, children: 2, peak: 2 }]);
    expect((await chart(`period=day&date=2026-11-13&childId=${layla}`)).peak?.children).toBe(1);
    expect((await chart('period=day&date=2026-11-14')).peak).toBeNull();
  });

  test('of a day with 23, 25 or 24½ hours, in zones with odd offsets: a quarter for each that there is', async () => {
    const omar = await child('Omar');
    for (const [timeZone, date, from, to, quarters] of [
      // The clock goes from midnight to one: the nursery opens at the first moment of the day.
      ['Africa/Cairo', '2026-04-24', '2026-04-24T01:00:00+03:00', '2026-04-25T00:00:00+03:00', 23 * 4],
      ['Africa/Cairo', '2026-10-29', '2026-10-29T00:00:00+03:00', '2026-10-30T00:00:00+02:00', 25 * 4],
      ['Australia/Lord_Howe', '2026-04-05', '2026-04-05T00:00:00+11:00', '2026-04-06T00:00:00+10:30', 98],
      ['Asia/Kathmandu', '2026-06-01', '2026-06-01T00:00:00+05:45', '2026-06-02T00:00:00+05:45', 96],
    ] as const) {
      await app.expect(200, 'PUT', '/api/settings', { token: staff, json: { timeZone } });
      await makeStay(omar, from, to);
      const day = await chart(`period=day&date=${date}`);
      expect(day.quarters, timeZone).toHaveLength(quarters);
      expect(new Set(day.quarters.map(({ children }) => children)), timeZone).toEqual(new Set([1]));
      expect(day.quarters[0]?.at, timeZone).toBe(new Date(from).toISOString());
      expect(day.days, timeZone).toEqual([{ date, visits: 1, children: 1, peak: 1 }]);
    }
  });

  test('of a month: every day, whatever the clocks do', async () => {
    const omar = await child('Omar');
    await makeStay(omar, '2026-10-29T23:30:00+03:00', '2026-10-30T01:30:00+02:00');
    const { quarters, days } = await chart('period=month&date=2026-10-15');
    expect(quarters).toEqual([]);
    expect(days).toHaveLength(31);
    expect(days.slice(27)).toEqual([
      { date: '2026-10-28', visits: 0, children: 0, peak: 0 },
      { date: '2026-10-29', visits: 1, children: 1, peak: 1 },
      { date: '2026-10-30', visits: 0, children: 0, peak: 1 },
      { date: '2026-10-31', visits: 0, children: 0, peak: 0 },
    ]);
  });
});

describe('which stays', () => {
  test('are those that began in the period, by the calendar of the facility', async () => {
    for (const [name, entry] of [
      ['last month', '2026-10-31T23:59:59+02:00'],
      ['first moment', '2026-11-01T00:00:00+02:00'],
      ['friday', '2026-11-13T12:00:00+02:00'],
      ['saturday', '2026-11-14T00:00:00+02:00'],
      ['sunday', '2026-11-15T12:00:00+02:00'],
      ['monday', '2026-11-16T12:00:00+02:00'],
      // Already the next day in Cairo, but not yet in UTC.
      ['friday night', '2026-11-20T00:30:00+02:00'],
      ['saturday after', '2026-11-21T00:00:00+02:00'],
      ['last moment', '2026-11-30T23:59:59.999+02:00'],
    ] as const)
      await makeStay(await child(name), entry, '2026-12-01T00:00:00+02:00');
    expect(names(await list('period=day&date=2026-11-20'))).toEqual(['friday night']);
    expect(names(await list('period=day&date=2026-11-19'))).toEqual([]);
    const week = await list('period=week&date=2026-11-16&weekStart=6');
    expect(week).toMatchObject({ firstDay: '2026-11-14', lastDay: '2026-11-20', date: '2026-11-16' });
    expect(names(week)).toEqual(['saturday', 'sunday', 'monday', 'friday night']);
    expect(names(await list('period=week&date=2026-11-15&weekStart=7'))).toEqual([
      'sunday',
      'monday',
      'friday night',
      'saturday after',
    ]);
    expect(names(await list('period=week&date=2026-11-15'))).toEqual(['friday', 'saturday', 'sunday']);
    const month = await list('period=month&date=2026-11-20');
    expect(month).toMatchObject({ firstDay: '2026-11-01', lastDay: '2026-11-30', total: 8 });
    expect(names(month)[0]).toBe('first moment');
    expect(names(month).at(-1)).toBe('last moment');
  });

  test('without a date: those of today there', async () => {
    expect(await list('')).toMatchObject({
      timeZone: 'Africa/Cairo',
      today: '2026-11-20',
      firstDay: '2026-11-20',
      lastDay: '2026-11-20',
    });
    app.clock.advance(14 * 3_600_000);
    staff = await app.staff();
    expect((await list('')).today).toBe('2026-11-21');
    await app.expect(200, 'PUT', '/api/settings', { token: staff, json: { timeZone: 'America/New_York' } });
    expect(await list('')).toMatchObject({ timeZone: 'America/New_York', today: '2026-11-20' });
  });

  test('a day on which midnight is skipped, and one that has 25 hours', async () => {
    // Cairo goes from 00:00 to 01:00 on 24 April 2026, and from 24:00 back to 23:00 on 29 October 2026.
    await makeStay(await child('before'), '2026-04-23T23:59:59+02:00', '2026-04-24T10:00:00+03:00');
    await makeStay(await child('spring'), '2026-04-24T01:00:00+03:00', '2026-04-24T02:00:00+03:00');
    await makeStay(await child('eve'), '2026-10-29T00:00:00+03:00', '2026-10-29T01:00:00+03:00');
    await makeStay(await child('first 23:30'), '2026-10-29T23:30:00+03:00', '2026-10-29T23:30:00+02:00');
    await makeStay(await child('second 23:30'), '2026-10-29T23:30:00+02:00', '2026-10-30T00:30:00+02:00');
    await makeStay(await child('next day'), '2026-10-30T00:00:00+02:00', '2026-10-30T00:10:00+02:00');
    expect(names(await list('date=2026-04-23'))).toEqual(['before']);
    expect(names(await list('date=2026-04-24'))).toEqual(['spring']);
    const autumn = await list('date=2026-10-29');
    expect(names(autumn)).toEqual(['eve', 'first 23:30', 'second 23:30']);
    // No time passed on the wall clock, but an hour in reality.
    expect(autumn.entries.map(({ minutesStayed }) => minutesStayed)).toEqual([60, 60, 60]);
    expect(names(await list('date=2026-10-30'))).toEqual(['next day']);
    expect((await csv('date=2026-10-29&language=en')).rows[1]?.slice(3, 7)).toEqual([
      '2026-10-29 23:30:00',
      '2026-10-29 23:30:00',
      '60',
      '60',
    ]);
  });

  test('one over midnight belongs to the day on which it began, whole', async () => {
    await makeStay(await child('late'), '2026-11-18T23:30:00+02:00', '2026-11-19T01:00:00+02:00');
    const [entry] = (await list('date=2026-11-18')).entries;
    expect(entry).toMatchObject({ date: '2026-11-18', duration: 60, minutesStayed: 90, minutesOver: 30 });
    expect((await list('date=2026-11-19')).entries).toEqual([]);
    expect((await totals('date=2026-11-18')).all).toMatchObject({ visits: 1, minutesStayed: 90 });
    expect((await totals('date=2026-11-19')).all).toMatchObject({ visits: 0, minutesStayed: 0 });
  });

  test('one that is still open has no exit and no minutes yet', async () => {
    await makeStay(await child('inside'), '2026-11-20T08:00:00+02:00', null);
    const report = await list('date=2026-11-20');
    expect(report.entries[0]).toMatchObject({
      exitTime: null,
      minutesStayed: null,
      minutesOver: null,
      checkedOutBy: null,
      duration: 60,
    });
    expect((await totals('date=2026-11-20')).all).toEqual({
      children: 1,
      visits: 1,
      open: 1,
      minutesBooked: 60,
      minutesStayed: 0,
      minutesOver: 0,
      minutesLate: 0,
    });
    const { rows } = await csv('date=2026-11-20');
    expect(rows[0]?.slice(4, 11)).toEqual(['', '60', '', '', '', 'Administrator', '']);
  });

  test('one that was voided is no attendance', async () => {
    const id = await child('slip');
    await makeStay(id, '2026-11-20T08:00:00+02:00', '2026-11-20T08:00:05+02:00', { voided_at: 1 });
    await makeStay(id, '2026-11-20T08:01:00+02:00', '2026-11-20T09:00:00+02:00');
    expect(await list('date=2026-11-20')).toMatchObject({ total: 1, entries: [{ minutesStayed: 59 }] });
    expect((await totals('date=2026-11-20')).all).toMatchObject({ visits: 1, minutesStayed: 59 });
    expect((await csv('date=2026-11-20')).rows).toHaveLength(1);
  });

  test('of one child', async () => {
    const [one, two] = [await child('one'), await child('two')];
    await makeStay(one, '2026-11-20T08:00:00+02:00', '2026-11-20T09:00:00+02:00');
    await makeStay(two, '2026-11-20T08:30:00+02:00', '2026-11-20T09:00:00+02:00');
    expect(names(await list(`date=2026-11-20&childId=${two}`))).toEqual(['two']);
    expect((await totals(`date=2026-11-20&childId=${one}`)).totals).toHaveLength(1);
    expect((await csv(`date=2026-11-20&childId=${one}`)).rows.map((row) => row[1])).toEqual(['one']);
    expect((await list('date=2026-11-20&childId=nobody')).entries).toEqual([]);
  });
});

test('sums per child are those of the rows, by name', async () => {
  const other = await app.makeFamily({ name: 'أحمد علي' });
  const [omar, layla] = [await child('Omar'), await child('layla', other)];
  await makeStay(omar, '2026-11-16T08:00:00+02:00', '2026-11-16T09:30:59+02:00');
  await makeStay(omar, '2026-11-17T08:00:00+02:00', '2026-11-17T08:20:59.999+02:00', { duration: 30 });
  await makeStay(omar, '2026-11-18T08:00:00+02:00', null);
  await makeStay(layla, '2026-11-17T08:00:00+02:00', '2026-11-17T10:00:00+02:00', { duration: 120 });
  // The clock was set back while the child was inside.
  await makeStay(layla, '2026-11-19T08:00:00+02:00', '2026-11-19T07:00:00+02:00');
  const report = await totals('period=month&date=2026-11-01');
  expect(report.totals).toEqual([
    {
      child: { _id: layla, name: 'layla' },
      parentName: 'أحمد علي',
      visits: 2,
      open: 0,
      minutesBooked: 180,
      minutesStayed: 120,
      minutesOver: 0,
      minutesLate: 0,
    },
    {
      child: { _id: omar, name: 'Omar' },
      parentName: 'Mona Hassan',
      visits: 3,
      open: 1,
      minutesBooked: 150,
      minutesStayed: 110,
      minutesOver: 30,
      minutesLate: 30,
    },
  ]);
  expect(report.all).toEqual({
    children: 2,
    visits: 5,
    open: 1,
    minutesBooked: 330,
    minutesStayed: 230,
    minutesOver: 30,
    minutesLate: 30,
  });
  const { entries } = await list('period=month&date=2026-11-01');
  const sum = (of: (entry: AttendanceEntry) => number | null) =>
    entries.reduce((all, entry) => all + (of(entry) ?? 0), 0);
  expect(sum(({ minutesStayed }) => minutesStayed)).toBe(report.all.minutesStayed);
  expect(sum(({ minutesOver }) => minutesOver)).toBe(report.all.minutesOver);
});

test('pages never jump and never repeat', async () => {
  const id = await child('often');
  for (let minute = 0; minute < 7; minute++)
    // Two at the same moment.
    for (const second of ['00', '00'])
      await makeStay(id, `2026-11-19T08:0${minute}:${second}+02:00`, '2026-11-19T09:00:00+02:00');
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await list(`date=2026-11-19&limit=3&cursor=${cursor}`.replace(/&cursor=$/, ''));
    expect(page.total).toBe(14);
    seen.push(...page.entries.map(({ _id }) => _id));
    cursor = page.nextCursor;
  }
  expect(new Set(seen).size).toBe(14);
  expect(seen).toHaveLength(14);
});

test('people who were deleted: the stay stays, a family’s name does not, staff’s does', async () => {
  const employee = await app.makeEmployee({ name: 'Nadia Farouk' });
  const id = await child('Gone');
  await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: employee.token });
  await app.expect(200, 'POST', `/api/children/checkout-child/${id}`, { token: employee.token });
  await app.expect(200, 'DELETE', `/api/admin/delete-admin/${employee.id}`, { token: staff });
  await app.expect(200, 'DELETE', `/api/parent/delete-parent/${family.id}`, { token: staff });
  const { entries } = await list('date=2026-11-20');
  expect(entries).toMatchObject([
    {
      child: { _id: id, name: null },
      parentName: null,
      checkedInBy: 'Nadia Farouk',
      checkedOutBy: 'Nadia Farouk',
    },
  ]);
  expect((await totals('date=2026-11-20')).totals[0]?.child.name).toBeNull();
  const english = await csv('date=2026-11-20&language=en');
  expect(english.rows[0]?.slice(1, 3)).toEqual(['(deleted)', '(deleted)']);
  expect((await csv('date=2026-11-20&language=ar')).rows[0]?.[1]).toBe('(محذوف)');
});

describe('the file', () => {
  test('is UTF-8 with a mark, CRLF and quotes, column by column', async () => {
    const id = await child('Omar "Momo", Jr');
    const entry = await makeStay(id, '2026-11-19T08:05:09+02:00', '2026-11-19T09:35:10+02:00');
    const { text, answer } = await csv('date=2026-11-19&language=en');
    expect(answer.bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(text.slice(1)).toBe(
      'Date,Child,Parent,Entry (Africa/Cairo),Exit (Africa/Cairo),Booked (min),Stayed (min),Overtime (min),' +
        'Late pick-up (min),Checked in by,Checked out by,Entry ID\r\n' +
        '2026-11-19,"Omar ""Momo"", Jr",Mona Hassan,2026-11-19 08:05:09,2026-11-19 09:35:10,60,90,30,30,' +
        `Administrator,Administrator,entry-${entry}\r\n`,
    );
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="attendance-2026-11-19.csv"',
      'x-total-rows': '1',
      'cache-control': 'no-store',
    });
    const month = await csv('period=month&date=2026-11-19');
    expect(month.answer.headers['content-disposition']).toBe(
      'attachment; filename="attendance-2026-11-01-to-2026-11-30.csv"',
    );
  });

  test('is in the language that is asked for, else in the account’s', async () => {
    expect((await csv('language=ar')).header.slice(0, 3)).toEqual(['التاريخ', 'الطفل', 'وليّ الأمر']);
    expect((await csv('')).header[0]).toBe('Date');
    await app.expect(200, 'PUT', '/api/language', { token: staff, json: { language: 'ar' } });
    expect((await csv('')).header[0]).toBe('التاريخ');
  });

  test('cannot make a spreadsheet calculate', async () => {
    const odd = ['=HYPERLINK("http://evil")', '+1', '-1', '@SUM(A1)', '＝1+1'];
    for (const name of odd)
      await makeStay(await child(name), '2026-11-19T08:00:00+02:00', null, { unique_entry_id: `-${name}` });
    const { rows } = await csv('date=2026-11-19');
    expect(rows.map((row) => row[1]).sort()).toEqual(odd.map((name) => `'${name}`).sort());
    for (const row of rows) expect(row.at(-1)).toMatch(/^'-/);
    // Numbers stay numbers.
    expect(rows[0]?.[5]).toBe('60');
  });

  test('has each row of many pages once, in order, and says how many before', async () => {
    const id = await child('often');
    const start = Date.parse('2026-11-01T08:00:00+02:00');
    const rows = Array.from({ length: 1203 }, (_, i) => ({
      id: randomUUID(),
      facility_id: 'main',
      unique_entry_id: `entry-${i}`,
      child_id: id,
      checked_in_by: adminId,
      entry_time: start + Math.floor(i / 3) * 1000,
      duration: 30,
      checked_out_by: adminId,
      exit_time: start + 3_600_000,
      time_up_at: null,
    }));
    for (let i = 0; i < rows.length; i += 500)
      await app.context.db
        .insertInto('stays')
        .values(rows.slice(i, i + 500))
        .execute();
    const file = await csv('period=month&date=2026-11-05');
    expect(file.answer.headers['x-total-rows']).toBe('1203');
    expect(file.rows).toHaveLength(1203);
    expect(new Set(file.rows.map((row) => row.at(-1))).size).toBe(1203);
    expect(file.rows.map((row) => row[3])).toEqual(file.rows.map((row) => row[3]).sort());
  });

  test('is not read on for a client that went away', async () => {
    // More bytes than the system buffers for a connection, so that progress depends on the client's reading.
    const id = await child('ط'.repeat(100));
    const start = Date.parse('2026-11-01T08:00:00+02:00');
    const count = 60_000;
    for (let i = 0; i < count; i += 500)
      await app.context.db
        .insertInto('stays')
        .values(
          Array.from({ length: 500 }, (_, n) => ({
            id: randomUUID(),
            facility_id: 'main',
            unique_entry_id: `entry-${i + n}`,
            child_id: id,
            checked_in_by: adminId,
            entry_time: start + i + n,
            duration: 30,
            checked_out_by: adminId,
            exit_time: start + 3_600_000,
            time_up_at: null,
          })),
        )
        .execute();
    await app.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.app.server.address() as AddressInfo;
    const request = get({
      port,
      path: '/api/reports/attendance.csv?period=month&date=2026-11-05',
      headers: { authorization: `Bearer ${staff}` },
    });
    const [response] = await once(request, 'response');
    expect(response.headers['x-total-rows']).toBe(String(count));
    await once(response, 'data');
    request.destroy();
    const ended = () => app.logLines.map((line) => JSON.parse(line)).find((line) => 'whole' in line);
    await expect.poll(ended, { timeout: 240_000 }).toMatchObject({ whole: false });
    expect(ended().rows).toBeLessThan(count);
  });
});

test('readings and exports are in the audit log', async () => {
  const id = await child('Omar');
  await list('date=2026-11-19');
  await totals('date=2026-11-19');
  await list('date=2026-11-19');
  await csv(`period=week&date=2026-11-19&childId=${id}`);
  const rows = await app.context.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', 'like', 'attendance.%')
    .orderBy('seq')
    .execute();
  expect(rows.map((row) => ({ ...row, details: JSON.parse(row.details) }))).toMatchObject([
    {
      action: 'attendance.read',
      actor_id: adminId,
      subject_id: null,
      details: { firstDay: '2026-11-19', lastDay: '2026-11-19', timeZone: 'Africa/Cairo' },
    },
    {
      action: 'attendance.exported',
      actor_id: adminId,
      subject_kind: 'child',
      subject_id: id,
      details: { firstDay: '2026-11-16', lastDay: '2026-11-22', rows: 0 },
    },
  ]);
});

test('what nobody means is 400', async () => {
  for (const odd of [
    'period=year',
    'date=yesterday',
    'date=2026-02-30',
    'date=2026-11-20T00:00:00Z',
    'date=1999-12-31',
    'date=2200-01-01',
    'weekStart=0',
    'weekStart=8',
    `childId=${'x'.repeat(101)}`,
    'cursor=abc',
    'limit=0',
  ])
    expect((await app.ask('GET', `/api/reports/attendance?${odd}`, { token: staff })).status, odd).toBe(400);
  expect((await app.ask('GET', '/api/reports/attendance.csv?language=fr', { token: staff })).status).toBe(
    400,
  );
  for (const date of ['2000-01-01', '2199-12-31'])
    for (const period of ['day', 'week', 'month'])
      expect((await list(`period=${period}&date=${date}`)).entries).toEqual([]);
});
