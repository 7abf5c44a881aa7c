/** A sensor's history: choice of quantity and time span, a chart, and a summary in words. */
import { QUANTITIES, type Quantity } from '@haris/contract/live/readings';
import { Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { IconChartLine } from '@tabler/icons-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../calls/failure.ts';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { type Point, thinOut } from './air.ts';
import { type Span, useHistory } from './api.ts';
import classes from './history.module.css';
import { pointsOf } from './history-points.ts';
import { useAirFormat } from './use-air-format.ts';

const HistoryChart = lazy(() => import('./history-chart.tsx'));

/** Maximum number of points shown; more points than pixels would blur the chart. */
const POINTS_SHOWN = 360;

export interface HistoryProps {
  sensorId: string;
  /** Time spans to choose from; the choice is hidden if there is only one. */
  spans: readonly [Span, ...Span[]];
}

export function History({ sensorId, spans }: HistoryProps) {
  const { t } = useTranslation('environment');
  const [quantity, setQuantity] = useState<Quantity>('temperature');
  const [span, setSpan] = useState<Span>(spans[0]);
  const history = useHistory(sensorId, span);
  const points = useMemo(() => {
    return thinOut(pointsOf(history.data?.points ?? [], quantity), POINTS_SHOWN);
  }, [history.data, quantity]);
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <SegmentedControl
          aria-label={t('history.quantity')}
          classNames={{ label: classes.quantity ?? '' }}
          value={quantity}
          onChange={(value) => setQuantity(value as Quantity)}
          data={QUANTITIES.map((value) => ({ value, label: t(`quantity.${value}`) }))}
        />
        {spans.length === 1 ? null : (
          <SegmentedControl
            aria-label={t('history.span')}
            value={span}
            onChange={(value) => setSpan(value as Span)}
            data={spans.map((value) => ({ value, label: t(`history.${value}`) }))}
          />
        )}
      </Group>
      {history.isPending ? (
        <Skeleton h={260} />
      ) : history.isError ? (
        <ErrorState
          text={failureText(history.error)}
          onRetry={() => void history.refetch()}
          busy={history.isRefetching}
        />
      ) : points.length === 0 ? (
        <EmptyState
          icon={<IconChartLine size={28} />}
          text={t('history.empty')}
          hint={t('history.emptyHint')}
        />
      ) : (
        <>
          <Summary quantity={quantity} points={points} />
          <Suspense fallback={<Skeleton h={260} />}>
            <HistoryChart quantity={quantity} span={span} points={points} />
          </Suspense>
        </>
      )}
    </Stack>
  );
}

/** Summary of the chart for screen readers. */
function Summary({ quantity, points }: { quantity: Quantity; points: readonly Point[] }) {
  const { t } = useTranslation('environment');
  const format = useAirFormat();
  const mean = points.reduce((sum, point) => sum + point.mean, 0) / points.length;
  return (
    <Text size="sm" c="dimmed">
      {t('history.summary', {
        mean: format(quantity, mean),
        least: format(quantity, Math.min(...points.map(({ min }) => min))),
        most: format(quantity, Math.max(...points.map(({ max }) => max))),
      })}
    </Text>
  );
}
