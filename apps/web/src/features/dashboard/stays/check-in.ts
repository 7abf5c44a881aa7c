/** The call that checks in one child; safe to repeat. Shows no toast. */
import type { EntryPeriod, StayEnd } from '@haris/contract/fields';
import { childRoutes } from '@haris/contract/http/children';
import type { Child } from '@haris/contract/objects';
import type { QueryClient } from '@tanstack/react-query';
import { call } from '../../../calls/http.ts';
import { attempt } from './stay-attempts.ts';

/** How long a stay lasts: minutes, or until an end that the facility offers. */
export type Lasting = EntryPeriod | StayEnd;

/** The room of a check-in; the child's home room if none is given. */
export interface Place {
  readonly roomId?: string;
  /** Why a hard limit is exceeded. */
  readonly overCapacityReason?: string;
}

/** Key that distinguishes attempts with different rooms or reasons. */
export function attemptPlace({ roomId = '', overCapacityReason = '' }: Place): string {
  return `${roomId}:${overCapacityReason}`;
}

/** Checks one child in; with a revision it also confirms that revision of the child's proposal. Throws the `ApiError`. */
export function checkIn(
  client: QueryClient,
  childId: string,
  lasting: Lasting,
  revision?: string,
  place: Place = {},
): Promise<Child> {
  return attempt(
    client,
    `check-in:${childId}:${JSON.stringify(lasting)}:${revision ?? ''}:${attemptPlace(place)}`,
    (headers) =>
      call(childRoutes.checkInChild, {
        params: { id: childId },
        body: {
          ...(typeof lasting === 'number' ? { durationInMinutes: lasting } : { end: lasting }),
          ...(revision === undefined ? {} : { confirm: true, revision }),
          ...place,
        },
        headers,
      }),
  );
}
