/** Which ends of a stay this facility offers at a check-in, and when they are. */
import { STAY_MAX_MINUTES } from '@haris/contract/constants';
import type { StayEndKind } from '@haris/contract/fields';
import type { Child } from '@haris/contract/objects';
import { openStateAt } from '@haris/contract/open-now';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { expectedQuery } from '../../../bookings/queries.ts';
import { hoursQuery } from '../../../facilities/queries.ts';
import { useMinute } from '../../../facilities/use-minute.ts';

export interface StayEnds {
  /** Those that can be chosen now, in their order. */
  readonly kinds: readonly StayEndKind[];
  /** Milliseconds since 1970; null if the children's bookings end at different times. */
  readonly momentOf: { readonly closing?: number; readonly booking?: number | null };
}

/** The end of the closing is offered while the nursery is open, that of the booking if all these children have one today. */
export function useStayEnds(coming: readonly Child[]): StayEnds {
  const here = useQuery(hoursQuery).data?.[0];
  const now = useMinute();
  const offered = here?.stayEnds;
  const isAsked = offered?.includes('booking') === true;
  const { data: expected } = useQuery({ ...expectedQuery, enabled: isAsked });
  return useMemo(() => {
    const open = here === undefined ? null : openStateAt(here, now);
    const closing = open?.isOpen === true ? open.until : null;
    const ends = coming.map(({ _id }) => {
      const day = expected?.expected.find(({ child }) => child._id === _id)?.day;
      return day?.endsAt == null ? null : Date.parse(day.endsAt);
    });
    const isBooked = ends.length > 0 && ends.every((end) => end !== null && end > now);
    const isOffered = {
      until: true,
      closing: closing !== null && closing > now && closing <= now + STAY_MAX_MINUTES * 60_000,
      booking: isBooked,
    };
    return {
      kinds: (offered ?? []).filter((kind) => isOffered[kind]),
      momentOf: {
        ...(closing === null ? {} : { closing }),
        ...(isBooked ? { booking: new Set(ends).size === 1 ? (ends[0] ?? null) : null } : {}),
      },
    };
  }, [here, now, offered, coming, expected]);
}
