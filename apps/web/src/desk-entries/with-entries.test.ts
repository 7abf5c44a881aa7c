/** Who is inside by the list of a desk tablet and what it wrote since. */
import type { DeskList, KeptChild, OutsideChild } from '@haris/contract/desk-list';
import { expect, test } from 'vitest';
import { withEntries } from './with-entries.ts';
import type { WrittenEntry } from './written.ts';

const AT = Date.parse('2026-11-28T12:00:00.000Z');

const insideOf = (name: string): KeptChild => ({
  id: name,
  name,
  isUnconfirmed: false,
  guardian: { name: `Mother of ${name}`, phone: '01001234567' },
  room: 'Bees',
  entryTime: '2026-11-28T08:00:00.000Z',
  duration: 240,
  card: null,
  isCardUnreadable: false,
});
const outsideOf = (name: string, over: Partial<OutsideChild> = {}): OutsideChild => ({
  id: name,
  name,
  isUnconfirmed: false,
  guardian: `Father of ${name}`,
  homeRoomId: null,
  hasCard: false,
  ...over,
});
const list: DeskList = {
  inside: [insideOf('Adam'), insideOf('Omar')],
  outside: [outsideOf('Layla', { isUnconfirmed: true }), outsideOf('Ziad', { guardian: null })],
  checkIn: { rooms: [{ id: 'ants', name: 'Ants', isDefault: true }] },
};
const written = (childId: string, over: Partial<WrittenEntry> = {}): WrittenEntry => ({
  id: `entry-of-${childId}`,
  seq: 1,
  kind: 'check_in',
  childId,
  at: AT,
  isUnsure: false,
  minutes: 60,
  roomId: 'ants',
  state: 'waiting',
  ...over,
});
const names = (children: readonly { name: string }[]) => children.map(({ name }) => name);

test('without entries the list stays as it is', () => {
  const merged = withEntries(list, []);
  const before = list.inside.map((child) => ({ ...child, written: null, hasCardElsewhere: false }));
  expect(merged.inside).toEqual(before);
  expect(merged.outside).toEqual(list.outside);
  expect(merged.checkIn).toBe(list.checkIn);
  expect(merged.unknown).toEqual([]);
});

test('a child that was checked in here is inside, among the others by name, with what the list knows', () => {
  const entry = written('Layla');
  const merged = withEntries(list, [entry]);
  expect(names(merged.inside)).toEqual(['Adam', 'Layla', 'Omar']);
  expect(names(merged.outside)).toEqual(['Ziad']);
  expect(merged.inside[1]).toEqual({
    id: 'Layla',
    name: 'Layla',
    isUnconfirmed: true,
    guardian: { name: 'Father of Layla', phone: null },
    room: 'Ants',
    entryTime: '2026-11-28T12:00:00.000Z',
    duration: 60,
    card: null,
    isCardUnreadable: false,
    written: entry,
    hasCardElsewhere: false,
  });
});

test.each(['told', 'refused'] as const)('so it is while its entry is “%s”', (state) => {
  expect(names(withEntries(list, [written('Ziad', { state })]).inside)).toEqual(['Adam', 'Omar', 'Ziad']);
});

test('a guardian or a room that nobody may name, or that is not known, is empty', () => {
  const [, , ziad] = withEntries(list, [written('Ziad', { roomId: 'gone' })]).inside;
  expect(ziad).toMatchObject({ guardian: null, room: null });
  const [, , homeless] = withEntries({ ...list, checkIn: null }, [written('Ziad', { roomId: null })]).inside;
  expect(homeless?.room).toBeNull();
});

test('a care card that is not on the tablet is known, and so is that nobody knows', () => {
  const outside = [outsideOf('Layla', { hasCard: true }), outsideOf('Ziad')];
  const entries = [written('Layla'), written('Ziad')];
  const cards = (given: DeskList) => withEntries(given, entries).inside.map((one) => one.hasCardElsewhere);
  expect(cards({ inside: [], outside, checkIn: { rooms: [] } })).toEqual([true, false]);
  // A list without check-ins has the names alone.
  expect(cards({ inside: [], outside, checkIn: null })).toEqual([null, null]);
});

test('a child whom the list has inside stays as the list has it', () => {
  const merged = withEntries(list, [written('Omar')]);
  expect(merged.inside[1]).toEqual({ ...list.inside[1], written: null, hasCardElsewhere: false });
  expect(merged.inside).toHaveLength(2);
  expect(merged.unknown).toEqual([]);
});

test('of two entries of a child the newer one counts, and the child is there once', () => {
  const newer = written('Layla', { id: 'second', seq: 2, at: AT + 60_000 });
  const merged = withEntries(list, [written('Layla'), newer]);
  expect(merged.inside.filter(({ name }) => name === 'Layla').map((child) => child.written)).toEqual([newer]);
});

test('a check-in of a child whom the list does not have is not lost', () => {
  const entry = written('somebody');
  const merged = withEntries(list, [entry]);
  expect(names(merged.inside)).toEqual(['Adam', 'Omar']);
  expect(merged.unknown).toEqual([entry]);
});
