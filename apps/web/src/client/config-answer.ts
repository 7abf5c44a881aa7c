/** The answer of `/api/config` as it came, and the one part of it that every page shows. client/config.ts reads the rest. */
import { CLIENT_CONFIG_PATH, DEMO_META_NAME } from '@haris/contract/constants';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { keys } from './query-client.ts';
import { networkError, readBody, send } from './request.ts';

/** Nothing of the answer is believed here: who reads it parses it. Asking also measures the server's clock. */
export const configAnswerQuery = queryOptions({
  queryKey: [keys.config],
  queryFn: async ({ signal }): Promise<unknown> => {
    const request = { method: 'GET', path: CLIENT_CONFIG_PATH, answer: null } as const;
    const { response } = await send(request, { signal });
    if (!response.ok) throw networkError('PARSING_ERROR', response.status);
    return readBody(() => response.json(), { signal });
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/** What the page itself says; a page that the service worker kept may be of another time, the answer is not. */
function isDemoPage(): boolean {
  return document.querySelector(`meta[name="${DEMO_META_NAME}"]`) !== null;
}

/** Whether everything here is invented (`npm start -- --demo`). */
export function useIsDemo(): boolean {
  const { data } = useQuery(configAnswerQuery);
  if (data === undefined) return isDemoPage();
  return typeof data === 'object' && data !== null && 'demo' in data && data.demo === true;
}
