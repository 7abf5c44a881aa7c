/** Areas with a camera or a sensor; for staff only. */
import { cameraRoutes } from '@haris/contract/http/cameras';
import { sensorRoutes } from '@haris/contract/http/sensors';
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../session/may.ts';
import { call } from './http.ts';
import { keys } from './query-client.ts';

/** Area names that this person sees, sorted and without duplicates. */
export function useAreas() {
  const may = useMay();
  const hasSensors = may('sensors.view');
  const hasCameras = may('cameras.view');
  return useQuery({
    queryKey: [keys.sensors, 'areas', hasSensors, hasCameras],
    queryFn: async ({ signal }) => {
      const query = { limit: '200' };
      const [{ sensors }, { cameras }] = await Promise.all([
        hasSensors ? call(sensorRoutes.listSensors, { query, signal }) : { sensors: [] },
        hasCameras ? call(cameraRoutes.listCameras, { query, signal }) : { cameras: [] },
      ]);
      const areas = new Set([...sensors, ...cameras].map(({ area }) => area));
      return [...areas].sort((a, b) => a.localeCompare(b));
    },
  });
}
