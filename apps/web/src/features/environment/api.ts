/** The calls about sensors. */
import type { HistoryStep, Sensor } from '@haris/contract/http/sensors';
import { sensorRoutes } from '@haris/contract/http/sensors';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../client/http.ts';
import { keys } from '../../client/query-client.ts';
import { serverNow } from '../../client/server-clock.ts';

/** Sensors are few: the page shows all of them. */
const ALL = 200;

const sensorsQuery = queryOptions({
  queryKey: [keys.sensors, 'list'],
  queryFn: async ({ signal }) => {
    let cursor: string | null = null;
    const sensors: Sensor[] = [];
    for (;;) {
      const page: Awaited<ReturnType<typeof readPage>> = await readPage(cursor, signal);
      sensors.push(...page.sensors);
      cursor = page.nextCursor;
      if (cursor === null) return { ...page, sensors };
    }
  },
});

export function useSensors() {
  // Refusals are counted without an event each.
  return useQuery({ ...sensorsQuery, refetchInterval: 30_000 });
}

/** The areas that have a sensor, by name. `isAwaited` while the first answer is on its way, and nothing has failed yet. */
export function useSensorAreas(): { areas: readonly string[]; isAwaited: boolean } {
  const { data = NO_AREAS, isLoading, failureCount } = useQuery({ ...sensorsQuery, select: areasOf });
  return { areas: data, isAwaited: isLoading && failureCount === 0 };
}

const NO_AREAS: readonly string[] = [];

function areasOf({ sensors }: { sensors: readonly Sensor[] }): readonly string[] {
  return [...new Set(sensors.map(({ area }) => area))];
}

function readPage(cursor: string | null, signal: AbortSignal) {
  return call(sensorRoutes.listSensors, { query: { limit: String(ALL), cursor }, signal });
}

export const SPANS = {
  day: { ms: 24 * 3_600_000, step: 'minute' },
  week: { ms: 7 * 24 * 3_600_000, step: 'hour' },
  month: { ms: 31 * 24 * 3_600_000, step: 'hour' },
} as const satisfies Record<string, { ms: number; step: HistoryStep }>;
export type Span = keyof typeof SPANS;

/** The history of a sensor up to now. */
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

export function useHomeAssistantAccounts(isWanted: boolean) {
  return useQuery({
    queryKey: [keys.sensors, 'home-assistant'],
    queryFn: ({ signal }) => call(sensorRoutes.listHomeAssistantAccounts, { signal }),
    enabled: isWanted,
  });
}
