import { describe, expect, it } from 'vitest';
import { lastDigits } from './national-id.ts';

describe('lastDigits', () => {
  it('shows four digits of a masked ID', () => {
    expect(lastDigits('**********4321')).toBe('4321');
    expect(lastDigits('••••••••••4321')).toBe('4321');
  });

  it('shows no more of one that came unmasked', () => {
    expect(lastDigits('29001011234567')).toBe('4567');
  });

  it('is null for the first administrator, who has none', () => {
    expect(lastDigits(null)).toBeNull();
    expect(lastDigits('')).toBeNull();
    expect(lastDigits('****')).toBeNull();
  });
});
