/** Attendance: the states of a report on the screen. */
import { childRoutes } from '@haris/contract/http/children';
import {
  type AttendanceEntry,
  attendanceEntrySchema,
  attendanceTotalSchema,
  reportRoutes,
} from '@haris/contract/http/reports';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { type Call, handle, offline, pending, refuse, server } from '../../testing/contract-server.ts';
import { admin, child, LONG_NAME } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

const staff = { admin: admin() };
const range = {
  timeZone: 'Africa/Cairo',
  today: '2026-03-18',
  date: '2026-03-18',
  firstDay: '2026-03-18',
  lastDay: '2026-03-18',
};
const week = { ...range, firstDay: '2026-03-16', lastDay: '2026-03-22' };

let count = 0;

/** A visit of one hour, booked as one hour. */
function visit(more: Partial<AttendanceEntry> = {}): AttendanceEntry {
  return attendanceEntrySchema.parse({
    _id: `stay-${++count}`,
    date: '2026-03-18',
    child: { _id: 'child-omar', name: 'Omar Hassan' },
    parentName: 'Mona Hassan',
    entryTime: '2026-03-18T06:00:00.000Z',
    exitTime: '2026-03-18T07:00:00.000Z',
    duration: 60,
    minutesStayed: 60,
    minutesOver: 0,
    bookedUntil: null,
    // Without a booking, late is what is over time.
    minutesLate: more.minutesOver === undefined ? 0 : more.minutesOver,
    checkedInBy: 'Salma Adel',
    checkedOutBy: 'Salma Adel',
    uniqueEntryId: `entry-${count}`,
    ...more,
  });
}

/** The server's totals of these visits. */
function totalsOf(entries: readonly AttendanceEntry[]) {
  const sums = (of: readonly AttendanceEntry[]) => ({
    visits: of.length,
    open: of.filter(({ exitTime }) => exitTime === null).length,
    minutesBooked: of.reduce((sum, { duration }) => sum + duration, 0),
    minutesStayed: of.reduce((sum, { minutesStayed }) => sum + (minutesStayed ?? 0), 0),
    minutesOver: of.reduce((sum, { minutesOver }) => sum + (minutesOver ?? 0), 0),
    minutesLate: of.reduce((sum, { minutesLate }) => sum + (minutesLate ?? 0), 0),
  });
  const children = Map.groupBy(entries, ({ child: { _id } }) => _id);
  return {
    all: { children: children.size, ...sums(entries) },
    totals: [...children.values()].map((of) =>
      attendanceTotalSchema.parse({ child: of[0]?.child, parentName: of[0]?.parentName, ...sums(of) }),
    ),
  };
}

/** Serves a report of these visits, in pages of `pageSize`. */
function serveReport(entries: readonly AttendanceEntry[], { days = range, pageSize = 200 } = {}): void {
  server.use(
    handle(reportRoutes.getAttendanceTotals, { ...days, ...totalsOf(entries) }),
    handle(reportRoutes.getAttendanceChart, {
      ...days,
      peak: { at: '2026-03-18T06:00:00.000Z', children: 2 },
      quarters: [{ at: '2026-03-18T06:00:00.000Z', children: 2 }],
      days: [{ date: '2026-03-18', visits: 3, children: 2, peak: 2 }],
    }),
    handle(reportRoutes.listAttendance, ({ query: { cursor = '0' } }) => {
      const end = Number(cursor) + pageSize;
      return {
        ...days,
        entries: entries.slice(Number(cursor), end),
        total: entries.length,
        nextCursor: end < entries.length ? String(end) : null,
      };
    }),
  );
}

test('while the report is on its way, the screen says that it is loading', async () => {
  server.use(handle(reportRoutes.getAttendanceTotals, pending), handle(reportRoutes.listAttendance, pending));
  await renderScreen('/reports', { as: staff });
  expect(await screen.findByRole('heading', { name: 'Attendance', level: 1 })).toBeVisible();
  expect(screen.getByRole('status', { name: 'Loading…' })).toBeVisible();
});

test('a day without visits says so, and has nothing to print or download', async () => {
  serveReport([]);
  await renderScreen('/reports', { as: staff });
  expect(await screen.findByText('No visits in this period.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Print' })).toBeDisabled();
  expect(screen.getByRole('button', { name: 'Download CSV' })).toBeDisabled();
  await expectAccessible();
});

