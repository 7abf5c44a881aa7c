/** Calls about cameras. */
import { PAGE_LIMIT_MAX } from '@haris/contract/constants';
import { type Camera, cameraRoutes } from '@haris/contract/http/cameras';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/http.ts';
import { readAllPages, uniqueById } from '../../calls/paged.ts';
import { keys } from '../../calls/query-client.ts';
import { useMay } from '../../session/may.ts';

/** No events report frame rate and picture age, so the page polls while it is visible. */
const REFRESH_MS = 3_000;

/** All cameras, from all pages of the list. */
async function fetchCameras(signal: AbortSignal): Promise<readonly Camera[]> {
  const pages = await readAllPages((cursor) =>
    call(cameraRoutes.listCameras, { query: { limit: String(PAGE_LIMIT_MAX), cursor }, signal }),
  );
  return uniqueById(pages.flatMap(({ cameras }) => cameras));
}

/**
 * None for staff who see no cameras. `everyMs`: pause between two reads. Events tell of a camera that fails or comes back
 * in between.
 */
export function useCameras(everyMs = REFRESH_MS) {
  return useQuery({
    enabled: useMay()('cameras.view'),
    queryKey: [keys.cameras, 'all'],
    queryFn: ({ signal }) => fetchCameras(signal),
    refetchInterval: everyMs,
  });
}

const oneKey = (id: string) => [keys.cameras, 'one', id] as const;

/** `isWanted` is false during removal, when the server would refuse the request. */
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

/** Shows the response of a change at once and refetches the lists. */
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

/** Adds a camera, or changes the camera with the given id. */
export function useSaveCamera(id: string | null) {
  const client = useQueryClient();
  return async (input: CameraInput): Promise<{ camera: Camera }> => {
    const saved =
      id === null
        ? await call(cameraRoutes.createCamera, { body: input })
        : await call(cameraRoutes.updateCamera, { params: { id }, body: input });
    showCamera(client, saved.camera);
    return saved;
  };
}

/** Switches a camera on or off, or saves its privacy zones. */
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
