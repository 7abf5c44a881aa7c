/** The calls about cameras. */
import { PAGE_LIMIT_MAX } from '@haris/contract/constants';
import { type Camera, cameraRoutes } from '@haris/contract/http/cameras';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../client/http.ts';
import { keys } from '../../client/query-client.ts';

/** How fast pictures come and how old the last one is are no events: they are asked for while somebody looks. */
const REFRESH_MS = 3_000;

/** All cameras, through as many pages as there are. */
async function fetchCameras(signal: AbortSignal): Promise<readonly Camera[]> {
  const found = new Map<string, Camera>();
  let cursor: string | null = null;
  do {
    const page: { cameras: Camera[]; nextCursor: string | null } = await call(cameraRoutes.listCameras, {
      query: { limit: String(PAGE_LIMIT_MAX), cursor },
      signal,
    });
    for (const camera of page.cameras) found.set(camera._id, camera);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return [...found.values()];
}

export function useCameras() {
  return useQuery({
    queryKey: [keys.cameras, 'all'],
    queryFn: ({ signal }) => fetchCameras(signal),
    refetchInterval: REFRESH_MS,
  });
}

const oneKey = (id: string) => [keys.cameras, 'one', id] as const;

/** `isWanted` false while it is being removed: asking for it then would be refused. */
export function useCamera(id: string, isWanted: boolean) {
  const client = useQueryClient();
  return useQuery({
    queryKey: oneKey(id),
    queryFn: async ({ signal }) => (await call(cameraRoutes.getCamera, { params: { id }, signal })).camera,
    placeholderData: () =>
      client.getQueryData<readonly Camera[]>([keys.cameras, 'all'])?.find((camera) => camera._id === id),
    refetchInterval: REFRESH_MS,
    enabled: isWanted,
  });
}

/** The answer of a change is shown at once; the lists are read again. */
function showCamera(client: QueryClient, camera: Camera): void {
  client.setQueryData(oneKey(camera._id), camera);
  void client.invalidateQueries({ queryKey: [keys.cameras] });
}

export interface CameraInput {
  readonly name: string;
  readonly area: string;
  readonly kind: Camera['kind'];
  readonly url?: string;
}

/** Adds a camera, or changes the one whose id is given. */
export function useSaveCamera(id: string | null) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: CameraInput) =>
      id === null
        ? call(cameraRoutes.createCamera, { body: input })
        : call(cameraRoutes.updateCamera, { params: { id }, body: input }),
    onSuccess: ({ camera }) => showCamera(client, camera),
  });
}

/** Switches a camera, or keeps its privacy zones. */
export function useChangeCamera(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: { enabled: boolean } | { zones: Camera['zones'] }) =>
      call(cameraRoutes.updateCamera, { params: { id }, body: change }),
    onSuccess: ({ camera }) => showCamera(client, camera),
  });
}

export function useRemoveCamera(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(cameraRoutes.deleteCamera, { params: { id } }),
    onSuccess: () => {
      client.setQueryData<readonly Camera[]>([keys.cameras, 'all'], (cameras) =>
        cameras?.filter((camera) => camera._id !== id),
      );
    },
  });
}

export function useCreatePairing(id: string) {
  return useMutation({ mutationFn: () => call(cameraRoutes.createPairing, { params: { id } }) });
}