test('visits of a day: sums per child and in all, who is over time, who is still inside', async () => {
  serveReport([
    visit({ minutesStayed: 90, minutesOver: 30, exitTime: '2026-03-18T07:30:00.000Z' }),
    visit({ duration: 30, minutesStayed: 30, exitTime: '2026-03-18T06:30:00.000Z' }),
    visit({
      child: { _id: 'child-nour', name: 'Nour Ibrahim' },
      exitTime: null,
      minutesStayed: null,
      minutesOver: null,
      checkedOutBy: null,
    }),
  ]);
  await renderScreen('/reports', { as: staff });
  const totals = await screen.findByRole('region', { name: 'Per child' });
  const cells = (name: RegExp) =>
    within(within(totals).getByRole('row', { name }))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent);
  expect(cells(/^Omar Hassan/)).toEqual(['Mona Hassan', '2', '1:30', '2:00', '0:30']);
  expect(cells(/^Total/)).toEqual(['', '3', '2:30', '2:00', '0:30']);
  expect(screen.getByText('3 visits, 2 children · 1 still inside')).toBeVisible();
  const visits = await screen.findByRole('region', { name: 'Visits' });
  expect(within(visits).getByRole('row', { name: /^Nour Ibrahim.*still inside/ })).toBeVisible();
  await expectAccessible();
});

test('with bookings, late pick-ups have a column of their own', async () => {
  serveReport([
    visit({
      ...{ minutesStayed: 90, minutesOver: 30, exitTime: '2026-03-18T07:30:00.000Z' },
      ...{ bookedUntil: '2026-03-18T06:45:00.000Z', minutesLate: 45 },
    }),
  ]);
  await renderScreen('/reports', { as: staff });
  for (const name of ['Per child', 'Visits']) {
    const table = within(await screen.findByRole('region', { name }));
    expect(table.getByRole('columnheader', { name: 'Late pick-up' })).toBeVisible();
    expect(table.getAllByRole('cell', { name: '0:45' }).length).toBeGreaterThan(0);
  }
});

test('the chart says its peak in words', async () => {
  serveReport([visit()]);
  await renderScreen('/reports', { as: staff });
  const chart = await screen.findByRole('region', { name: 'Children inside through the day' });
  expect(await within(chart).findByText(/^Peak: 2 children, 8:00.AM$/)).toBeVisible();
});

test('without its chart a report still has its tables', async () => {
  serveReport([visit()]);
  server.use(handle(reportRoutes.getAttendanceChart, refuse('internal_error')));
  await renderScreen('/reports', { as: staff });
  expect(await screen.findByRole('region', { name: 'Per child' })).toBeVisible();
  await waitFor(() => expect(screen.queryByText('Children inside through the day')).not.toBeInTheDocument());
});

test('a stay over midnight says the day of its exit', async () => {
  serveReport([visit({ entryTime: '2026-03-18T21:30:00.000Z', exitTime: '2026-03-18T22:30:00.000Z' })]);
  await renderScreen('/reports', { as: staff });
  const visits = await screen.findByRole('region', { name: 'Visits' });
  expect(within(visits).getByRole('row', { name: /11:30.PM.*19 Mar 12:30.AM/ })).toBeVisible();
});

test('when the server fails, the screen says so in words and tries again', async () => {
  let isDown = true;
  serveReport([visit()]);
  server.use(
    handle(reportRoutes.getAttendanceTotals, () =>
      isDown ? refuse('internal_error') : { ...range, ...totalsOf([visit()]) },
    ),
  );
  const { user } = await renderScreen('/reports', { as: staff });
  expect(await screen.findByRole('alert')).toHaveTextContent('An unexpected error occurred.');
  isDown = false;
  await user.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('region', { name: 'Per child' })).toBeVisible();
});

test('without a connection the screen says that the report could not be loaded', async () => {
  server.use(handle(reportRoutes.getAttendanceTotals, offline), handle(reportRoutes.listAttendance, offline));
  await renderScreen('/reports', { as: staff });
  expect(await screen.findByRole('alert')).toHaveTextContent('The report could not be loaded.');
});

