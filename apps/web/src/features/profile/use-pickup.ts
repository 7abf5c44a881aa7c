/** Announces a pick-up and takes it back. */
import { pickupRoutes } from '@haris/contract/http/pickups';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys, refetchStale } from '../../calls/query-client.ts';
import { notifyError } from '../../ui/toast.ts';

function useSettled() {
  const client = useQueryClient();
  const { t } = useTranslation('profile');
  return {
    // Also after a failure, because the child may have been checked out in the meantime.
    onSettled: () => refetchStale(client, [keys.session, keys.children]),
    onError: (error: unknown) => notifyError(failureText(error, t('way.failed'))),
  };
}

export interface Pickup {
  readonly children: string[];
  /** ISO 8601. */
  readonly arrivesAt: string;
}

export function useAnnouncePickup() {
  const settled = useSettled();
  return useMutation({
    mutationFn: (body: Pickup) => call(pickupRoutes.announcePickup, { body }),
    ...settled,
  });
}

/** Takes the pick-ups of these children back. */
export function useCancelPickup() {
  const settled = useSettled();
  return useMutation({
    mutationFn: (ids: readonly string[]) =>
      Promise.all(ids.map((id) => call(pickupRoutes.cancelPickup, { params: { id } }))),
    ...settled,
  });
}
