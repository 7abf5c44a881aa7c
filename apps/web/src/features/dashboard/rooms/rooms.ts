/** The rooms of the facility with their camera and the children seen there. Pure. */
import type { Camera } from '@haris/contract/http/cameras';
import type { Room as KnownRoom } from '@haris/contract/http/rooms';
import type { Child } from '@haris/contract/objects';

export interface Room {
  readonly name: string;
  /** The camera to show: a live one if there is one; null without a camera. */
  readonly camera: Camera | null;
  /** Number of other cameras in the room. */
  readonly more: number;
  /** Children whom a camera saw here last during their stay. */
  readonly count: number;
  /** The room's data from the server if rooms are kept; null otherwise. */
  readonly known: KnownRoom | null;
}

export interface Rooms {
  /** By name. */
  readonly rooms: readonly Room[];
  /** Children inside whom no camera has seen during their stay: nobody knows their room. */
  readonly unseen: number;
}

/** Whether anybody has set rooms up or uses them. If not, all children are in the default room, which says nothing. */
function areKept(known: readonly KnownRoom[]): boolean {
  return known.some(
    ({ isDefault, children, capacity, ratios, staff }) =>
      capacity !== null || ratios.length > 0 || staff.length > 0 || (!isDefault && children > 0),
  );
}

/**
 * Every room that has a camera or a sensor, or in which a child was seen; where rooms are kept, all of them with their
 * own numbers.
 */
export function roomsOf(
  cameras: readonly Camera[],
  measured: readonly string[],
  inside: readonly Child[],
  known: readonly KnownRoom[] = [],
): Rooms {
  const kept = areKept(known) ? known : [];
  const seenIn = (name: string) => inside.filter(({ lastSeen }) => lastSeen?.area === name).length;
  const areas = inside.flatMap(({ lastSeen }) => (lastSeen == null ? [] : lastSeen.area));
  const names = new Set([
    ...cameras.map(({ area }) => area),
    ...measured,
    ...(kept.length > 0 ? kept.map(({ name }) => name) : areas),
  ]);
  const rooms = [...names]
    .toSorted((a, b) => a.localeCompare(b))
    .map((name): Room => {
      const here = cameras.filter(({ area }) => area === name);
      const camera = here.find(({ state }) => state === 'live') ?? here[0] ?? null;
      const own = kept.find((one) => one.name === name) ?? null;
      const count = own?.children ?? seenIn(name);
      return { name, camera, more: Math.max(0, here.length - 1), count, known: own };
    });
  return { rooms, unseen: kept.length > 0 ? 0 : inside.length - areas.length };
}
