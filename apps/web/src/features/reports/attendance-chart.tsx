/** The chart of a report: the day's curve of children inside, or the days of a week or month. */
import { Skeleton, Text, Title } from '@mantine/core';
import { lazy, Suspense, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { momentFormat } from '../../i18n/locale.ts';
import { type Question, useChart } from './queries.ts';
import classes from './reports.module.css';

const CurveChart = lazy(() => import('./curve-chart.tsx'));
const DaysChart = lazy(() => import('./days-chart.tsx'));

const CHART_PX = 220;

/** Says the peak in words for everybody who cannot see the drawing; the tables below have the numbers. */
export function AttendanceChart({ question }: { question: Question }) {
  const { t, i18n } = useTranslation('reports');
  const heading = useId();
  const format = useClockFormat();
  const { data, isError } = useChart(question);
  // The tables below stand without it.
  if (isError) return null;
  const isDay = question.period === 'day';
  const peakAt =
    data?.peak &&
    (isDay
      ? format.timeOfDay(data.peak.at)
      : momentFormat(i18n.language, { weekday: 'long', day: 'numeric', month: 'short' }).format(
          new Date(data.peak.at),
        ));
  return (
    <section aria-labelledby={heading} className={classes.chart}>
      <Title order={3} fz="h4" id={heading}>
        {t(isDay ? 'chart.day' : 'chart.days')}
      </Title>
      <Text size="sm" c="dimmed" mb="xs" mih="1.5em">
        {data?.peak ? t('chart.peak', { count: data.peak.children, when: peakAt }) : ''}
      </Text>
      <Suspense fallback={<Skeleton h={CHART_PX} />}>
        {data === undefined ? (
          <Skeleton h={CHART_PX} />
        ) : isDay ? (
          <CurveChart height={CHART_PX} quarters={data.quarters} />
        ) : (
          <DaysChart height={CHART_PX} days={data.days} today={data.today} />
        )}
      </Suspense>
    </section>
  );
}
