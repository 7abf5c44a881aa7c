/** The areas that cameras and sensors stand in; staff only. */
import { cameraRoutes } from '@haris/contract/http/cameras';
import { sensorRoutes } from '@haris/contract/http/sensors';
import { useQuery } from '@tanstack/react-query';
import { call } from './http.ts';
import { keys } from './query-client.ts';

/** By name, each once. */
export function useAreas() {
  return useQuery({
    queryKey: [keys.sensors, 'areas'],
    queryFn: async ({ signal }) => {
      const query = { limit: '200' };
      const [{ sensors }, { cameras }] = await Promise.all([
        call(sensorRoutes.listSensors, { query, signal }),
        call(cameraRoutes.listCameras, { query, signal }),
      ]);
      const areas = new Set([...sensors, ...cameras].map(({ area }) => area));
      return [...areas].sort((a, b) => a.localeCompare(b));
    },
  });
}
