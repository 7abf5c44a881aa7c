/** Undo at the desk: the toast that offers it, Ctrl+Z, and the call. */
import { UNDO_WINDOW_SECONDS } from '@haris/contract/constants';
import { roomRoutes } from '@haris/contract/http/rooms';
import { stayRoutes } from '@haris/contract/http/stays';
import type { Child } from '@haris/contract/objects';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../calls/api-error.ts';
import { showFailure } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { subscribeToken } from '../../../calls/token-store.ts';
import { dueAt } from '../../../countdown/remaining.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { notifyWithActions, type ToastAction } from '../../../ui/action-toast.tsx';
import { notifySuccess } from '../../../ui/toast.ts';
import { showChild } from '../lists/show-child.ts';
import { isRefusedOffline } from '../stays/offline.ts';
import { attempt } from '../stays/stay-attempts.ts';
import { createUndoOffers, type UndoOffer } from './undo-offers.ts';

const UNDO_WINDOW_MS = UNDO_WINDOW_SECONDS * 1000;

/** Shared by the page, so that the list can undo an action of a dialog that is closed. */
export const undoOffers = createUndoOffers(UNDO_WINDOW_MS);

// The next person at this device must not undo what this one did.
subscribeToken(undoOffers.clear);

/** All offers of this desk, including those that are not open yet. */
export function useUndoOffers(): readonly UndoOffer[] {
  return useSyncExternalStore(undoOffers.subscribe, undoOffers.all);
}

/** Ids of offers with an undo call in progress, so that a double tap sends one. */
const busy = new Set<number>();

async function undoOne(client: QueryClient, kind: UndoOffer['kind'], child: Child): Promise<void> {
  const uniqueEntryId = child.uniqueEntryId ?? '';
  if (kind === 'move') {
    const body = { childIds: [child._id], roomId: child.roomId ?? '' };
    const { children } = await call(roomRoutes.moveChildren, { body });
    for (const moved of children) showChild(client, moved);
    return;
  }
  if (kind === 'extension') {
    const due = new Date(dueAt(child) ?? 0).toISOString();
    await attempt(client, `undo-extension:${child._id}:${due}`, (headers) =>
      call(stayRoutes.undoExtendStay, { params: { id: child._id }, body: { due }, headers }),
    );
    return;
  }
  const route = kind === 'checkIn' ? stayRoutes.undoCheckInChild : stayRoutes.undoCheckOutChild;
  await attempt(client, `undo-${kind}:${uniqueEntryId}`, (headers) =>
    call(route, { params: { id: child._id }, body: { uniqueEntryId }, headers }),
  );
}

/** True if the server may not have processed the undo; the offer then stays for another attempt. */
function mayTryAgain(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

async function undo(client: QueryClient, offer: UndoOffer): Promise<void> {
  if (!offer.isOpen || busy.has(offer.id) || isRefusedOffline()) return;
  busy.add(offer.id);
  const results = await Promise.allSettled(offer.children.map((child) => undoOne(client, offer.kind, child)));
  busy.delete(offer.id);
  const failures = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason);
  if (!failures.some(mayTryAgain)) undoOffers.withdraw(offer.id);
  if (failures.length < offer.children.length) notifySuccess(i18n.t(`dashboard:undo.${offer.kind}`));
  // Shows a single message, even if several children failed.
  if (failures.length > 0) showFailure(failures[0]);
}

/** Returns a function that undoes an offer and shows the result as a toast. It never throws. */
export function useUndo(): (offer: UndoOffer) => void {
  const client = useQueryClient();
  return useCallback((offer) => void undo(client, offer), [client]);
}

/**
 * Returns a function that shows the success toast of a check-in, checkout or move, with Undo while possible and other
 * actions.
 */
export function useUndoToast() {
  const { t } = useTranslation('dashboard');
  const undoOffer = useUndo();
  return useCallback(
    (text: string, offer: UndoOffer, others: readonly ToastAction[] = []) => {
      const action = { label: t('undo.action'), shortcut: 'Control+Z', onPress: () => undoOffer(offer) };
      const end = notifyWithActions(text, [action, ...others], UNDO_WINDOW_MS);
      // The offer is gone (undone, replaced or expired), so the toast closes.
      const stop = undoOffers.subscribe(() => {
        if (undoOffers.all().some(({ id }) => id === offer.id)) return;
        stop();
        end();
      });
    },
    [t, undoOffer],
  );
}
