/** Calls by which staff manage kiosks. */
import { type DeviceKind, type Kiosk, kioskRoutes } from '@haris/contract/http/kiosk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';

const listKey = [keys.kiosks, 'list'] as const;
/** No event reports when a kiosk was last used. Milliseconds. */
const REFRESH_MS = 30_000;

export function useKiosks() {
  return useQuery({
    queryKey: listKey,
    queryFn: async ({ signal }) => (await call(kioskRoutes.listKiosks, { signal })).kiosks,
    refetchInterval: REFRESH_MS,
  });
}

/** Reads the lists again after a change. */
function useReadAgain() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: [keys.kiosks] });
}

/** Adds a kiosk or desk tablet, or renames the one with the given id. */
export function useSaveKiosk(id: string | null, kind: DeviceKind) {
  const readAgain = useReadAgain();
  return async (body: { name: string }): Promise<Kiosk> => {
    const { kiosk } =
      id === null
        ? await call(kioskRoutes.createKiosk, { body: { ...body, kind } })
        : await call(kioskRoutes.updateKiosk, { params: { id }, body });
    await readAgain();
    return kiosk;
  };
}

export function useRemoveKiosk() {
  const readAgain = useReadAgain();
  return useMutation({
    mutationFn: (id: string) => call(kioskRoutes.deleteKiosk, { params: { id } }),
    onSettled: readAgain,
  });
}

export function useCreateKioskPairing() {
  return useMutation({
    mutationFn: (id: string) => call(kioskRoutes.createKioskPairing, { params: { id } }),
  });
}
