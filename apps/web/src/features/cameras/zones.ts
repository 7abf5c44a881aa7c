/** Edits privacy zones. Pure functions from zones to zones; coordinates are fractions (0–1) of the picture. */
import { ZONE_POINTS_MAX, ZONES_MAX, type Zone } from '@haris/contract/http/cameras';

export type Point = Zone[number];
export type Zones = readonly Zone[];

/** Minimum number of corners of an area. */
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

/** Top left corners of new rectangles: the middle first, then places that cover no earlier one. */
const NEW_AT: readonly Point[] = [
  [0.36, 0.32],
  [0.06, 0.06],
  [0.7, 0.06],
  [0.06, 0.66],
  [0.7, 0.66],
  [0.38, 0.04],
  [0.38, 0.68],
  [0.06, 0.36],
  [0.7, 0.36],
];

/** Adds a rectangle beside the earlier new ones. Returns the same zones at the limit. */
export function addZone(zones: Zones): Zones {
  if (!canAddZone(zones)) return zones;
  const [left, top] = NEW_AT[zones.length % NEW_AT.length] ?? [0.36, 0.32];
  const [right, bottom] = [left + 0.24, top + 0.28];
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

/** Moves a corner within the picture. */
export function movePoint(zones: Zones, at: number, corner: number, to: Point): Zones {
  return changeZone(zones, at, (zone) => zone.map((point, index) => (index === corner ? within(to) : point)));
}

/** Moves a whole zone within the picture. */
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

/** Adds a corner halfway to the next one. Returns the same zones when the zone has the maximum number. */
export function addPoint(zones: Zones, at: number, corner: number): Zones {
  return changeZone(zones, at, (zone) => {
    const [here, next] = [zone[corner], zone[(corner + 1) % zone.length]];
    if (here === undefined || next === undefined || !canAddPoint(zone)) return zone;
    const middle = within([(here[0] + next[0]) / 2, (here[1] + next[1]) / 2]);
    return [...zone.slice(0, corner + 1), middle, ...zone.slice(corner + 1)];
  });
}

/** Removes a corner; returns the same zones when too few corners would remain. */
export function removePoint(zones: Zones, at: number, corner: number): Zones {
  return changeZone(zones, at, (zone) =>
    canRemovePoint(zone) ? zone.filter((_, index) => index !== corner) : zone,
  );
}
