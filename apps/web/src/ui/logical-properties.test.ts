/** Checks that no style sheet names right and left where Arabic needs the two sides exchanged. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../', import.meta.url);
/** A shorthand with four values: top, right, bottom, left. */
const SIDES = /(?:padding|margin|inset): *([^\s()]+) ([^\s()]+) ([^\s()]+) ([^\s()]+);/g;

test('four values of a shorthand have the same distance right and left', () => {
  const sheets = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.css'),
  );
  expect(sheets.length).toBeGreaterThan(50);
  const uneven = sheets.flatMap((name) =>
    [...readFileSync(new URL(name, ROOT), 'utf8').matchAll(SIDES)]
      // The copy of a dragged child follows the pointer, whose place has no direction.
      .filter(([text, , right, , left]) => right !== left && text !== 'inset: 0 auto auto 0;')
      .map(([text]) => `${name}: ${text}`),
  );
  expect(uneven).toEqual([]);
});
