/** The unparsed response of `/api/config`, and the demo flag that every page needs. calls/config.ts parses the rest. */
import { CLIENT_CONFIG_PATH, DEMO_META_NAME } from '@haris/contract/constants';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { keys } from '../calls/query-client.ts';
import { networkError, readBody, send } from '../calls/request.ts';

/** The result is unvalidated: its users must parse it. The request also measures the server's clock. */
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

/** Demo flag in the page itself. A page stored by the service worker may be outdated; the response is not. */
function isDemoPage(): boolean {
  return document.querySelector(`meta[name="${DEMO_META_NAME}"]`) !== null;
}

/** Whether this installation contains only invented data (`npm start -- --demo`). */
export function useIsDemo(): boolean {
  const { data } = useQuery(configAnswerQuery);
  if (data === undefined) return isDemoPage();
  return typeof data === 'object' && data !== null && 'demo' in data && data.demo === true;
}
