/** Queries and calls of the care log, for families and staff (decision 052). */
import type { CareEntryContent, CareSignature } from '@haris/contract/care-log';
import { IDEMPOTENCY_KEY_HEADER } from '@haris/contract/constants';
import { type CareLogEntry, careLogRoutes } from '@haris/contract/http/care-log';
import { localDay } from '@haris/contract/zone-time';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { createAttemptKeys, outcomeOf } from '../calls/attempt-keys.ts';
import { failureText } from '../calls/failure.ts';
import { call } from '../calls/http.ts';
import { pagedQuery, readAllPages } from '../calls/paged.ts';
import { keys, refetchStale } from '../calls/query-client.ts';
import { serverNow } from '../calls/server-clock.ts';
import { facilityTimeZone } from '../i18n/locale.ts';
import { notifyError, notifySuccess } from '../ui/toast.ts';

/** Entries of a page, and the most that the server gives at once. */
const AT_ONCE = '30';
const MOST = '200';

/** Today's entries of a child, at the facility of the page. */
export function todaysLogQuery(childId: string) {
  return queryOptions({
    queryKey: [keys.careLog, 'today', childId],
    queryFn: ({ signal }) => {
      const day = localDay(serverNow(), facilityTimeZone());
      return call(careLogRoutes.listCareLog, {
        params: { id: childId },
        query: { day, limit: MOST },
        signal,
      });
    },
  });
}

/** The whole log of a child, page by page. */
export function wholeLogQuery(childId: string) {
  return pagedQuery([keys.careLog, 'whole', childId] as const, (cursor, signal) =>
    call(careLogRoutes.listCareLog, { params: { id: childId }, query: { limit: AT_ONCE, cursor }, signal }),
  );
}

/** All entries of a day, the first one first. */
export async function readDay(childId: string, day: string): Promise<CareLogEntry[]> {
  const pages = await readAllPages((cursor) =>
    call(careLogRoutes.listCareLog, { params: { id: childId }, query: { day, limit: MOST, cursor } }),
  );
  return pages.flatMap(({ entries }) => entries).toReversed();
}

/** Medicines that the family has permitted. Each reading is recorded, so it is read only when somebody gives one. */
export function permittedMedicinesQuery(childId: string) {
  return queryOptions({
    queryKey: [keys.careLog, 'medicines', childId],
    queryFn: ({ signal }) => call(careLogRoutes.listPermittedMedicines, { params: { id: childId }, signal }),
    select: ({ medicines }) => medicines,
    staleTime: 0,
  });
}

/** How many entries of the family's children wait for a signature, by child. */
export const toSignQuery = queryOptions({
  queryKey: [keys.careLog, 'to-sign'],
  queryFn: ({ signal }) => call(careLogRoutes.listCareLogToSign, { signal }),
  select: ({ waiting }) => waiting,
});

/** Makes everything that shows the log read it again. */
function useLogChanged(): () => Promise<void> {
  const client = useQueryClient();
  return () => refetchStale(client, [keys.careLog]);
}

export interface EntryBody {
  readonly entry: CareEntryContent;
  readonly at?: string;
  readonly corrects?: string;
}

/** The same may happen again to a child, so a later press is a new entry. Milliseconds. */
const RETRY_MS = 2 * 60_000;
const attempts = createAttemptKeys({ openForMs: RETRY_MS });

/** Records an entry. Pressed again after a lost answer, it is recorded once. Throws the `ApiError`. */
export async function sendEntry(childId: string, body: EntryBody) {
  const subject = `${childId} ${JSON.stringify(body)}`;
  const headers = { [IDEMPOTENCY_KEY_HEADER]: attempts.keyFor(subject) };
  try {
    const answer = await call(careLogRoutes.addCareLogEntry, { params: { id: childId }, body, headers });
    attempts.settle(subject, 'answered');
    return answer;
  } catch (error) {
    attempts.settle(subject, outcomeOf(error));
    throw error;
  }
}

/** Records an entry by one press; a second press of the same before the answer is a double tap, and does nothing. */
export function usePress(childId: string) {
  const { t } = useTranslation('care-log');
  const changed = useLogChanged();
  const underway = useRef(new Set<string>());
  const { mutate } = useMutation({
    mutationFn: (entry: CareEntryContent) => sendEntry(childId, { entry }),
    onSuccess: () => notifySuccess(t('recorded')),
    onError: (error) => notifyError(failureText(error, t('failed'))),
    onSettled(_answer, _error, entry) {
      underway.current.delete(JSON.stringify(entry));
      void changed();
    },
  });
  return (entry: CareEntryContent) => {
    const same = JSON.stringify(entry);
    if (underway.current.has(same)) return;
    underway.current.add(same);
    mutate(entry);
  };
}

/** Signs an entry of the own child. */
export function useSign({ _id: entryId, childId }: CareLogEntry, onDone: () => void) {
  const { t } = useTranslation('care-log');
  const onSettled = useLogChanged();
  return useMutation({
    mutationFn: (signature: CareSignature) =>
      call(careLogRoutes.acknowledgeCareLogEntry, { params: { id: childId, entryId }, body: { signature } }),
    onSuccess: () => {
      notifySuccess(t('sign.done'));
      onDone();
    },
    onError: (error) => notifyError(failureText(error, t('sign.failed'))),
    onSettled,
  });
}
