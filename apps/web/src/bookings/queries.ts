/** Queries and calls of bookings and absences, for families and staff. */
import { bookingRoutes } from '@haris/contract/http/bookings';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { failureText } from '../calls/failure.ts';
import { call } from '../calls/http.ts';
import { keys, refetchStale } from '../calls/query-client.ts';
import { notifyError, notifySuccess } from '../ui/toast.ts';

/** A child becomes late by the clock alone, without an event. */
const AGAIN_MS = 60_000;

/** Bookings of the signed-in parent's children. */
export const ownBookingsQuery = queryOptions({
  queryKey: [keys.bookings, 'own'],
  queryFn: ({ signal }) => call(bookingRoutes.listOwnBookings, { signal }),
  select: ({ bookings }) => bookings,
  refetchInterval: AGAIN_MS,
});

/** Who is expected today at the facility of the page. */
export const expectedQuery = queryOptions({
  queryKey: [keys.bookings, 'today'],
  queryFn: ({ signal }) => call(bookingRoutes.listExpected, { signal }),
  refetchInterval: AGAIN_MS,
});

/** Bookings of one child. */
export function bookingsOfChildQuery(id: string) {
  return queryOptions({
    queryKey: [keys.bookings, 'child', id],
    queryFn: ({ signal }) => call(bookingRoutes.listBookingsOfChild, { params: { id }, signal }),
    select: ({ bookings }) => bookings,
  });
}

/** Makes everything that shows bookings read them again. */
export function useBookingsChanged(): () => Promise<void> {
  const client = useQueryClient();
  return () => refetchStale(client, [keys.bookings, keys.incidents]);
}

export type AbsenceBody = Parameters<typeof call<typeof bookingRoutes.reportAbsence>>[1]['body'];

/** Reports an absence of a child. */
export function useReportAbsence(childId: string) {
  const { t } = useTranslation('bookings');
  const onSettled = useBookingsChanged();
  return useMutation({
    mutationFn: (body: AbsenceBody) => call(bookingRoutes.reportAbsence, { params: { id: childId }, body }),
    onSuccess: () => notifySuccess(t('absence.reported')),
    onError: (error) => notifyError(failureText(error, t('absence.failed'))),
    onSettled,
  });
}

/** Withdraws an absence of a child, by its id. */
export function useWithdrawAbsence(childId: string) {
  const { t } = useTranslation('bookings');
  const onSettled = useBookingsChanged();
  return useMutation({
    mutationFn: (absenceId: string) =>
      call(bookingRoutes.withdrawAbsence, { params: { id: childId, absenceId } }),
    onSuccess: () => notifySuccess(t('absence.withdrawn')),
    onError: (error) => notifyError(failureText(error)),
    onSettled,
  });
}

/** Says when a child comes today, in milliseconds since 1970. */
export function useAnnounceArrival(childId: string) {
  const { t } = useTranslation('bookings');
  const onSettled = useBookingsChanged();
  return useMutation({
    mutationFn: (arrivesAt: number) =>
      call(bookingRoutes.announceArrival, {
        params: { id: childId },
        body: { arrivesAt: new Date(arrivesAt).toISOString() },
      }),
    onSuccess: () => notifySuccess(t('question.answered')),
    onError: (error) => notifyError(failureText(error, t('question.failed'))),
    onSettled,
  });
}
