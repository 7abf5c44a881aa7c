/** The privacy page has the same content as docs/privacy.md. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import texts from '../../i18n/en/legal.json' with { type: 'json' };
import { PRIVACY_ROWS } from './privacy-screen.tsx';

const document = readFileSync(new URL('../../../../../docs/privacy.md', import.meta.url), 'utf8');

/** Cells of each row: person, data, place, retention, access. */
function rowsOfDocument(): string[][] {
  const lines = document.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .replaceAll('`', '')
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test('each row of the table stands on the page, in the same words', () => {
  const { rows } = texts.privacy;
  const shown = PRIVACY_ROWS.flatMap(([, names]) => names.map((name) => rows[name]));
  expect(shown.map(({ what, where, long, who }) => [what, where, long, who])).toEqual(
    rowsOfDocument().map(([, ...cells]) => cells),
  );
  expect(Object.keys(rows)).toHaveLength(shown.length);
});

test('each paragraph of the document has one on the page', () => {
  const headings = [...document.matchAll(/^\*\*(.+?)\.\*\*/gm)].map(([, heading]) => heading);
  const { keys, backups, deleting, looked, logs, leaves, notices, who, device } = texts.privacy;
  expect(headings).toEqual([keys, backups, deleting, looked, logs, leaves, notices, who, device]);
});
