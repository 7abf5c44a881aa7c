/** Fails a test that writes to console.error or console.warn; expected output must be caught by a spy. */
import { afterEach, beforeEach, expect } from 'vitest';

const original = { error: console.error, warn: console.warn };
let stray: string[] = [];

beforeEach(() => {
  stray = [];
  for (const level of ['error', 'warn'] as const) {
    console[level] = (...words: unknown[]) => {
      stray.push(
        `console.${level}: ${words.map((word) => (word instanceof Error ? word.stack : String(word))).join(' ')}`,
      );
    };
  }
});

afterEach(() => {
  console.error = original.error;
  console.warn = original.warn;
  expect(stray, 'nothing may be written to console.error or console.warn').toEqual([]);
});
