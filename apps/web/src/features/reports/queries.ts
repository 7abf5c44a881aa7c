/** Queries of a report: the stays, their totals, and the children to choose from. */
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
import { call } from '../../calls/http.ts';
import { pagedQuery } from '../../calls/paged.ts';
import { keys } from '../../calls/query-client.ts';
import { useLiveEvents } from '../../live/live-provider.tsx';

/** Selection of a report; without a date, the period that contains today. */
export interface Question {
  readonly period: ReportPeriod;
  readonly date: string | null;
  /** 1 Monday to 7 Sunday. */
  readonly weekStart: number;
  readonly childId: string | null;
}

/** Query parameters of the selection. */
export function toQuery({ period, date, weekStart, childId }: Question) {
  return { period, date, childId, weekStart: String(weekStart) };
}

// A key prefix of its own: ordinary events about children must not refetch a long report of last month (see
// useLiveReport).
const REPORT = 'attendance';
const key = (part: string, question: Question) => [REPORT, part, toQuery(question)] as const;

/** Refetches a report on events about children or parents, if its period includes today. */
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

/** Refetches all reports, because a new time zone changes the limits of days. */
export function refetchReports(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: [REPORT] });
}

/** Stays page by page, in pages of the maximum size, because reports are read and printed whole. */
export function useAttendance(question: Question) {
  return useInfiniteQuery(
    pagedQuery(key('entries', question), (cursor, signal) =>
      call(reportRoutes.listAttendance, {
        query: { ...toQuery(question), limit: String(PAGE_LIMIT_MAX), cursor },
        signal,
      }),
    ),
  );
}

export type Attendance = ReturnType<typeof useAttendance>;

export function useTotals(question: Question) {
  return useQuery({
    queryKey: key('totals', question),
    queryFn: ({ signal }) => call(reportRoutes.getAttendanceTotals, { query: toQuery(question), signal }),
    placeholderData: keepPreviousData,
  });
}

export type Totals = NonNullable<ReturnType<typeof useTotals>['data']>;

export function useChart(question: Question) {
  return useQuery({
    queryKey: key('chart', question),
    queryFn: ({ signal }) => call(reportRoutes.getAttendanceChart, { query: toQuery(question), signal }),
    placeholderData: keepPreviousData,
  });
}

export type Chart = NonNullable<ReturnType<typeof useChart>['data']>;

/** Children whose name matches the input; the first 20 are enough. */
export function useChildChoices(search: string, enabled: boolean) {
  return useQuery({
    queryKey: [keys.children, 'choices', search],
    queryFn: ({ signal }) => call(childRoutes.listChildren, { query: { search, limit: '20' }, signal }),
    placeholderData: keepPreviousData,
    enabled,
  });
}
