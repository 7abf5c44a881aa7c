/** The limit of children that an area had in the settings becomes the capacity of its room (decision 043). */
import { foldForSearch } from '@haris/contract/search/folding';
import { type Kysely, sql } from 'kysely';

/** Largest capacity of a room. A limit could be larger. */
const MOST = 1000;

interface Area {
  readonly area?: unknown;
  readonly capacity?: unknown;
}

export const areaCapacity = {
  async up(db: Kysely<unknown>): Promise<void> {
    const { rows } = await sql<{ facility_id: string; value: string }>`
      select facility_id, value from settings where key = 'areaAlarms'`.execute(db);
    for (const { facility_id: facility, value } of rows) {
      const areas = readAreas(value);
      if (areas === null) continue;
      for (const { area, capacity } of limitsOf(areas))
        await sql`update rooms set capacity = ${capacity}, capacity_kind = 'soft'
          where facility_id = ${facility} and sort_name = ${foldForSearch(area)} and capacity is null`.execute(
          db,
        );
      await sql`update settings set value = ${JSON.stringify(withoutCapacity(areas))}
        where facility_id = ${facility} and key = 'areaAlarms'`.execute(db);
    }
    // The facility's own limit is the only one left. Open incidents of areas end automatically.
    await sql`update incidents set condition = 'capacity' where condition = 'capacity ' and cleared_at is null`.execute(
      db,
    );
  },
};

/** The strictest first: two spellings may name one room. */
function limitsOf(areas: readonly Area[]): { area: string; capacity: number }[] {
  return areas
    .flatMap(({ area, capacity }) =>
      typeof area === 'string' && typeof capacity === 'number' && capacity >= 1
        ? [{ area, capacity: Math.min(Math.floor(capacity), MOST) }]
        : [],
    )
    .sort((a, b) => a.capacity - b.capacity);
}

/** An area that has no other setting needs no entry. */
function withoutCapacity(areas: readonly Area[]): Area[] {
  return areas
    .map(({ capacity: _capacity, ...rest }) => rest)
    .filter((area) => Object.keys(area).some((key) => key !== 'area'));
}

/** Null for an invalid value, which is ignored wherever it is read. */
function readAreas(value: string): Area[] | null {
  try {
    const areas: unknown = JSON.parse(value);
    return Array.isArray(areas) && areas.every((one) => typeof one === 'object' && one !== null)
      ? areas
      : null;
  } catch {
    return null;
  }
}
