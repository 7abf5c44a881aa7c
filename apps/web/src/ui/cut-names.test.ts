/** Checks that a text which may be cut takes its direction from itself: else a Latin name in Arabic loses its beginning. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../', import.meta.url);
/** The opening tag of an element that the component library cuts. */
const CUT = /<[A-Z][\w.]*(?=\s)(?:(?!=>)=|[^<>=]|=>)*?\b(?:truncate|lineClamp)\b(?:=>|[^>])*?>/g;

test('what cuts a name has the name’s direction', () => {
  const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.tsx') && !name.endsWith('.test.tsx'),
  );
  const tags = files.flatMap((name) =>
    [...readFileSync(new URL(name, ROOT), 'utf8').matchAll(CUT)].map(([tag]) => ({ name, tag })),
  );
  expect(tags.length).toBeGreaterThan(5);
  expect(tags.filter(({ tag }) => !tag.includes('dir="auto"'))).toEqual([]);
});
