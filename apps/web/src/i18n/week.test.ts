import { afterEach, describe, expect, it, vi } from 'vitest';
import { weekdayName, weekOf } from './week.ts';

afterEach(() => vi.unstubAllGlobals());

describe('weekOf', () => {
  it('is that of the region', () => {
    expect(['EG', 'GB', 'US', 'SA'].map((region) => weekOf(region).firstDay)).toEqual([6, 1, 7, 7]);
    expect(['EG', 'GB'].map((region) => weekOf(region).weekend)).toEqual([
      [5, 6],
      [6, 7],
    ]);
  });

  it('is Egypt’s where the browser knows none', () => {
    vi.stubGlobal('Intl', { Locale: class {} });
    expect(weekOf('GB')).toEqual({ firstDay: 6, weekend: [5, 6] });
  });
});

describe('weekdayName', () => {
  it('is in the language', () => {
    expect([1, 6, 7].map((day) => weekdayName(day, 'en'))).toEqual(['Monday', 'Saturday', 'Sunday']);
    expect(weekdayName(6, 'ar')).toBe('السبت');
  });
});
