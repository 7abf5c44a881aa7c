/** Checkout of one child, with the toast that offers to undo it. */
import { childRoutes } from '@haris/contract/http/children';
import type { ReleaseBody } from '@haris/contract/http/hand-over';
import { kioskRoutes } from '@haris/contract/http/kiosk';
import type { Child } from '@haris/contract/objects';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../calls/api-error.ts';
import { call } from '../../../calls/http.ts';
import { keys } from '../../../calls/query-client.ts';
import { attempt } from '../stays/stay-attempts.ts';
import { undoOffers, useUndoToast } from './undo.ts';

/** A child that leaves. */
export interface Leaving {
  readonly child: Child;
  /** Who takes it, and by which proof; left out if the desk says nothing. */
  readonly release?: ReleaseBody;
  /** The text of a slip that was scanned; sent only as the proof in `release`. */
  readonly slip?: string | undefined;
  /** The request of the family at a kiosk that this carries out. */
  readonly requestId?: string | undefined;
}

/**
 * Checks a child out and offers to undo it. `not_inside` means that another desk was faster, so the lists are
 * refetched. `onFailure` is called even if the button has gone meanwhile, as it does when another desk was faster;
 * without it the caller shows the error.
 */
export function useRelease(onFailure: (error: Error, leaving: Leaving) => void = () => {}) {
  const { t } = useTranslation('dashboard');
  const client = useQueryClient();
  const showUndoToast = useUndoToast();
  return useMutation({
    mutationFn: async ({ child, release, requestId }: Leaving) => {
      // Created before the call, because the event of this checkout may arrive before the response, and the row must
      // stay.
      const held = undoOffers.hold('checkOut', [child]);
      // Another adult or proof is another attempt.
      const subject = `check-out:${child._id}:${requestId ?? ''}:${JSON.stringify(release ?? null)}`;
      try {
        await attempt(client, subject, (headers) =>
          requestId === undefined
            ? call(childRoutes.checkOutChild, { params: { id: child._id }, body: release ?? {}, headers })
            : call(kioskRoutes.acceptKioskRequest, {
                params: { id: requestId },
                body: release ?? {},
                headers,
              }),
        );
        return held.open();
      } catch (error) {
        held.withdraw();
        throw error;
      }
    },
    onSuccess: (offer) => showUndoToast(t('checkout.success'), offer),
    onError: (error, leaving) => {
      onFailure(error, leaving);
      if (error instanceof ApiError && error.code === 'not_inside') {
        void client.invalidateQueries({ queryKey: [keys.parents] });
      }
    },
    onSettled: (_offer, _error, { requestId }) =>
      requestId === undefined ? undefined : client.invalidateQueries({ queryKey: [keys.kiosks] }),
  });
}
