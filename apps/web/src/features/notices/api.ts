/** The calls about notices outside the page. */
import { noticeRoutes } from '@haris/contract/http/notices';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call } from '../../client/http.ts';

export const preferencesKey = ['notices', 'preferences'] as const;
export const devicesKey = ['notices', 'devices'] as const;
export const webhookKey = ['notices', 'webhook'] as const;

const ASK_AGAIN_MS = 1_000;
/** A device that has not said by then that it got the test is not waited for. */
const ARRIVED_WITHIN_MS = 30_000;

export function usePreferences() {
  return useQuery({
    queryKey: preferencesKey,
    queryFn: ({ signal }) => call(noticeRoutes.getNoticePreferences, { signal }),
  });
}

export function useDevices() {
  return useQuery({
    queryKey: devicesKey,
    queryFn: ({ signal }) => call(noticeRoutes.listPushDevices, { signal }),
  });
}

export function useWebhook() {
  return useQuery({
    queryKey: webhookKey,
    queryFn: ({ signal }) => call(noticeRoutes.getWebhook, { signal }),
  });
}

/** What became of a test, asked again until nothing more is to be expected. */
export function useTest(id: string | null, startedAt: number) {
  return useQuery({
    queryKey: ['notices', 'test', id],
    queryFn: ({ signal }) => call(noticeRoutes.getNoticeTest, { params: { id: id ?? '' }, signal }),
    enabled: id !== null,
    staleTime: 0,
    refetchInterval: ({ state }) => {
      const deliveries = state.data?.test.deliveries ?? [];
      const isOpen =
        state.data === undefined ||
        deliveries.some(
          (one) =>
            one.state === 'waiting' || (one.way === 'push' && one.state === 'sent' && one.arrivedAt === null),
        );
      return isOpen && Date.now() - startedAt < ARRIVED_WITHIN_MS ? ASK_AGAIN_MS : false;
    },
  });
}

export function useFailedNotices() {
  return useInfiniteQuery({
    queryKey: ['notices', 'failed'],
    queryFn: ({ pageParam, signal }) =>
      call(noticeRoutes.listFailedNotices, { query: { cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
}
