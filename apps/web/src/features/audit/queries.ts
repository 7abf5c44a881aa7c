/** What the audit log's screen reads. */
import { operationRoutes } from '@haris/contract/http/operations';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call } from '../../client/http.ts';
import { keys } from '../../client/query-client.ts';

/** Days are `YYYY-MM-DD` of the facility, '' for none; actor and subject are ids. */
export interface AuditQuestion {
  readonly search: string;
  readonly from: string;
  readonly to: string;
  readonly actor: string;
  readonly subject: string;
}

export const EVERYTHING: AuditQuestion = { search: '', from: '', to: '', actor: '', subject: '' };

/** Rows page by page, newest first. While a new question is on its way the last answer stays, so that nothing jumps. */
export function useAudit(question: AuditQuestion) {
  return useInfiniteQuery({
    queryKey: ['audit', question],
    queryFn: ({ pageParam, signal }) =>
      call(operationRoutes.listAudit, { query: { ...question, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    // It grows with everything that is done, also here.
    staleTime: 0,
    // Reading is itself a row of the log: not again only because the window was looked at.
    refetchOnWindowFocus: false,
  });
}

/** Whose clocks the times are told by; undefined until it is known. */
export function useTimeZone(): string | undefined {
  const settings = useQuery({
    queryKey: [keys.settings],
    queryFn: ({ signal }) => call(operationRoutes.getSettings, { signal }),
  });
  return settings.data?.settings.timeZone;
}
