/** The query of the facilities that an account may choose from (decision 048). */
import { facilityRoutes } from '@haris/contract/http/facilities';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../calls/http.ts';
import { keys } from '../calls/query-client.ts';

/** Refreshed with the settings, because a facility's name is one. */
export const facilitiesQuery = queryOptions({
  queryKey: [keys.settings, 'facilities'],
  queryFn: ({ signal }) => call(facilityRoutes.listFacilities, { signal }),
});

/** Hours change rarely, and parents get no event of it. */
const HOURS_AGAIN_MS = 10 * 60_000;

/** Opening hours, holidays and phone of the facilities that concern the account. */
export const hoursQuery = queryOptions({
  queryKey: [keys.settings, 'hours'],
  queryFn: ({ signal }) => call(facilityRoutes.listOpeningHours, { signal }),
  select: ({ facilities }) => facilities,
  refetchInterval: HOURS_AGAIN_MS,
});
