/** Which camera shows a child, with cameras of two facilities. */
import { expect, test } from 'vitest';
import type { Context } from '../../context.ts';
import type { CameraRow } from '../../db/schema.ts';
import { makeClock } from '../../testing/clock.ts';
import { createPlacements } from './placement.ts';

const camera = (id: string, facility_id: string) => ({ id, facility_id, enabled: 1 }) as CameraRow;
const clock = makeClock();
const place = (facility: string | null, at: string | null = null) => ({
  ...({ subject: { kind: 'child', id: 'child' }, entryTime: clock.now() - 1000, facility } as const),
  cameraId: () => at,
});

function twoPlaces(live: readonly string[]) {
  const report = (id: string) => (live.includes(id) ? { state: 'live' } : null);
  const placements = createPlacements({ clock, live: { report } as unknown as Context['live'] });
  placements.setCameras([camera('a here', 'here'), camera('b there', 'there')]);
  return placements;
}

test('a child that nobody has seen is shown by a camera of its facility, and by no other', () => {
  expect(twoPlaces(['a here', 'b there']).place(place('there'))).toMatchObject({
    camera: { id: 'b there' },
    waiting: { reason: 'not_seen_yet' },
  });
  const placements = twoPlaces(['a here']);
  expect(placements.place(place('there'))).toMatchObject({ camera: null, waiting: { reason: 'no_camera' } });
  expect(placements.place(place(null)).camera).toBeNull();
  expect([placements.isAnyLive('here'), placements.isAnyLive('there')]).toEqual([true, false]);
});

test('a camera of another facility that takes a child for this one does not show it', () => {
  const placements = twoPlaces(['a here', 'b there']);
  placements.whereabouts.noteSeen('child', 'b there', clock.now());
  placements.whereabouts.noteSeen('child', 'a here', clock.now() - 500);
  expect(placements.place(place('here')).camera?.id).toBe('a here');
  expect(placements.place(place('here', 'b there')).camera?.id).toBe('a here');
  expect(placements.facilityOf('b there')).toBe('there');
});
