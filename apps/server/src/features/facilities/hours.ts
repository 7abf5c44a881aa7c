/** When facilities are open. A family gets the facilities of its children; staff get the one where they work. */
import type { FacilityHours } from '@haris/contract/http/facilities';
import type { Actor } from '../../actor.ts';
import { dayOf } from '../../calendar.ts';
import type { Context } from '../../context.ts';
import { findFacilitiesOfFamilies, findOnlyFacility } from '../../db/facilities.ts';
import { findFacilityIds } from '../../db/memberships.ts';
import { readSettings } from '../../db/settings.ts';
import { facilityOrMain, inFacility } from '../../facility.ts';

type Needs = Pick<Context, 'db' | 'config' | 'clock'>;

/** Opening hours and holidays that are not over, of the facilities that concern the actor, the oldest first. */
export async function listOpeningHours(context: Needs, actor: Actor): Promise<FacilityHours[]> {
  const found: FacilityHours[] = [];
  for (const id of await facilitiesOf(context, actor))
    found.push(await inFacility(id, () => hoursOf(context, id)));
  return found;
}

/** A family without children gets the only facility, or none if there are several. */
async function facilitiesOf({ db }: Needs, actor: Actor): Promise<readonly string[]> {
  if (actor.kind === 'admin') return [actor.facility ?? facilityOrMain()];
  const own = (await findFacilitiesOfFamilies(db, [actor.id])).get(actor.id);
  if (own !== undefined) return (await findFacilityIds(db)).filter((id) => own.includes(id));
  const only = await findOnlyFacility(db);
  return only === null ? [] : [only];
}

async function hoursOf({ db, config, clock }: Needs, id: string): Promise<FacilityHours> {
  const settings = await readSettings(db, config);
  const today = dayOf(clock.now(), settings.timeZone);
  return {
    _id: id,
    name: settings.facilityName,
    phone: settings.facilityPhone,
    timeZone: settings.timeZone,
    region: settings.region,
    openingHours: settings.openingHours,
    holidays: settings.holidays.filter(({ to }) => to >= today),
    stayEnds: settings.stayEnds,
  };
}
