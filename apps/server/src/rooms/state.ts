/** The current state of each room: children, staff, the ratio that applies, and whether it is over its limits. */
import type { Room, RoomRatio } from '@haris/contract/http/rooms';
import { ageInMonths, dayOf, periodRange } from '../calendar.ts';
import { toMoment } from '../clock.ts';
import type { Context } from '../context.ts';
import { findStaffInRooms, hasClockedIn } from '../db/room-staff.ts';
import { findRooms, findRoomsOfChildren, findRoomUses } from '../db/rooms.ts';
import type { RoomRow } from '../db/schema.ts';
import { readSettings } from '../db/settings.ts';

type Reader = Context['db'];

/** When the facility's present day began, and its date. */
export async function readDay(
  db: Reader,
  { config, clock }: Pick<Context, 'config' | 'clock'>,
): Promise<{ readonly date: string; readonly start: number }> {
  const { timeZone } = await readSettings(db, config);
  const date = dayOf(clock.now(), timeZone);
  return { date, start: periodRange('day', date, 1, timeZone).from };
}

/** A room's ratios as stored. */
function ratiosOf({ ratios }: Pick<RoomRow, 'ratios'>): RoomRatio[] {
  return JSON.parse(ratios);
}

/**
 * The ratio that the youngest child decides; a child of unknown age counts as the youngest of all, and one who is older
 * than every band counts in the last. Null without children, and without ratios.
 */
function findRatio(ratios: readonly RoomRatio[], ages: readonly (number | null)[]): Room['ratio'] {
  if (ages.length === 0) return null;
  const youngest = Math.min(...ages.map((age) => age ?? Number.NEGATIVE_INFINITY));
  const band = ratios.find(({ underMonths }) => youngest < underMonths) ?? ratios.at(-1);
  if (!band) return null;
  const { childrenPerStaff } = band;
  return { childrenPerStaff, staffNeeded: Math.ceil(ages.length / childrenPerStaff) };
}

/** All rooms by name. */
export async function readRooms(
  db: Reader,
  context: Pick<Context, 'config' | 'clock'>,
  facility: string,
): Promise<Room[]> {
  const day = await readDay(db, context);
  const children = Map.groupBy(await findRoomsOfChildren(db, facility), ({ room_id }) => room_id);
  const staff = Map.groupBy(await findStaffInRooms(db, facility, day.start), ({ room_id }) => room_id);
  const isKept = await hasClockedIn(db, facility, day.start);
  const usesOf = await findRoomUses(db);
  return (await findRooms(db, facility)).map((row) => {
    const inside = children.get(row.id) ?? [];
    const present = staff.get(row.id) ?? [];
    const ratios = ratiosOf(row);
    const ages = inside.map(({ birth_date }) =>
      birth_date === null ? null : ageInMonths(birth_date, day.date),
    );
    const ratio = findRatio(ratios, ages);
    return {
      _id: row.id,
      name: row.name,
      capacity: row.capacity,
      capacityKind: row.capacity_kind,
      ratios,
      isDefault: row.is_default === 1,
      children: inside.length,
      staff: present.map(({ staff_id, name, from_at }) => ({
        _id: staff_id,
        name,
        since: toMoment(from_at),
      })),
      ratio,
      isOverCapacity: row.capacity !== null && inside.length > row.capacity,
      isUnderstaffed: isKept ? ratio !== null && present.length < ratio.staffNeeded : null,
      ...usesOf(row),
    };
  });
}
