/** Who receives which event: no type is forgotten, so that a screen does not wait for one in vain. */
import { eventTypeSchema } from '@haris/contract/live/events';
import { PERMISSIONS } from '@haris/contract/permissions';
import { expect, test } from 'vitest';
import { mayReceive } from './event-permissions.ts';

test.each(eventTypeSchema.options)(
  '%s reaches staff with every permission, and nobody without rights',
  (type) => {
    expect(mayReceive(new Set(PERMISSIONS), type)).toBe(true);
    expect(mayReceive(undefined, type)).toBe(false);
  },
);

test('bookings need the permission to see families; an unknown type is for nobody', () => {
  expect(mayReceive(new Set(['families.view']), 'booking.changed')).toBe(true);
  expect(mayReceive(new Set(['rooms.view']), 'booking.changed')).toBe(false);
  expect(mayReceive(new Set(PERMISSIONS), 'weather.changed')).toBe(false);
});
