/** The calls about incidents and evacuations. */
import { alarmsOf, DEFAULT_ALARMS } from '@haris/contract/alarms';
import { incidentRoutes } from '@haris/contract/http/incidents';
import { operationRoutes } from '@haris/contract/http/operations';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { call } from '../../client/http.ts';
import { useLiveState } from '../../client/live-provider.tsx';
import { keys } from '../../client/query-client.ts';
import type { LimitOf } from './air-check.ts';

/** Open ones are few: a page is all of them. */
const ALL = 200;
/** Without the stream of events the page asks by itself. Milliseconds. */
const ASK_AGAIN_MS = 10_000;

const openKey = [keys.incidents, 'open'] as const;
export const evacuationKey = [keys.incidents, 'evacuation'] as const;

/** False while nobody tells the page what happens; then it asks again and again. */
function useAskAgain(): number | false {
  return useLiveState() === 'live' ? false : ASK_AGAIN_MS;
}

/** What is going on now, newest first; to a parent what a parent may know. */
export function useOpenIncidents() {
  return useQuery({
    queryKey: openKey,
    queryFn: ({ signal }) =>
      call(incidentRoutes.listIncidents, { query: { state: 'open', limit: String(ALL) }, signal }),
    refetchInterval: useAskAgain(),
  });
}

/** How many are open and nobody has taken on; 0 while nobody knows. */
export function useUnacknowledgedCount(): number {
  const { data } = useOpenIncidents();
  return data?.incidents.filter(({ acknowledgedAt }) => acknowledgedAt === null).length ?? 0;
}

export type IncidentState = 'open' | 'all';

export function useIncidents(state: IncidentState) {
  return useInfiniteQuery({
    queryKey: [keys.incidents, 'list', state],
    queryFn: ({ pageParam, signal }) =>
      call(incidentRoutes.listIncidents, { query: { state, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: useAskAgain(),
  });
}

/** The roll call of the evacuation that goes on; staff only. What was once read stays while there is no connection. */
export function useEvacuation(isStaff: boolean) {
  return useQuery({
    queryKey: evacuationKey,
    queryFn: ({ signal }) => call(incidentRoutes.getEvacuation, { signal }),
    enabled: isStaff,
    refetchInterval: useAskAgain(),
  });
}

export function acknowledge(id: string, note?: string) {
  return call(incidentRoutes.acknowledgeIncident, {
    params: { id },
    body: note === undefined ? {} : { note },
  });
}

/** The limits that count here: the settings for staff, the defaults for whoever may not read them. */
export function useLimits(isStaff: boolean): LimitOf {
  const { data } = useQuery({
    queryKey: [keys.settings],
    queryFn: ({ signal }) => call(operationRoutes.getSettings, { signal }),
    enabled: isStaff,
  });
  const settings = data?.settings;
  return useCallback(
    (kind, area) => (settings === undefined ? DEFAULT_ALARMS : alarmsOf(settings, area))[kind],
    [settings],
  );
}
