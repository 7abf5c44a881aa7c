/** Calls about a parent's PIN and code for the kiosk. */
import { kioskRoutes } from '@haris/contract/http/kiosk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';

const pinKey = [keys.kiosks, 'pin'] as const;

export function useKioskPin() {
  return useQuery({
    queryKey: pinKey,
    queryFn: ({ signal }) => call(kioskRoutes.getKioskPin, { signal }),
  });
}

export function useSetKioskPin() {
  const client = useQueryClient();
  return async (pin: string): Promise<void> => {
    await call(kioskRoutes.setKioskPin, { body: { pin } });
    await client.invalidateQueries({ queryKey: pinKey });
  };
}

export function useRemoveKioskPin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(kioskRoutes.removeKioskPin),
    onSettled: () => client.invalidateQueries({ queryKey: pinKey }),
  });
}

export function fetchKioskCode(signal: AbortSignal) {
  return call(kioskRoutes.createKioskCode, { signal });
}
