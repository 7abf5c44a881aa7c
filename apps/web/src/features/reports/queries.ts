/** What a report reads: the stays, their sums, and the children to choose from. */
import { PAGE_LIMIT_MAX } from '@haris/contract/constants';
import { childRoutes } from '@haris/contract/http/children';
import { type ReportPeriod, reportRoutes } from '@haris/contract/http/reports';
import {
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback } from 'react';
import { call } from '../../client/http.ts';
import { useLiveEvents } from '../../client/live-provider.tsx';
import { keys } from '../../client/query-client.ts';

/** What is asked for; without a date, today. */
export interface Question {
  readonly period: ReportPeriod;
  readonly date: string | null;
  /** 1 Monday to 7 Sunday. */
  readonly weekStart: number;
  readonly childId: string | null;
}

/** As the calls want it. */
export function toQuery({ period, date, weekStart, childId }: Question) {
  return { period, date, childId, weekStart: String(weekStart) };
}

// A key of its own: what happens now changes no report of last month, which may be long (useLiveReport).
const REPORT = 'attendance';
const key = (part: string, question: Question) => [REPORT, part, toQuery(question)] as const;

/** Reads a report anew while the day goes on that it ends with, or that it is about. */
export function useLiveReport(
  report: { today: string; firstDay: string; lastDay: string } | undefined,
): void {
  const client = useQueryClient();
  const isGoingOn = report !== undefined && report.firstDay <= report.today && report.today <= report.lastDay;
  useLiveEvents(
    useCallback(
      ({ type }) => {
        if (isGoingOn && (type.startsWith('child.') || type.startsWith('parent.')))
          void client.invalidateQueries({ queryKey: [REPORT] });
      },
      [client, isGoingOn],
    ),
  );
}

/** After the time zone was changed every report is another. */
export function refetchReports(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: [REPORT] });
}

/** Stays page by page, the largest pages there are: reports are read and printed whole. */
export function useAttendance(question: Question) {
  return useInfiniteQuery({
    queryKey: key('entries', question),
    queryFn: ({ pageParam, signal }) =>
      call(reportRoutes.listAttendance, {
        query: { ...toQuery(question), limit: String(PAGE_LIMIT_MAX), cursor: pageParam },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });
}

export type Attendance = ReturnType<typeof useAttendance>;

export function useTotals(question: Question) {
  return useQuery({
    queryKey: key('totals', question),
    queryFn: ({ signal }) => call(reportRoutes.getAttendanceTotals, { query: toQuery(question), signal }),
    placeholderData: keepPreviousData,
  });
}

/** Children by name while one types; the first 20 are enough. */
export function useChildChoices(search: string, enabled: boolean) {
  return useQuery({
    queryKey: [keys.children, 'choices', search],
    queryFn: ({ signal }) => call(childRoutes.listChildren, { query: { search, limit: '20' }, signal }),
    placeholderData: keepPreviousData,
    enabled,
  });
}
