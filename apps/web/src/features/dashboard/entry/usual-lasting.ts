/** How long a stay lasts until somebody chooses: as the family came last, while the facility offers that. Pure. */
import { DEFAULT_ENTRY_PERIOD_MINUTES } from '@haris/contract/constants';
import type { UsualEntry } from '@haris/contract/http/search';
import { endsOnOtherDay } from '../../../countdown/clock-format.ts';
import { nextMomentLike } from '../../../countdown/next-moment.ts';
import { facilityTimeZone } from '../../../i18n/locale.ts';
import type { Lasting } from '../stays/check-in.ts';
import type { StayEnds } from './use-stay-ends.ts';

/**
 * `usual`: undefined before a family is known. `now`: milliseconds since 1970. A time of day is proposed only if it is still to
 * come today: nobody should check in until tomorrow by habit.
 */
export function usualLasting(
  usual: Pick<UsualEntry, 'minutes' | 'end'> | undefined,
  { kinds }: StayEnds,
  now: number,
): Lasting {
  const end = usual?.end;
  if (end !== undefined && kinds.includes(end.kind)) {
    if (end.kind !== 'until') return end;
    const at = nextMomentLike(Date.parse(end.at), now, facilityTimeZone());
    if (at > now && !endsOnOtherDay(at, now)) return { kind: 'until', at: new Date(at).toISOString() };
  }
  return usual?.minutes ?? DEFAULT_ENTRY_PERIOD_MINUTES;
}
