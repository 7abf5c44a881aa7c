/** Privacy zones as they are drawn. Pure: takes zones, gives zones; points are parts (0–1) of the picture. */
import { ZONE_POINTS_MAX, ZONES_MAX, type Zone } from '@haris/contract/http/cameras';

export type Point = Zone[number];
export type Zones = readonly Zone[];

/** Fewer would be no area. */
const POINTS_MIN = 3;

const clamp = (part: number): number => Math.min(1, Math.max(0, Math.round(part * 10_000) / 10_000));
const within = ([x, y]: Point): Point => [clamp(x), clamp(y)];

export function canAddZone(zones: Zones): boolean {
  return zones.length < ZONES_MAX;
}

export function canAddPoint(zone: Zone): boolean {
  return zone.length < ZONE_POINTS_MAX;
}

export function canRemovePoint(zone: Zone): boolean {
  return zone.length > POINTS_MIN;
}

/** A rectangle in the middle, each a little beside the one before it. The same zones when there are as many as may be. */
export function addZone(zones: Zones): Zones {
  if (!canAddZone(zones)) return zones;
  const shift = (zones.length % 5) * 0.04;
  const [left, top, right, bottom] = [0.36 + shift, 0.32 + shift, 0.6 + shift, 0.6 + shift];
  const zone: Zone = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
  return [...zones, zone.map(within)];
}

export function removeZone(zones: Zones, at: number): Zones {
  return zones.filter((_, index) => index !== at);
}

function changeZone(zones: Zones, at: number, change: (zone: Zone) => Zone): Zones {
  return zones.map((zone, index) => (index === at ? change(zone) : zone));
}

/** Moves a corner; it stays in the picture. */
export function movePoint(zones: Zones, at: number, corner: number, to: Point): Zones {
  return changeZone(zones, at, (zone) => zone.map((point, index) => (index === corner ? within(to) : point)));
}

/** Moves a whole zone as far as it stays in the picture. */
export function moveZone(zones: Zones, at: number, [dx, dy]: Point): Zones {
  return changeZone(zones, at, (zone) => {
    const room = (axis: 0 | 1, wish: number): number => {
      const places = zone.map((point) => point[axis]);
      return Math.min(1 - Math.max(...places), Math.max(-Math.min(...places), wish));
    };
    const [x, y] = [room(0, dx), room(1, dy)];
    return zone.map((point) => within([point[0] + x, point[1] + y]));
  });
}

/** A corner halfway between this one and the next. The same zones when the zone has as many as may be. */
export function addPoint(zones: Zones, at: number, corner: number): Zones {
  return changeZone(zones, at, (zone) => {
    const [here, next] = [zone[corner], zone[(corner + 1) % zone.length]];
    if (here === undefined || next === undefined || !canAddPoint(zone)) return zone;
    const middle = within([(here[0] + next[0]) / 2, (here[1] + next[1]) / 2]);
    return [...zone.slice(0, corner + 1), middle, ...zone.slice(corner + 1)];
  });
}

/** Takes a corner out; the same zones where too few would remain. */
export function removePoint(zones: Zones, at: number, corner: number): Zones {
  return changeZone(zones, at, (zone) =>
    canRemovePoint(zone) ? zone.filter((_, index) => index !== corner) : zone,
  );
}
