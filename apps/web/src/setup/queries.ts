/** The facility's settings, the state of the first run, and whether this installation sends mail. */
import { operationRoutes } from '@haris/contract/http/operations';
import { setupRoutes } from '@haris/contract/http/setup';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../calls/http.ts';
import { keys } from '../calls/query-client.ts';
import { useMay } from '../session/may.ts';

/** The facility's settings. For staff. */
export const settingsQuery = queryOptions({
  queryKey: [keys.settings],
  queryFn: ({ signal }) => call(operationRoutes.getSettings, { signal }),
});

/** For staff. Changes of settings make it stale; the checklist also follows families, cameras and sensors. */
export const setupQuery = queryOptions({
  queryKey: [keys.settings, 'setup'],
  queryFn: ({ signal }) => call(setupRoutes.getSetup, { signal }),
  select: ({ setup }) => setup,
  staleTime: 0,
});

/** Never loads for people who may not see the settings. */
export function useSetup() {
  return useQuery({ ...setupQuery, enabled: useMay()('settings.view') });
}

/** Whether a host name is only this machine to itself. */
function isLoopback(host: string): boolean {
  return /^(localhost|.*\.localhost|127\.[0-9.]+|\[::1\])$/.test(host);
}

/** Whether the address of this page is one that no other device can open. */
export function isOnThisMachineOnly(): boolean {
  return isLoopback(location.hostname);
}