test('a week: the heading has both ends, and the address what was chosen', async () => {
  serveReport([visit({ date: '2026-03-17' })], { days: week });
  const asked: Call<typeof reportRoutes.getAttendanceTotals>['query'][] = [];
  server.use(
    handle(reportRoutes.getAttendanceTotals, ({ query }) => {
      asked.push(query);
      return { ...week, ...totalsOf([visit()]) };
    }),
  );
  const { user, router } = await renderScreen('/reports', { as: staff });
  await user.click(await screen.findByText('Week'));
  expect(await screen.findByRole('heading', { name: /^16\W+22 March 2026$/ })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Previous week' }));
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ period: 'week', date: '2026-03-11' }));
  expect(router.state.location.search).toBe('?period=week&date=2026-03-11');
});

test('one child of them is found by typing', async () => {
  serveReport([visit()]);
  const found = child({ _id: 'child-nour', name: 'Nour Ibrahim' });
  let askedFor: string | undefined;
  server.use(
    handle(childRoutes.listChildren, ({ query }) => {
      const children = query.search === 'nour' || query.search === undefined ? [found] : [];
      return { children, total: children.length, nextCursor: null };
    }),
    handle(reportRoutes.getAttendanceTotals, ({ query }) => {
      askedFor = query.childId;
      return { ...range, ...totalsOf([visit()]) };
    }),
  );
  const { user } = await renderScreen('/reports', { as: staff });
  const field = await screen.findByRole('combobox', { name: 'Child' });
  await user.type(field, 'zzz');
  expect(await screen.findByText('No match.')).toBeVisible();
  await user.clear(field);
  await user.type(field, 'nour');
  await user.click(await screen.findByRole('option', { name: /^Nour Ibrahim/ }));
  await waitFor(() => expect(askedFor).toBe('child-nour'));
});

test('a hundred visits of long names, page by page; printing reads the rest first', async () => {
  const print = vi.fn();
  vi.stubGlobal('print', print);
  const entries = Array.from({ length: 100 }, (_, n) =>
    visit({ child: { _id: `child-${n}`, name: `${LONG_NAME.slice(3)}${String(n).padStart(3, '0')}` } }),
  );
  serveReport(entries, { pageSize: 60 });
  const { user } = await renderScreen('/reports', { as: staff });
  const visits = await screen.findByRole('region', { name: 'Visits' });
  const names = () =>
    within(visits)
      .getAllByRole('rowheader')
      .map(({ textContent }) => textContent);
  await waitFor(() => expect(names()).toHaveLength(60));
  await user.click(screen.getByRole('button', { name: 'Print' }));
  await waitFor(() => expect(print).toHaveBeenCalledOnce());
  expect(names()).toHaveLength(100);
  expect(names().at(-1)).toBe(entries.at(-1)?.child.name);
});

test('in Arabic: right to left, Arabic numerals', async () => {
  serveReport([
    visit({ child: { _id: 'child-laila', name: 'ليلى حسن' }, minutesStayed: 65, minutesOver: 5 }),
  ]);
  await renderScreen('/reports', { as: staff, language: 'ar', size: 'phone' });
  const totals = await screen.findByRole('region', { name: 'لكل طفل' });
  expect(document.documentElement).toHaveAttribute('dir', 'rtl');
  expect(within(totals).getByRole('row', { name: /ليلى حسن.*١:٠٥/ })).toBeVisible();
  expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent(/١٨ مارس ٢٠٢٦/);
});

test('another time zone is saved after the password was asked for, and the report is read again', async () => {
  serveReport([visit()]);
  const { user } = await renderScreen('/reports', { as: staff });
  expect(await screen.findByText(/Time zone: Africa\/Cairo\./)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Change' }));
  const dialog = await screen.findByRole('dialog', { name: 'Time zone of the facility' });
  await expectAccessible();
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  await waitFor(() => expect(screen.getByRole('button', { name: 'Change' })).toHaveFocus());
});

test('an event of today reads the report again', async () => {
  let isBack = false;
  serveReport([]);
  server.use(
    handle(reportRoutes.getAttendanceTotals, () => ({ ...range, ...totalsOf(isBack ? [visit()] : []) })),
  );
  const { events } = await renderScreen('/reports', { as: staff });
  expect(await screen.findByText('No visits in this period.')).toBeVisible();
  isBack = true;
  await events.send({ type: 'child.checked_in', childId: 'child-omar' });
  expect(await screen.findByRole('region', { name: 'Per child' })).toBeVisible();
});
