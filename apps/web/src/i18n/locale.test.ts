/** The form of dates and times by language and region, and the facility's time zone. */
import { afterEach, expect, test } from 'vitest';
import { localeOf, momentFormat, setPlace } from './locale.ts';

const usual = { timeZone: 'Africa/Cairo', region: 'EG' };
const noon = new Date('2026-11-22T13:05:00Z');

function format(language: string, region: string, timeZone = 'Africa/Cairo'): string {
  setPlace({ timeZone, region });
  // Some versions of ICU have a narrow space before AM and PM.
  return momentFormat(language, { dateStyle: 'short', timeStyle: 'short' })
    .format(noon)
    .replaceAll('\u202F', ' ');
}

afterEach(() => setPlace(usual));

test.each([
  ['EG', '22/11/2026, 3:05 PM'],
  ['SA', '22/11/2026, 3:05 PM'],
  ['GB', '22/11/2026, 15:05'],
  ['DE', '22/11/2026, 15:05'],
  ['TR', '22/11/2026, 15:05'],
  ['US', '11/22/26, 3:05 PM'],
])('English in %s reads %s', (region, text) => {
  expect(format('en', region)).toBe(text);
});

test.each(['EG', 'SA', 'AE', 'MA'])('Arabic in %s has Arabic digits and the Gregorian calendar', (region) => {
  expect(format('ar', region).replace(/\u200F/g, '')).toMatch(/^٢٢\/١١\/٢٠٢٦/);
  expect(new Intl.NumberFormat(localeOf('ar')).format(40)).toBe('٤٠');
});

test('the zone is the facility’s, on whatever device', () => {
  expect(format('en', 'EG', 'Asia/Tokyo')).toBe('22/11/2026, 10:05 PM');
  expect(format('en', 'EG', 'America/New_York')).toBe('22/11/2026, 8:05 AM');
});

test('an unknown zone is refused and changes nothing', () => {
  setPlace(usual);
  expect(() => setPlace({ timeZone: 'Mars/Olympus', region: 'US' })).toThrow(RangeError);
  expect(localeOf('en')).toBe('en-AE');
});
