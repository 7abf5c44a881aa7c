/** Calls about notifications: preferences, push devices, webhook, test, failures. */
import { notificationRoutes } from '@haris/contract/http/notifications';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call } from '../../calls/http.ts';
import { pagedQuery } from '../../calls/paged.ts';

export const preferencesKey = ['notifications', 'preferences'] as const;
export const devicesKey = ['notifications', 'devices'] as const;
export const webhookKey = ['notifications', 'webhook'] as const;

const ASK_AGAIN_MS = 1_000;
/** Timeout for a device's confirmation of the test. */
const ARRIVED_WITHIN_MS = 30_000;

export function usePreferences() {
  return useQuery({
    queryKey: preferencesKey,
    queryFn: ({ signal }) => call(notificationRoutes.getNoticePreferences, { signal }),
  });
}

export function useDevices() {
  return useQuery({
    queryKey: devicesKey,
    queryFn: ({ signal }) => call(notificationRoutes.listPushDevices, { signal }),
  });
}

export function useWebhook() {
  return useQuery({
    queryKey: webhookKey,
    queryFn: ({ signal }) => call(notificationRoutes.getWebhook, { signal }),
  });
}

/** Results of a test, polled until no more are expected. */
export function useTest(id: string | null, startedAt: number) {
  return useQuery({
    queryKey: ['notifications', 'test', id],
    queryFn: ({ signal }) => call(notificationRoutes.getNoticeTest, { params: { id: id ?? '' }, signal }),
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

export function useFailedNotifications() {
  return useInfiniteQuery(
    pagedQuery(['notifications', 'failed'], (cursor, signal) =>
      call(notificationRoutes.listFailedNotices, { query: { cursor }, signal }),
    ),
  );
}
