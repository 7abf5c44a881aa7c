/** Requests of families at kiosks, and the desk's answers to them. */
import type { StayEnd } from '@haris/contract/fields';
import { type KioskRequest, kioskRoutes } from '@haris/contract/http/kiosk';
import type { Child } from '@haris/contract/objects';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../calls/api-error.ts';
import { failureText, showFailure } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { keys } from '../../../calls/query-client.ts';
import { notifyError } from '../../../ui/toast.ts';
import { dialogs } from '../dialogs.ts';
import { attemptPlace, type Place } from '../stays/check-in.ts';
import { attempt } from '../stays/stay-attempts.ts';
import { undoOffers, useUndoToast } from '../undo/undo.ts';

/** Requests end by the clock, which no event reports. Milliseconds. */
const REFRESH_MS = 30_000;

export function useKioskRequests() {
  return useQuery({
    queryKey: [keys.kiosks, 'requests'],
    queryFn: ({ signal }) => call(kioskRoutes.listKioskRequests, { signal }),
    refetchInterval: REFRESH_MS,
  });
}

/** Answers each request by a call of its own. A failure is shown with the child's name, and the other children continue. */
function useAnswerEach() {
  const { t } = useTranslation('dashboard');
  return async (requests: readonly KioskRequest[], answer: (request: KioskRequest) => Promise<unknown>) => {
    for (const request of requests) {
      try {
        await answer(request);
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) throw error;
        if (error instanceof ApiError && error.code === 'collector_required' && requests.length === 1) {
          dialogs.handOver({ child: request.child, requestId: request._id });
          continue;
        }
        const message = failureText(error);
        notifyError(t('entry.failedFor', { name: request.child.name, message }), `kiosk ${request._id}`);
      }
    }
  };
}

export interface Acceptance {
  readonly requests: readonly KioskRequest[];
  /** The room of a check-in; empty for a pick-up. */
  readonly place: Place;
  /** Of a check-in, instead of the period that the family asked for; null for what it asked. */
  readonly end: StayEnd | null;
}

/** Accepts requests of one kind, one call each; a toast offers to undo them and to print slips. */
export function useAcceptRequests(onPrint: (children: readonly Child[]) => void) {
  const { t } = useTranslation('dashboard');
  const client = useQueryClient();
  const showUndoToast = useUndoToast();
  const answerEach = useAnswerEach();
  return useMutation({
    mutationFn: async ({ requests, place, end }: Acceptance) => {
      const accepted: Child[] = [];
      const body = { ...place, ...(end === null ? {} : { end }) };
      await answerEach(requests, async ({ _id, child }) => {
        const subject = `kiosk:${_id}:${attemptPlace(place)}:${JSON.stringify(end)}`;
        const answer = await attempt(client, subject, (headers) =>
          call(kioskRoutes.acceptKioskRequest, { params: { id: _id }, body, headers }),
        );
        // The undo needs the entry id, which the answer to a checkout no longer contains.
        accepted.push(answer.isInside ? answer : child);
      });
      return accepted;
    },
    onSuccess: (accepted, { requests: [first] }) => {
      if (accepted.length === 0 || first === undefined) return;
      if (first.kind === 'pick_up')
        return showUndoToast(t('checkout.success'), undoOffers.hold('checkOut', accepted).open());
      const label = accepted.length === 1 ? t('entry.printSlip') : t('entry.printSlips');
      showUndoToast(t('entry.success'), undoOffers.hold('checkIn', accepted).open(), [
        { label, onPress: () => onPrint(accepted) },
      ]);
    },
    onError: (error) => showFailure(error),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: [keys.rooms] });
      return client.invalidateQueries({ queryKey: [keys.kiosks] });
    },
  });
}

/** Refuses requests, one call each. */
export function useRefuseRequests() {
  const client = useQueryClient();
  const answerEach = useAnswerEach();
  return useMutation({
    mutationFn: (requests: readonly KioskRequest[]) =>
      answerEach(requests, ({ _id }) => call(kioskRoutes.refuseKioskRequest, { params: { id: _id } })),
    onError: (error) => showFailure(error),
    onSettled: () => client.invalidateQueries({ queryKey: [keys.kiosks] }),
  });
}
