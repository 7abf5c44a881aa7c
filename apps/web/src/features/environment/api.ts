/** Calls about sensors. */
import { PAGE_LIMIT_MAX } from '@haris/contract/constants';
import type { HistoryStep, Sensor } from '@haris/contract/http/sensors';
import { sensorRoutes } from '@haris/contract/http/sensors';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../calls/http.ts';
import { readAllPages, uniqueById } from '../../calls/paged.ts';
import { keys } from '../../calls/query-client.ts';
import { serverNow } from '../../calls/server-clock.ts';

import { useMay } from '../../session/may.ts';

/** All sensors in one page, because there are few. */
const sensorsQuery = queryOptions({
  queryKey: [keys.sensors, 'list'],
  queryFn: async ({ signal }) => {
    const pages = await readAllPages((cursor) =>
      call(sensorRoutes.listSensors, { query: { limit: String(PAGE_LIMIT_MAX), cursor }, signal }),
    );
    return { ...pages[0], sensors: uniqueById(pages.flatMap(({ sensors }) => sensors)) };
  },
});

export function useSensors() {
  // Polls, because the server emits no event for a refused reading.
  return useQuery({ ...sensorsQuery, refetchInterval: 30_000 });
}

/**
 * Names of the areas that have a sensor; none for staff who see no sensors. `isAwaited` is true until the first response
 * or failure.
 */
export function useSensorAreas(): { areas: readonly string[]; isAwaited: boolean } {
  const {
    data = NO_AREAS,
    isLoading,
    failureCount,
  } = useQuery({
    ...sensorsQuery,
    select: areasOf,
    enabled: useMay()('sensors.view'),
  });
  return { areas: data, isAwaited: isLoading && failureCount === 0 };
}

const NO_AREAS: readonly string[] = [];

function areasOf({ sensors }: { sensors: readonly Sensor[] }): readonly string[] {
  return [...new Set(sensors.map(({ area }) => area))];
}

export const SPANS = {
  day: { ms: 24 * 3_600_000, step: 'minute' },
  week: { ms: 7 * 24 * 3_600_000, step: 'hour' },
  month: { ms: 31 * 24 * 3_600_000, step: 'hour' },
} as const satisfies Record<string, { ms: number; step: HistoryStep }>;
export type Span = keyof typeof SPANS;

/** The history of a sensor over the given span, up to now. */
export function useHistory(sensorId: string, span: Span) {
  return useQuery({
    queryKey: [keys.sensors, 'history', sensorId, span],
    queryFn: ({ signal }) => {
      const { ms, step } = SPANS[span];
      const to = serverNow();
      return call(sensorRoutes.getSensorHistory, {
        params: { id: sensorId },
        query: { from: new Date(to - ms).toISOString(), to: new Date(to + 1000).toISOString(), step },
        signal,
      });
    },
    staleTime: 60_000,
  });
}

/** Time span of the small charts on the sensors' cards. Milliseconds. */
export const SPARK_MS = 6 * 3_600_000;

/** The history for the small charts of a sensor, shared by its quantities. */
export function useSparkHistory(sensorId: string, isWanted: boolean) {
  return useQuery({
    queryKey: [keys.sensors, 'history', sensorId, 'spark'],
    queryFn: ({ signal }) => {
      const to = serverNow();
      const query = { from: new Date(to - SPARK_MS).toISOString(), to: new Date(to + 1000).toISOString() };
      return call(sensorRoutes.getSensorHistory, {
        params: { id: sensorId },
        query: { ...query, step: 'minute' },
        signal,
      });
    },
    enabled: isWanted,
    staleTime: 60_000,
    refetchInterval: 120_000,
  });
}

export function useHomeAssistantAccounts(isWanted: boolean) {
  return useQuery({
    queryKey: [keys.sensors, 'home-assistant'],
    queryFn: ({ signal }) => call(sensorRoutes.listHomeAssistantAccounts, { signal }),
    enabled: isWanted,
  });
}
