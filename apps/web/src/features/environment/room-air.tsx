/** The air of one room in words, for the rooms of the dashboard: "Good air · 22.5 °C". */

import { NO_AIR } from './air.ts';
import { AirWords } from './air-word.tsx';
import { useSensorAreas } from './api.ts';
import { useAir } from './use-air.ts';

/** Nothing for a room without a sensor. A room whose sensor is silent has unknown air, not its last value. */
export function RoomAir({ area }: { area: string }) {
  const { areas } = useAir();
  const { areas: measured } = useSensorAreas();
  const own = areas.find((one) => one.area === area);
  if (own === undefined && !measured.includes(area)) return null;
  return <AirWords area={area} air={own?.air ?? NO_AIR} />;
}
