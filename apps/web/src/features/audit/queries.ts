/** Queries of the audit log screen. */
import type { AuditFilterKind } from '@haris/contract/audit';
import { operationRoutes } from '@haris/contract/http/operations';
import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../../calls/http.ts';
import { pagedQuery } from '../../calls/paged.ts';

/** Days are `YYYY-MM-DD` of the facility; actor and subject are ids. Undefined: not filtered. */
export interface AuditQuestion {
  readonly search: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly actor?: string | undefined;
  readonly subject?: string | undefined;
  readonly kind?: AuditFilterKind | undefined;
}

/** Rows page by page, newest first. */
export function useAudit(question: AuditQuestion) {
  return useInfiniteQuery({
    ...pagedQuery(['audit', question], (cursor, signal) =>
      call(operationRoutes.listAudit, { query: { ...question, cursor }, signal }),
    ),
    // Every action adds rows, including actions in this page.
    staleTime: 0,
    // Reading the log adds a row, so a window focus must not refetch.
    refetchOnWindowFocus: false,
  });
}
