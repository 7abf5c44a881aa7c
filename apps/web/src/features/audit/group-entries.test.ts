/** Days and repeated views of the audit log's timeline. */
import type { AuditEntry } from '@haris/contract/objects';
import { expect, test } from 'vitest';
import { groupEntries } from './group-entries.ts';

let seq = 100;
function entry(action: string, at: string, actor = 'salma'): AuditEntry {
  const person = { kind: 'admin', id: actor, name: actor, photo: null };
  return { seq: seq--, at, action, actor: person, subject: null, from: null, requestId: null, details: {} };
}
const dayOf = (at: string) => at.slice(0, 10);
const shapeOf = (entries: AuditEntry[]) =>
  groupEntries(entries, dayOf).map(({ day, moments }) => [
    day,
    ...moments.map((moment) => `${moment[0].action} × ${moment.length}`),
  ]);

test('views of one person are one moment; the same by another person, or an act in between, is another', () => {
  const day = '2026-03-18T10:00:00Z';
  expect(
    shapeOf([
      entry('photo.viewed', day),
      entry('photo.viewed', day),
      entry('photo.viewed', day, 'adel'),
      entry('child.checked_in', day),
      entry('child.checked_in', day),
      entry('photo.viewed', day),
    ]),
  ).toEqual([
    [
      '2026-03-18',
      'photo.viewed × 2',
      'photo.viewed × 1',
      'child.checked_in × 1',
      'child.checked_in × 1',
      'photo.viewed × 1',
    ],
  ]);
});

test('midnight parts views', () => {
  expect(
    shapeOf([entry('photo.viewed', '2026-03-18T00:01:00Z'), entry('photo.viewed', '2026-03-17T23:59:00Z')]),
  ).toEqual([
    ['2026-03-18', 'photo.viewed × 1'],
    ['2026-03-17', 'photo.viewed × 1'],
  ]);
});

test('nothing has no day', () => {
  expect(shapeOf([])).toEqual([]);
});
