import { describe, expect, it } from 'vitest';
import { hoursAndMinutes, periodTitle, timeOfStay, turnPage } from './period.ts';

describe('turnPage', () => {
  it('goes over the ends of months and years', () => {
    expect(turnPage('day', '2026-12-31', 1)).toBe('2027-01-01');
    expect(turnPage('day', '2028-03-01', -1)).toBe('2028-02-29');
    expect(turnPage('week', '2026-11-28', 1)).toBe('2026-12-05');
    expect(turnPage('month', '2026-03-31', -1)).toBe('2026-02-01');
    expect(turnPage('month', '2026-12-31', 1)).toBe('2027-01-01');
  });

  it('comes to every day once, also where the clocks change', () => {
    let day = '2026-03-01';
    for (let n = 0; n < 365; n++) day = turnPage('day', day, 1);
    expect(day).toBe('2027-03-01');
  });
});

describe('periodTitle', () => {
  const week = { firstDay: '2026-11-28', lastDay: '2026-12-04' };
  it('names the period in the language', () => {
    expect(periodTitle('day', { firstDay: '2026-11-21', lastDay: '2026-11-21' }, 'en')).toBe(
      'Saturday, 21 November 2026',
    );
    expect(periodTitle('month', { firstDay: '2026-11-01', lastDay: '2026-11-30' }, 'en')).toBe(
      'November 2026',
    );
    expect(periodTitle('week', week, 'en')).toMatch(/28 November.*4 December 2026/);
    expect(periodTitle('month', { firstDay: '2026-11-01', lastDay: '2026-11-30' }, 'ar')).toBe('نوفمبر ٢٠٢٦');
    expect(periodTitle('week', week, 'ar')).toMatch(/٢٨ نوفمبر.*٤ ديسمبر ٢٠٢٦/);
  });
});

describe('hoursAndMinutes', () => {
  it('has two digits for the minutes and as many as it takes for the hours', () => {
    expect(hoursAndMinutes(0, 'en')).toBe('0:00');
    expect(hoursAndMinutes(65, 'en')).toBe('1:05');
    expect(hoursAndMinutes(100_000, 'en')).toBe('1666:40');
    expect(hoursAndMinutes(65, 'ar')).toBe('١:٠٥');
  });
});

describe('timeOfStay', () => {
  it('names the day only where it is another', () => {
    const at = '2026-11-20T22:30:00.000Z';
    expect(timeOfStay(at, '2026-11-21', 'Africa/Cairo', 'en')).toMatch(/^12:30\sAM$/);
    expect(timeOfStay(at, '2026-11-20', 'Africa/Cairo', 'en')).toMatch(/^21 Nov 12:30\sAM$/);
  });
});
