/** Tells the family that the desk has seen the announced pick-up, which leaves the strip; with Undo. */
import { UNDO_WINDOW_SECONDS } from '@haris/contract/constants';
import { pickupRoutes } from '@haris/contract/http/pickups';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { keys } from '../../../calls/query-client.ts';
import { notifyWithActions } from '../../../ui/action-toast.tsx';
import { isRefusedOffline } from '../stays/offline.ts';
import type { Arrival } from './arrivals.ts';

export function useSeen() {
  const { t } = useTranslation('dashboard');
  const client = useQueryClient();
  const mark = useMutation({
    mutationFn: ({ arrival: { at, children }, seen }: { arrival: Arrival; seen: boolean }) =>
      call(pickupRoutes.markPickupSeen, {
        body: { children: children.map(({ _id }) => _id), arrivesAt: new Date(at).toISOString(), seen },
      }),
    onSuccess: (_answer, { arrival, seen }) => {
      if (!seen) return;
      const undo = () => mark.mutate({ arrival, seen: false });
      notifyWithActions(
        t('onTheWay.seen', { name: arrival.parentName }),
        [{ label: t('undo.action'), onPress: undo }],
        UNDO_WINDOW_SECONDS * 1000,
      );
    },
    onError: (error) => showFailure(error),
    onSettled: () => client.invalidateQueries({ queryKey: [keys.children] }),
  });
  return {
    isBusy: mark.isPending,
    see(arrival: Arrival) {
      if (!isRefusedOffline() && !mark.isPending) mark.mutate({ arrival, seen: true });
    },
  };
}
