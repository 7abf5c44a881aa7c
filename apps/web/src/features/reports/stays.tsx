/** The stays of a report, page by page. */
import { Skeleton, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../calls/failure.ts';
import { LoadMore } from '../../ui/load-more.tsx';
import { ErrorState } from '../../ui/states.tsx';
import type { Attendance, Question } from './queries.ts';
import classes from './reports.module.css';
import { StaysTable } from './tables.tsx';

export function Stays({
  attendance,
  question,
  printed,
}: {
  attendance: Attendance;
  question: Question;
  printed: boolean;
}) {
  const { t } = useTranslation('reports');
  const pages = attendance.data?.pages;
  const timeZone = pages?.[0]?.timeZone;
  return (
    <div>
      <Title order={3} fz="h4" mb="xs">
        {t('visits')}
      </Title>
      {printed ? null : <p className={classes.paperOnly}>{t('tooMany')}</p>}
      <div className={printed ? undefined : classes.screenOnly}>
        {pages === undefined || timeZone === undefined ? (
          attendance.isError ? (
            <ErrorState
              text={failureText(attendance.error, t('error'))}
              onRetry={() => void attendance.refetch()}
              busy={attendance.isRefetching}
            />
          ) : (
            <Skeleton height={240} />
          )
        ) : (
          <StaysTable
            entries={pages.flatMap(({ entries }) => entries)}
            timeZone={timeZone}
            withDate={question.period !== 'day'}
          />
        )}
        <div className={classes.screenOnly}>
          <LoadMore
            list={attendance}
            label={t('loadMore')}
            busyLabel={t('loadingMore')}
            errorText={t('errorMore')}
          />
        </div>
      </div>
    </div>
  );
}
