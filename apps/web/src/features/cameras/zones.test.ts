import { ZONE_POINTS_MAX, ZONES_MAX, zoneSchema } from '@haris/contract/http/cameras';
import { describe, expect, it } from 'vitest';
import { addPoint, addZone, movePoint, moveZone, removePoint, removeZone, type Zones } from './zones.ts';

const square: Zones = [
  [
    [0.2, 0.2],
    [0.4, 0.2],
    [0.4, 0.4],
    [0.2, 0.4],
  ],
];

describe('zones', () => {
  it('are added until there are as many as may be, each of which the contract takes', () => {
    let zones: Zones = [];
    for (let count = 0; count < ZONES_MAX + 3; count++) zones = addZone(zones);
    expect(zones).toHaveLength(ZONES_MAX);
    for (const zone of zones) expect(zoneSchema.safeParse(zone).success).toBe(true);
  });

  it('are not added over one another', () => {
    let zones: Zones = [];
    for (let count = 0; count < 9; count++) zones = addZone(zones);
    const boxes = zones.map((zone) => ({
      left: Math.min(...zone.map(([x]) => x)),
      right: Math.max(...zone.map(([x]) => x)),
      top: Math.min(...zone.map(([, y]) => y)),
      bottom: Math.max(...zone.map(([, y]) => y)),
    }));
    for (const [at, one] of boxes.entries())
      for (const other of boxes.slice(at + 1))
        expect(
          one.right <= other.left ||
            other.right <= one.left ||
            one.bottom <= other.top ||
            other.bottom <= one.top,
        ).toBe(true);
  });

  it('are removed one by one', () => {
    const two = addZone(square);
    expect(removeZone(two, 0)).toEqual([two[1]]);
  });

  it('keep their corners in the picture', () => {
    expect(movePoint(square, 0, 1, [1.4, -0.3])[0]?.[1]).toEqual([1, 0]);
  });

  it('keep their form when they are moved against the edge', () => {
    expect(moveZone(square, 0, [0.9, -0.9])[0]).toEqual([
      [0.8, 0],
      [1, 0],
      [1, 0.2],
      [0.8, 0.2],
    ]);
  });

  it('get a corner halfway to the next, also after the last', () => {
    expect(addPoint(square, 0, 3)[0]?.at(-1)).toEqual([0.2, 0.3]);
    let zones = square;
    for (let count = 0; count < ZONE_POINTS_MAX; count++) zones = addPoint(zones, 0, 0);
    expect(zones[0]).toHaveLength(ZONE_POINTS_MAX);
  });

  it('never have fewer than three corners', () => {
    const triangle = removePoint(square, 0, 0);
    expect(triangle[0]).toHaveLength(3);
    expect(removePoint(triangle, 0, 0)).toEqual(triangle);
  });
});
