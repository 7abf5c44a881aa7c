/** Undo at the desk: the notice that offers it, Ctrl+Z, and the call. */
import { UNDO_WINDOW_SECONDS } from '@haris/contract/constants';
import { stayRoutes } from '@haris/contract/http/stays';
import type { Child } from '@haris/contract/objects';
import { useHotkeys } from '@mantine/hooks';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../client/api-error.ts';
import { showFailure } from '../../client/failure.ts';
import { call } from '../../client/http.ts';
import { i18n } from '../../i18n/i18n.ts';
import { type NoticeAction, notifyWithActions } from '../../ui/notify-actions.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { isRefusedOffline } from './offline.ts';
import { attempt } from './stay-attempts.ts';
import { createUndoOffers, type UndoOffer } from './undo-offers.ts';

const UNDO_WINDOW_MS = UNDO_WINDOW_SECONDS * 1000;

/** One for the page: what was done in a dialog that is gone can be undone from the list. */
export const undoOffers = createUndoOffers(UNDO_WINDOW_MS);

/** All offers of this desk, those that are not open yet too. */
export function useUndoOffers(): readonly UndoOffer[] {
  return useSyncExternalStore(undoOffers.subscribe, undoOffers.all);
}

/** Offers whose undoing is under way: a double tap is one. */
const busy = new Set<number>();

async function undoOne(client: QueryClient, kind: UndoOffer['kind'], child: Child): Promise<void> {
  const uniqueEntryId = child.uniqueEntryId ?? '';
  const route = kind === 'checkIn' ? stayRoutes.undoCheckInChild : stayRoutes.undoCheckOutChild;
  await attempt(client, `undo-${kind}:${uniqueEntryId}`, (headers) =>
    call(route, { params: { id: child._id }, body: { uniqueEntryId }, headers }),
  );
}

/** An offer stays while nobody knows whether the server has heard of its undoing. */
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
  if (failures.length < offer.children.length)
    notifySuccess(i18n.t(offer.kind === 'checkIn' ? 'dashboard:undo.checkIn' : 'dashboard:undo.checkOut'));
  // One sentence, not one for each of five children.
  if (failures.length > 0) showFailure(failures[0]);
}

/** Undoes an offer, with its notices. Never throws. */
export function useUndo(): (offer: UndoOffer) => void {
  const client = useQueryClient();
  return useCallback((offer) => void undo(client, offer), [client]);
}

/** The success notice of a check-in or checkout, with Undo for as long as there is one, and what else can be done now. */
export function useOfferNotice() {
  const { t } = useTranslation('dashboard');
  const undoOffer = useUndo();
  return useCallback(
    (text: string, offer: UndoOffer, others: readonly NoticeAction[] = []) => {
      const action = { label: t('undo.action'), shortcut: 'Control+Z', onPress: () => undoOffer(offer) };
      const end = notifyWithActions(text, [action, ...others], UNDO_WINDOW_MS);
      // Undone in the list, or overtaken by something newer: the notice has nothing to offer any more.
      const stop = undoOffers.subscribe(() => {
        if (undoOffers.all().some(({ id }) => id === offer.id)) return;
        stop();
        end();
      });
    },
    [t, undoOffer],
  );
}

/** Ctrl+Z (⌘Z) undoes what this desk did last, unless somebody types: there it undoes the typing. */
export function useUndoShortcut(): void {
  const undoOffer = useUndo();
  useHotkeys([
    [
      'mod+Z',
      () => {
        const last = undoOffers.all().findLast(({ isOpen }) => isOpen);
        if (last !== undefined) undoOffer(last);
      },
    ],
  ]);
}
