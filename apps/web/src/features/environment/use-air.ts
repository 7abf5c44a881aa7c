/** React's side of the readings. */
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { useAtTick } from '../../countdown/use-tick.ts';
import { type AreaAir, airByArea } from './air.ts';
import { getReadings, type Readings, subscribeReadings } from './readings-store.ts';

export function useReadings(): Readings {
  return useSyncExternalStore(subscribeReadings, getReadings);
}

export interface AirNow {
  readonly isOpen: boolean;
  readonly isKnown: boolean;
  readonly areas: readonly AreaAir[];
}

/** The air of each area now; renders again when a value comes, and when one has become stale. */
export function useAir(): AirNow {
  const { isOpen, isKnown, sensors } = useReadings();
  // As text: the ticker compares what is read by identity.
  const text = useAtTick(
    useCallback((now: number) => JSON.stringify(airByArea(sensors.values(), now)), [sensors]),
  );
  const areas = useMemo(() => JSON.parse(text) as AreaAir[], [text]);
  return { isOpen, isKnown, areas };
}
