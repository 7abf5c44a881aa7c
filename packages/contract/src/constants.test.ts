import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  COUNTDOWN_REFRESH_MS,
  DATA_CACHE_MS,
  DEFAULT_ENTRY_PERIOD_MINUTES,
  ENTRY_PERIODS_MINUTES,
  PARENT_PASSWORD_MIN,
  SIDEBAR_MOBILE_BELOW_PX,
  TOAST_BLANK_MS,
  TOAST_ERROR_MS,
  TOAST_LIMIT,
  TOAST_SUCCESS_MS,
  TOKEN_STORAGE_KEY,
} from './constants.ts';

const PX_PER_EM = 16;

test('the numbers and names of the specification stand here as it has them', () => {
  expect(PARENT_PASSWORD_MIN).toBe(6);
  expect(ENTRY_PERIODS_MINUTES).toEqual([30, 60, 120, 240]);
  expect(DEFAULT_ENTRY_PERIOD_MINUTES).toBe(30);
  expect(COUNTDOWN_REFRESH_MS).toBe(1000);
  expect([TOAST_ERROR_MS, TOAST_BLANK_MS, TOAST_SUCCESS_MS]).toEqual([4000, 4000, 2000]);
  expect(TOAST_LIMIT).toBe(20);
  expect(DATA_CACHE_MS).toBe(60_000);
  expect(SIDEBAR_MOBILE_BELOW_PX).toBe(768);
  expect(TOKEN_STORAGE_KEY).toBe('token');
});

// A style sheet cannot import a constant, so this test keeps the two equal.
test("the staff's rail gives way to the bar of phones at the width that the specification says", () => {
  const sheet = new URL('../../../apps/web/src/app/shell/rail.module.css', import.meta.url);
  const css = readFileSync(sheet, 'utf8');
  const widths = [...css.matchAll(/@media[^{]*width:\s*([0-9.]+)em/g)].map(
    ([, em]) => Number(em) * PX_PER_EM,
  );
  expect(widths.length).toBeGreaterThan(0);
  // `max-width: 47.99em` and `min-width: 48em` are the same edge.
  for (const width of widths) expect(Math.round(width)).toBe(SIDEBAR_MOBILE_BELOW_PX);
});
