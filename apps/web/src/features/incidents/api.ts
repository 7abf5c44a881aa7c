/** Calls about incidents and evacuations. */
import { alarmsOf, DEFAULT_ALARMS } from '@haris/contract/alarms';
import { type IncidentFilter, incidentRoutes } from '@haris/contract/http/incidents';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { call } from '../../calls/http.ts';
import { pagedQuery, readAllPages, uniqueById } from '../../calls/paged.ts';
import { keys } from '../../calls/query-client.ts';
import { useLiveState } from '../../live/live-provider.tsx';
import { useMay, useSees } from '../../session/may.ts';
import { settingsQuery } from '../../setup/queries.ts';
import type { LimitOf } from './air-check.ts';
import { cardsOf } from './alert-cards.ts';
import { isDangerous, type ShownIncident, shownRoutes } from './shown-incident.ts';

/** Page size; open incidents are few, so one page nearly always contains them all. */
const ALL = 200;
/** Polling interval without the event stream. Milliseconds. */
const ASK_AGAIN_MS = 10_000;

const openKey = [keys.incidents, 'open'] as const;
export const evacuationKey = [keys.incidents, 'evacuation'] as const;
const rollCallKey = [keys.incidents, 'roll-call'] as const;

/** Polling interval: {@link ASK_AGAIN_MS} while the event stream is down, otherwise false (no polling). */
function useAskAgain(): number | false {
  return useLiveState() === 'live' ? false : ASK_AGAIN_MS;
}

/**
 * All open incidents, newest first. The server sends parents only their own. Every page is read, because a danger may be
 * older than many alerts.
 */
export function useOpenIncidents() {
  return useQuery({
    enabled: useSees('incidents.view'),
    queryKey: openKey,
    queryFn: async ({ signal }) => {
      const pages = await readAllPages((cursor) =>
        call(shownRoutes.listIncidents, { query: { state: 'open', limit: String(ALL), cursor }, signal }),
      );
      return { incidents: uniqueById(pages.flatMap(({ incidents }) => incidents)) };
    },
    refetchInterval: useAskAgain(),
  });
}

export interface OpenAlertCount {
  /** Alerts that nobody has acknowledged, and dangers that are not over: one for each cause. */
  readonly count: number;
  readonly hasDanger: boolean;
}

/** The number on the badge of the navigation; 0 until loaded. */
export function useOpenAlertCount(): OpenAlertCount {
  const { data } = useOpenIncidents();
  const waiting =
    data?.incidents.filter((incident) => incident.acknowledgedAt === null || isDangerous(incident)) ?? [];
  return { count: cardsOf(waiting).length, hasDanger: waiting.some(isDangerous) };
}

export type IncidentState = 'open' | 'all';

/** Narrows the list; a field left out matches everything. */
export type AlertFilter = IncidentFilter;

export function useIncidents(state: IncidentState, filter: AlertFilter) {
  // There are few open incidents, so a single page shows all those that one press acknowledges.
  const limit = state === 'open' ? { limit: String(ALL) } : {};
  return useInfiniteQuery({
    ...pagedQuery([keys.incidents, 'list', state, filter], (cursor, signal) =>
      call(shownRoutes.listIncidents, { query: { state, cursor, ...limit, ...filter }, signal }),
    ),
    refetchInterval: useAskAgain(),
  });
}

/** The roll call of the current evacuation, for staff who see alerts. The last data stay while offline. */
export function useEvacuation(isStaff: boolean) {
  const isSeen = useSees('incidents.view');
  return useQuery({
    queryKey: evacuationKey,
    queryFn: ({ signal }) => call(incidentRoutes.getEvacuation, { signal }),
    enabled: isStaff && isSeen,
    refetchInterval: useAskAgain(),
  });
}

/** Everybody in the building now, for staff who see alerts. The last data stay while offline. */
export function useRollCallNow() {
  return useQuery({
    enabled: useSees('incidents.view'),
    queryKey: rollCallKey,
    queryFn: ({ signal }) => call(incidentRoutes.getRollCall, { signal }),
    refetchInterval: useAskAgain(),
  });
}

/** Acknowledges incidents other than dangers in one call, but only the subjects that the page shows. */
export function acknowledgeMany(incidents: readonly ShownIncident[], note?: string) {
  const shown = new Set(incidents.flatMap(({ subjects }) => subjects.map(({ _id }) => _id)));
  return call(shownRoutes.acknowledgeIncidents, {
    body: {
      ids: incidents.map(({ _id }) => _id),
      shown: [...shown],
      ...(note === undefined ? {} : { note }),
    },
  });
}

export function acknowledge(id: string, note?: string) {
  return call(shownRoutes.acknowledgeIncident, {
    params: { id },
    body: note === undefined ? {} : { note },
  });
}

/** The limits in force: the settings for staff who see them, the defaults for accounts that may not read the settings. */
export function useLimits(isStaff: boolean): LimitOf {
  const maySee = useMay()('settings.view');
  const { data } = useQuery({ ...settingsQuery, enabled: isStaff && maySee });
  const settings = data?.settings;
  return useCallback(
    (kind, area) => (settings === undefined ? DEFAULT_ALARMS : alarmsOf(settings, area))[kind],
    [settings],
  );
}
