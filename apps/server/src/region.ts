/** The region that a time zone belongs to: the formats of a facility that has not chosen a region. */
import { DEFAULT_REGION, REGIONS } from '@haris/contract/regions';

let regions: ReadonlyMap<string, string> | undefined;

function findRegions(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const region of REGIONS)
    for (const zone of new Intl.Locale(`und-${region}`).getTimeZones?.() ?? [])
      if (!found.has(zone)) found.set(zone, region);
  return found;
}

/** ISO 3166 code; the default region for `UTC` and other zones that belong to none. Pure. */
export function regionOfTimeZone(timeZone: string): string {
  regions ??= findRegions();
  // The table has one name per zone: `Asia/Calcutta` and `Asia/Kolkata` are the same.
  const canonical = new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  return regions.get(canonical) ?? regions.get(timeZone) ?? DEFAULT_REGION;
}
