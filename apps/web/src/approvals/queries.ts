/** Queries of requests that wait for a second person. */
import { approvalRoutes } from '@haris/contract/http/approvals';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../calls/http.ts';
import { keys } from '../calls/query-client.ts';

export const approvalsQuery = queryOptions({
  queryKey: [keys.approvals],
  queryFn: ({ signal }) => call(approvalRoutes.listApprovals, { signal }),
});

/** Events tell of a decision; without them it is read again after this time. Milliseconds. */
const AGAIN_MS = 10_000;

export function approvalQuery(id: string) {
  return queryOptions({
    queryKey: [keys.approvals, id],
    queryFn: ({ signal }) => call(approvalRoutes.getApproval, { params: { id }, signal }),
    refetchInterval: AGAIN_MS,
  });
}
