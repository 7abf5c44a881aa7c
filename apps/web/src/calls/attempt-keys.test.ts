import { afterEach, describe, expect, it, vi } from 'vitest';
import { createAttemptKeys } from './attempt-keys.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('createAttemptKeys', () => {
  it('keeps the key of an attempt that got no answer', () => {
    const keys = createAttemptKeys();
    const key = keys.keyFor('check-out:a');
    expect(keys.keyFor('check-out:a')).toBe(key);
    keys.settle('check-out:a', 'unknown');
    expect(keys.keyFor('check-out:a')).toBe(key);
  });

  it('makes a new key after an answer', () => {
    const keys = createAttemptKeys();
    const key = keys.keyFor('check-out:a');
    keys.settle('check-out:a', 'answered');
    expect(keys.keyFor('check-out:a')).not.toBe(key);
  });

  it('makes a new key once a repeated press is no longer a retry', () => {
    let now = 0;
    const keys = createAttemptKeys({ openForMs: 1000, now: () => now });
    const key = keys.keyFor('nappy:a');
    keys.settle('nappy:a', 'unknown');
    now = 999;
    expect(keys.keyFor('nappy:a')).toBe(key);
    now = 1000;
    expect(keys.keyFor('nappy:a')).not.toBe(key);
  });

  it('keeps attempts at different things apart', () => {
    const keys = createAttemptKeys();
    const all = ['check-in:a:30', 'check-in:a:60', 'check-in:b:30'].map((subject) => keys.keyFor(subject));
    expect(new Set(all).size).toBe(3);
    keys.settle('check-in:a:30', 'answered');
    expect(keys.keyFor('check-in:a:60')).toBe(all[1]);
  });

  it('makes keys that the contract accepts, also without a secure context', () => {
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
    const keys = createAttemptKeys();
    expect(keys.keyFor('a')).toMatch(/^[\x21-\x7e]{32,200}$/);
    expect(keys.keyFor('a')).not.toBe(keys.keyFor('b'));
  });
});
