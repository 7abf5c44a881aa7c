import { describe, expect, it } from 'vitest';
import { arrivalAt } from './arrival.ts';

const now = Date.parse('2026-11-20T13:50:30.000Z');
const at = (time: string, zone: string) => {
  const moment = arrivalAt(time, now, zone);
  return moment === null ? null : new Date(moment).toISOString();
};

describe('arrivalAt', () => {
  it('is the next moment at which the clocks of the facility show the time', () => {
    expect(at('16:20', 'Africa/Cairo')).toBe('2026-11-20T14:20:00.000Z');
    expect(at('14:20', 'UTC')).toBe('2026-11-20T14:20:00.000Z');
    expect(at('19:35', 'Asia/Kolkata')).toBe('2026-11-20T14:05:00.000Z');
  });

  it('takes the current minute as now, and times past midnight', () => {
    expect(at('13:50', 'UTC')).toBe('2026-11-20T13:50:00.000Z');
    expect(arrivalAt('00:30', Date.parse('2026-11-20T23:10:00Z'), 'UTC')).toBe(
      Date.parse('2026-11-21T00:30Z'),
    );
  });

  it('is null beyond four hours, for a time just past, and for no time', () => {
    expect(at('17:50', 'UTC')).toBe('2026-11-20T17:50:00.000Z');
    expect(at('17:51', 'UTC')).toBeNull();
    expect(at('13:49', 'UTC')).toBeNull();
    for (const none of ['', '9:5', 'soon']) expect(at(none, 'UTC')).toBeNull();
  });
});
