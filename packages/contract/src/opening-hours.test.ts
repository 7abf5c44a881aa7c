/** The schemas of opening hours and holidays: what they accept, put in order, and refuse with words. */
import { expect, test } from 'vitest';
import { HOLIDAYS_MAX, holidaysSchema, type OpeningHours, openingHoursSchema } from './opening-hours.ts';

const closed: OpeningHours = {
  sunday: [],
  monday: [],
  tuesday: [],
  wednesday: [],
  thursday: [],
  friday: [],
  saturday: [],
};

/** The first issue: its path and message. */
function problemOf(schema: typeof openingHoursSchema | typeof holidaysSchema, value: unknown): string {
  const result = schema.safeParse(value);
  const [issue] = result.success ? [] : result.error.issues;
  return issue === undefined ? 'accepted' : `${issue.path.join('.')}: ${issue.message}`;
}

test('a week may be closed, have pauses, and end at midnight; times are put in order', () => {
  expect(openingHoursSchema.parse(closed)).toEqual(closed);
  const parsed = openingHoursSchema.parse({
    ...closed,
    monday: [
      { from: '13:00', to: '24:00' },
      { from: '07:30', to: '13:00' },
    ],
  });
  expect(parsed.monday.map(({ from }) => from)).toEqual(['07:30', '13:00']);
});

test.each([
  [{ from: '08:00', to: '08:00' }, 'monday.0.to: Closing time must be after opening time'],
  [{ from: '16:00', to: '08:00' }, 'monday.0.to: Closing time must be after opening time'],
  [{ from: '8:00', to: '16:00' }, 'monday.0.from: Enter a time like 07:30'],
  [{ from: '24:00', to: '24:00' }, 'monday.0.from: Enter a time like 07:30'],
  [{ from: '08:00', to: '24:01' }, 'monday.0.to: Enter a time like 07:30'],
  [{ from: '08:00', to: '16:60' }, 'monday.0.to: Enter a time like 07:30'],
  [{ from: '08:00' }, 'monday.0.to: Enter a time like 07:30'],
  [{ from: '', to: '' }, 'monday.0.from: Enter a time like 07:30'],
])('opening times %j are refused', (interval, problem) => {
  expect(problemOf(openingHoursSchema, { ...closed, monday: [interval] })).toBe(problem);
});

test('overlapping times, too many, and a week without a day are refused', () => {
  const overlap = [
    { from: '12:00', to: '16:00' },
    { from: '08:00', to: '12:01' },
  ];
  expect(problemOf(openingHoursSchema, { ...closed, friday: overlap })).toBe(
    'friday: Opening times of a day must not overlap',
  );
  const seven = Array.from({ length: 7 }, (_, hour) => ({ from: `0${hour}:00`, to: `0${hour}:30` }));
  expect(problemOf(openingHoursSchema, { ...closed, friday: seven })).toBe(
    'friday: A day may have up to 6 opening times',
  );
  const { saturday: _, ...six } = closed;
  expect(problemOf(openingHoursSchema, six)).toBe('saturday: Opening times are a list');
  expect(problemOf(openingHoursSchema, [])).toBe(': Opening hours name each weekday');
});

test('holidays are put in order; names are cleaned; past ones stay', () => {
  const eid = { from: '2026-03-20', to: '2026-03-23', name: ' Eid ' };
  const day = { from: '2020-01-07', to: '2020-01-07', name: 'Christmas' };
  expect(holidaysSchema.parse([eid, day])).toEqual([day, { ...eid, name: 'Eid' }]);
});

test.each([
  [{ from: '2026-03-23', to: '2026-03-20', name: 'Eid' }, '0.to: The last day must not be before the first'],
  [{ from: '2026-02-30', to: '2026-03-20', name: 'Eid' }, '0.from: Enter a date like 2026-11-21'],
  [{ from: '2026-03-20', to: '', name: 'Eid' }, '0.to: Enter a date like 2026-11-21'],
  [{ from: '1999-12-31', to: '2000-01-02', name: 'Eid' }, '0.from: Enter a date like 2026-11-21'],
  [{ from: '2026-03-20', to: '2027-03-21', name: 'Eid' }, '0.to: A holiday may have up to 366 days'],
  [{ from: '2026-03-20', to: '2026-03-20', name: ' ' }, '0.name: Name is required'],
  [{ from: '2026-03-20', to: '2026-03-20' }, '0.name: Name is required'],
  ['Eid', '0: A holiday has from, to and name'],
])('the holiday %j is refused', (holiday, problem) => {
  expect(problemOf(holidaysSchema, [holiday])).toBe(problem);
});

test('there are at most so many holidays, and a year of one', () => {
  const day = { from: '2026-03-20', to: '2026-03-20', name: 'Day' };
  const full = Array.from({ length: HOLIDAYS_MAX }, () => day);
  expect(problemOf(holidaysSchema, full)).toBe('accepted');
  expect(problemOf(holidaysSchema, [...full, day])).toBe(': There may be up to 100 holidays');
  expect(problemOf(holidaysSchema, [{ ...day, to: '2027-03-20' }])).toBe('accepted');
});
