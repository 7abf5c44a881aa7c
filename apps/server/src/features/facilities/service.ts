/** Lists and adds facilities (decision 048). */
import { randomUUID } from 'node:crypto';
import { FACILITIES_MAX } from '@haris/contract/http/facilities';
import type { FacilityEntry, Settings } from '@haris/contract/objects';
import { foldForSearch } from '@haris/contract/search/folding';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findFacilityNames, insertFacility } from '../../db/facilities.ts';
import { findFacilitiesOfStaff, findFacilityIds } from '../../db/memberships.ts';
import { insertRoom, setDefaultRoom } from '../../db/rooms.ts';
import { lockSettings, readSettings, writeSettings } from '../../db/settings.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { acrossFacilities, inFacility } from '../../facility.ts';

/** Facilities where the actor may work; a parent gets all, to choose one for a child. The oldest first. */
export async function listFacilities({ db }: Pick<Context, 'db'>, actor: Actor): Promise<FacilityEntry[]> {
  const ids = await (actor.kind === 'admin' ? findFacilitiesOfStaff(db, actor.id) : findFacilityIds(db));
  return entriesOf(db, ids);
}

/** Facilities with their names, in the given order. */
export async function entriesOf(
  db: Parameters<typeof findFacilityNames>[0],
  ids: readonly string[],
): Promise<FacilityEntry[]> {
  const names = await findFacilityNames(db);
  return ids.map((_id) => ({ _id, name: names.get(_id) ?? null }));
}

export interface NewFacility {
  readonly name: string;
  /** An IANA name; by default that of the current facility. */
  readonly timeZone?: string | undefined;
}

/** Adds a facility with one room. Throws `facility_name_taken`, `too_many_facilities`. */
export async function createFacility(
  context: Context,
  actor: Actor,
  input: NewFacility,
): Promise<FacilityEntry> {
  const id = randomUUID();
  const name = input.name;
  await inTransaction(context.db, async (tx) => {
    // If two owners add the same name at once, the second one finds it taken.
    await lockSettings(tx.trx);
    const names = await findFacilityNames(tx.trx);
    if ((await findFacilityIds(tx.trx)).length >= FACILITIES_MAX) throw new AppError('too_many_facilities');
    const isTaken = [...names.values()].some((one) => foldForSearch(one) === foldForSearch(name));
    if (isTaken) throw new AppError('facility_name_taken');
    const present = await readSettings(tx.trx, context.config);
    const { language, region, notSeenAfterMinutes, alarms, deskIdleMinutes } = present;
    const { openingHours, holidays } = present;
    const now = context.clock.now();
    await insertFacility(tx.trx, id, now);
    const own = { language, region, notSeenAfterMinutes, alarms, deskIdleMinutes, openingHours, holidays };
    const settings = { ...own, facilityName: name, timeZone: input.timeZone ?? present.timeZone };
    await inFacility(id, () => furnish(tx, id, settings, now));
    // The audit row belongs to the organisation, so it is not in the log of the facility where this call was made.
    await acrossFacilities(() =>
      context.audit.append(tx, {
        actor,
        action: 'facility.created',
        subject: { kind: 'facility', id },
        details: { name },
      }),
    );
    await context.events.append(tx, { type: 'settings.updated' });
  });
  return { _id: id, name };
}

/** Gives a new facility its settings and the room in which children are checked in. */
async function furnish(
  { trx }: Tx,
  id: string,
  settings: Partial<Settings> & { readonly facilityName: string },
  now: number,
): Promise<void> {
  await writeSettings(trx, settings);
  const room = await insertRoom(trx, id, {
    name: settings.facilityName,
    capacity: null,
    capacity_kind: 'soft',
    ratios: '[]',
    created_at: now,
  });
  if (room) await setDefaultRoom(trx, id, room.id);
}
