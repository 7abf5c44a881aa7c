/** The chart of a week and of a month: a bar for each day that has begun, the peak in words, and the tables below. */
import { type AttendanceEntry, attendanceEntrySchema, reportRoutes } from '@haris/contract/http/reports';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { handle, server } from '../../testing/contract-server.ts';
import { admin } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

// jsdom lays nothing out, so the real charts draw nothing; these say what they are given.
vi.mock('@mantine/charts', async () => {
  const { createElement } = await import('react');
  return {
    AreaChart: () => null,
    BarChart: ({ data, series }: { data: unknown; series: unknown }) =>
      createElement('pre', { 'data-bars': true }, JSON.stringify({ data, series })),
  };
});

const TODAY = 18;
const dayOf = (day: number) => `2026-03-${String(day).padStart(2, '0')}`;

const visit: AttendanceEntry = attendanceEntrySchema.parse({
  _id: 'stay-1',
  date: dayOf(17),
  child: { _id: 'child-omar', name: 'Omar Hassan' },
  parentName: 'Mona Hassan',
  entryTime: '2026-03-17T06:00:00.000Z',
  exitTime: '2026-03-17T07:00:00.000Z',
  duration: 60,
  minutesStayed: 60,
  minutesOver: 0,
  bookedUntil: null,
  minutesLate: 0,
  checkedInBy: 'Salma Adel',
  checkedOutBy: 'Salma Adel',
  uniqueEntryId: 'entry-1',
});

/** Serves the days from `first` to `last`: the visits of a day are its number, and its peak half of that. */
function serveDays(first: number, last: number): void {
  const range = {
    timeZone: 'Africa/Cairo',
    today: dayOf(TODAY),
    date: dayOf(TODAY),
    firstDay: dayOf(first),
    lastDay: dayOf(last),
  };
  const sums = { visits: 1, open: 0, minutesBooked: 60, minutesStayed: 60, minutesOver: 0, minutesLate: 0 };
  server.use(
    handle(reportRoutes.getAttendanceTotals, {
      ...range,
      all: { children: 1, ...sums },
      totals: [{ child: visit.child, parentName: visit.parentName, ...sums }],
    }),
    handle(reportRoutes.getAttendanceChart, {
      ...range,
      peak: { at: '2026-03-17T08:00:00.000Z', children: 9 },
      quarters: [],
      days: Array.from({ length: last - first + 1 }, (_, n) => {
        const visits = first + n > TODAY ? 0 : first + n;
        return { date: dayOf(first + n), visits, children: visits, peak: Math.floor(visits / 2) };
      }),
    }),
    handle(reportRoutes.listAttendance, { ...range, entries: [visit], total: 1, nextCursor: null }),
  );
}

interface Bars {
  readonly data: readonly { readonly day: string; readonly visits?: number; readonly peak?: number }[];
  readonly series: readonly { readonly name: string; readonly label: string }[];
}

test.each([
  ['Week', 16, 22, /Mon/],
  ['Month', 1, 31, /^1$/],
] as const)('of a %s', async (period, first, last, firstName) => {
  serveDays(first, last);
  const { user } = await renderScreen('/reports', { as: { admin: admin() } });
  await user.click(await screen.findByText(period));
  const chart = await screen.findByRole('region', { name: 'Visits by day' });
  expect(await within(chart).findByText(/^Peak: 9 children, Tuesday.*17/)).toBeVisible();
  await waitFor(() => expect(chart.querySelector('[data-bars]')).not.toBeNull());
  const { data, series } = JSON.parse(chart.querySelector('[data-bars]')?.textContent ?? '') as Bars;
  expect(series.map(({ name, label }) => `${name}: ${label}`)).toEqual(['visits: Visits', 'peak: Peak']);
  expect(data).toHaveLength(last - first + 1);
  expect(data[0]?.day).toMatch(firstName);
  // A day that has not begun has no bar, instead of one of no visits.
  const begun = Array.from({ length: TODAY - first + 1 }, (_, n) => first + n);
  expect(data.flatMap(({ visits }) => visits ?? [])).toEqual(begun);
  expect(data.flatMap(({ peak }) => peak ?? [])).toEqual(begun.map((visits) => Math.floor(visits / 2)));
  // The drawing is for the eye alone, so the figures stand in tables below it.
  for (const name of ['Per child', 'Visits']) {
    const table = screen.getByRole('region', { name });
    expect(chart.compareDocumentPosition(table) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0);
    expect(table).toHaveTextContent('Omar Hassan');
  }
});
