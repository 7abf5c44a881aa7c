/** Which nightly backups are kept, over years of nights and over folders of any content. */
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { backupName, chooseOld, isUnfinished } from './keep.ts';

const FIRST = Temporal.PlainDate.from('2024-01-01');
const dayAt = (number: number) => FIRST.add({ days: number }).toString();
const nameAt = (number: number, time = '023000') => `haris-${dayAt(number)}-${time}.backup`;
const daysOf = (names: readonly string[]) => names.map((name) => name.slice(6, 16));

/** What is left of a folder after each of these nights made its backup and removed old ones. */
function keepEachNight(nights: readonly number[]): string[] {
  let left: string[] = [];
  for (const night of nights) {
    const made = nameAt(night);
    const old = chooseOld([...left, made], made);
    left = [...left, made].filter((name) => !old.includes(name));
  }
  return left;
}

test('a name says day and time of the facility, and is known again', () => {
  const name = backupName(Date.parse('2026-11-26T22:30:05.900Z'), 'Africa/Cairo');
  expect(name).toBe('haris-2026-11-27-003005.backup');
  expect(isUnfinished(`${name}.part`)).toBe(true);
  expect(isUnfinished(name)).toBe(false);
});

test('after two years of nights: seven days, the last of each of four weeks and of twelve months', () => {
  const nights = Array.from({ length: 731 }, (_, number) => number);
  // 2025-12-31, a Wednesday.
  expect(daysOf(keepEachNight(nights)).reverse()).toEqual([
    '2025-12-31',
    '2025-12-30',
    '2025-12-29',
    '2025-12-28',
    '2025-12-27',
    '2025-12-26',
    '2025-12-25',
    '2025-12-21',
    '2025-12-14',
    '2025-11-30',
    '2025-10-31',
    '2025-09-30',
    '2025-08-31',
    '2025-07-31',
    '2025-06-30',
    '2025-05-31',
    '2025-04-30',
    '2025-03-31',
    '2025-02-28',
    '2025-01-31',
  ]);
});

test('a week begins on Monday, also around the new year', () => {
  // Mondays, and the Sundays before them.
  const days = ['2024-12-29', '2024-12-30', '2025-01-05', '2025-01-06', '2025-01-12', '2025-01-13'];
  const more = Array.from({ length: 7 }, (_, number) => `2025-01-${20 + number}`);
  const names = [...days, ...more].map((day) => `haris-${day}-023000.backup`);
  const old = chooseOld(names, names.at(-1) ?? '');
  // Kept: the seven days (one week), 13 January, 12 January, 5 January, and the last of December.
  expect(daysOf(old).sort()).toEqual(['2024-12-29', '2025-01-06']);
});

test('after nights with a clock that was a year ahead, the real ones are kept as if those were not there', () => {
  const ahead = Array.from({ length: 60 }, (_, number) => nameAt(400 + number));
  const real = Array.from({ length: 7 }, (_, number) => nameAt(101 + number));
  expect(chooseOld([...ahead, ...real], nameAt(107))).toEqual([]);
});

describe('of any folder', () => {
  const nights = fc.uniqueArray(fc.nat(900), { minLength: 1, maxLength: 120 });
  const times = fc.array(fc.tuple(fc.nat(900), fc.constantFrom('000000', '023000', '071502', '235959')), {
    minLength: 1,
    maxLength: 80,
  });

  test('it keeps what was just made, what is later, and at most one for each period', () => {
    fc.assert(
      fc.property(times, fc.nat(), (made, which) => {
        const names = [...new Set(made.map(([day, time]) => nameAt(day, time)))];
        const just = names[which % names.length] ?? '';
        const old = chooseOld(names, just);
        const left = names.filter((name) => !old.includes(name));
        expect(left).toContain(just);
        // What a clock that was ahead has made stays, and takes nobody's place.
        const later = names.filter((name) => name > just);
        expect(left).toEqual(expect.arrayContaining(later));
        expect(left.length - later.length).toBeLessThanOrEqual(7 + 4 + 12);
        const known = names.filter((name) => name <= just);
        expect(chooseOld(known, just)).toEqual(old);
        // Every day that has a backup among the last seven still has one.
        const lastDays = [...new Set(daysOf(known).sort().reverse())].slice(0, 7);
        expect(daysOf(left)).toEqual(expect.arrayContaining(lastDays));
        // What is left is needed: a second look removes nothing.
        expect(chooseOld(left, just)).toEqual([]);
      }),
    );
  });

  test('night by night, the same is left as if all were looked at on the last one', () => {
    fc.assert(
      fc.property(nights, (some) => {
        const sorted = [...some].sort((a, b) => a - b);
        const names = sorted.map((night) => nameAt(night));
        const old = chooseOld(names, names.at(-1) ?? '');
        expect(keepEachNight(sorted)).toEqual(names.filter((name) => !old.includes(name)));
      }),
    );
  });

  test('it never chooses a file with another name', () => {
    const others = [
      '.haris-backups',
      'haris-2020-01-01.bak',
      'haris-2020-01-01.backup',
      'haris-2020-02-30-023000.backup',
      'haris-2020-13-01-023000.backup',
      'haris-2020-01-01-023000.backup.part',
      'haris-2020-01-01-023000.backup.old',
      'a-haris-2020-01-01-023000.backup',
      'haris-2020-01-01-0230000.backup',
      'haris-2020-01-01-023000xbackup',
      'before-160-20200101T003000Z.backup',
      'master.key',
    ];
    // More than is kept, so that whatever is taken for an old backup is chosen.
    const own = Array.from({ length: 500 }, (_, night) => nameAt(night));
    const made = nameAt(499);
    const old = chooseOld([...others, ...own], made);
    expect(old).toHaveLength(500 - 20);
    expect(own).toEqual(expect.arrayContaining(old));
    fc.assert(
      fc.property(fc.array(fc.string()), (strange) => {
        expect(chooseOld([...strange, ...own], made)).toEqual(old);
      }),
      { numRuns: 20 },
    );
  });
});
