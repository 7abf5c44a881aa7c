/** Hooks that return the readings. */
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { useAtTick } from '../../countdown/use-tick.ts';
import { useSees } from '../../session/may.ts';
import { type AreaAir, airByArea, latestExpiry } from './air.ts';
import { getReadings, type Readings, subscribeReadings } from './readings-store.ts';

const subscribeToNothing = () => () => {};

/** Empty for staff who see no sensors, because the socket would refuse them. */
export function useReadings(): Readings {
  const isSeen = useSees('sensors.view');
  return useSyncExternalStore(isSeen ? subscribeReadings : subscribeToNothing, getReadings);
}

export interface AirNow {
  readonly isOpen: boolean;
  readonly isKnown: boolean;
  readonly areas: readonly AreaAir[];
}

/** The current air of each area; renders again when a value arrives or becomes stale. */
export function useAir(): AirNow {
  const { isOpen, isKnown, sensors } = useReadings();
  const expiry = useAtTick(useCallback((now: number) => latestExpiry(sensors.values(), now), [sensors]));
  const areas = useMemo(() => airByArea(sensors.values(), expiry), [sensors, expiry]);
  return { isOpen, isKnown, areas };
}
