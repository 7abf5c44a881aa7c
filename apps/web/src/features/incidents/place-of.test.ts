/** Where a child is: the camera's word, that of staff, or unknown. */
import { expect, test } from 'vitest';
import { areRoomsKept, placeOf } from './place-of.ts';

const seen = (area: string, at: string) => ({ area, at });
const put = (name: string, since: string | null) => ({ name, since });

test('what was said last counts: the camera, or staff who have moved the child since', () => {
  const lastSeen = seen('Hall', '2026-03-18T08:00:00.000Z');
  expect(placeOf({ lastSeen, room: put('Bees', '2026-03-18T07:00:00.000Z') }, true)).toEqual({
    name: 'Hall',
    seenAt: lastSeen.at,
  });
  expect(placeOf({ lastSeen, room: put('Bees', '2026-03-18T09:00:00.000Z') }, true)).toEqual({
    name: 'Bees',
    seenAt: null,
  });
  expect(placeOf({ lastSeen: null, room: put('Bees', '2026-03-18T09:00:00.000Z') }, true)?.name).toBe('Bees');
});

test('a room of before there were rooms, and one where nobody keeps rooms, is unknown', () => {
  expect(placeOf({ lastSeen: null, room: put('Main room', null) }, true)).toBeNull();
  const room = put('Main room', '2026-03-18T09:00:00.000Z');
  expect(
    areRoomsKept([
      { lastSeen: null, room },
      { lastSeen: null, room },
    ]),
  ).toBe(false);
  expect(placeOf({ lastSeen: null, room }, false)).toBeNull();
  const lastSeen = seen('Hall', '2026-03-18T08:00:00.000Z');
  expect(placeOf({ lastSeen, room }, false)?.name).toBe('Hall');
  expect(
    areRoomsKept([
      { lastSeen: null, room },
      { lastSeen: null, room: put('Bees', room.since) },
    ]),
  ).toBe(true);
});
