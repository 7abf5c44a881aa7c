/** Check-in and checkout with their notices, and the way back for a moment. */
import type { EntryPeriod } from '@haris/contract/fields';
import { childRoutes } from '@haris/contract/http/children';
import type { Child } from '@haris/contract/objects';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../client/api-error.ts';
import { showFailure } from '../../client/failure.ts';
import { call } from '../../client/http.ts';
import { keys } from '../../client/query-client.ts';
import { attempt } from './stay-attempts.ts';
import { undoOffers, useOfferNotice } from './undo.ts';

/**
 * Checks one child in; with a revision it also confirms what waits for the child as it was looked at. Throws the `ApiError`
 * of the call.
 */
export function checkIn(
  client: QueryClient,
  childId: string,
  minutes: EntryPeriod,
  revision?: string,
): Promise<Child> {
  return attempt(client, `check-in:${childId}:${minutes}:${revision ?? ''}`, (headers) =>
    call(childRoutes.checkInChild, {
      params: { id: childId },
      body: { durationInMinutes: minutes, ...(revision === undefined ? {} : { confirm: true, revision }) },
      headers,
    }),
  );
}

/** Checkout with its notices, and the way back. `not_inside` means that another desk was quicker: the lists are read again. */
export function useCheckOut() {
  const { t } = useTranslation('dashboard');
  const client = useQueryClient();
  const notifyWithUndo = useOfferNotice();
  return useMutation({
    mutationFn: async (child: Child) => {
      // Before the call: the event of this checkout may come before its answer, and the row is to stay then too.
      const held = undoOffers.hold('checkOut', [child]);
      try {
        await attempt(client, `check-out:${child._id}`, (headers) =>
          call(childRoutes.checkOutChild, { params: { id: child._id }, headers }),
        );
        return held.open();
      } catch (error) {
        held.withdraw();
        throw error;
      }
    },
    onSuccess: (offer) => notifyWithUndo(t('checkout.success'), offer),
    onError: (error) => {
      showFailure(error);
      if (error instanceof ApiError && error.code === 'not_inside') {
        void client.invalidateQueries({ queryKey: [keys.parents] });
      }
    },
  });
}
