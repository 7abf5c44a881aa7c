import { describe, expect, it } from 'vitest';
import { freshnessOf, frozenAfter } from './freshness.ts';

describe('freshnessOf', () => {
  const last = { capturedAt: 1_000_000, drawnAt: 500 };

  it('is the age of the picture by the clock of the server', () => {
    expect(freshnessOf(last, 1_000_340, 540)).toEqual({ kind: 'live', tenths: 3 });
  });

  it('is still live, and old, where the way is long', () => {
    expect(freshnessOf(last, 1_004_000, 700)).toEqual({ kind: 'live', tenths: 40 });
  });

  it('never says that a picture is from the future', () => {
    expect(freshnessOf(last, 999_000, 540)).toEqual({ kind: 'live', tenths: 0 });
  });

  it('is frozen once nothing has come for two seconds, whatever the clock says', () => {
    expect(freshnessOf(last, 1_001_900, 2_499)).toMatchObject({ kind: 'live' });
    expect(freshnessOf(last, 1_000_000, 2_500)).toEqual({ kind: 'frozen', since: 1_000_000 });
  });

  it('of a slow list is frozen once three pictures did not come', () => {
    expect(frozenAfter(0)).toBe(2_000);
    expect(frozenAfter(1_000)).toBe(2_000);
    expect(freshnessOf(last, 1_000_000, 15_499, frozenAfter(5_000))).toMatchObject({ kind: 'live' });
    expect(freshnessOf(last, 1_000_000, 15_500, frozenAfter(5_000))).toMatchObject({ kind: 'frozen' });
  });

  it('says nothing before the first picture', () => {
    expect(freshnessOf(null, 1_000_000, 500)).toEqual({ kind: 'none' });
  });
});
