/** Chart of one quantity with its minimum and maximum; a separate chunk, because the library is large. */
import '@mantine/charts/styles.css';
import type { Quantity } from '@haris/contract/live/readings';
import { LineChart } from '@mantine/charts';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { facilityTimeZone, momentFormat } from '../../i18n/locale.ts';
import type { Point } from './air.ts';
import type { Span } from './api.ts';
import classes from './history.module.css';
import { timeTicks } from './time-ticks.ts';
import { useAirFormat } from './use-air-format.ts';

export interface HistoryChartProps {
  quantity: Quantity;
  span: Span;
  points: readonly Point[];
}

export default function HistoryChart({ quantity, span, points }: HistoryChartProps) {
  const { t, i18n } = useTranslation('environment');
  const format = useAirFormat();
  const { language } = i18n;
  const isDay = span === 'day';
  const onAxis = momentFormat(language, isDay ? { timeStyle: 'short' } : { day: 'numeric', month: 'short' });
  const inFull = momentFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const timeZone = facilityTimeZone();
  const data = useMemo(() => points.map((point) => ({ ...point, at: Date.parse(point.at) })), [points]);
  const ticks = useMemo(
    () => timeTicks(data[0]?.at ?? 0, data.at(-1)?.at ?? 0, span, timeZone),
    [data, span, timeZone],
  );
  return (
    // On charts time runs from left to right, in Arabic too.
    <div dir="ltr" aria-hidden>
      <LineChart
        h={260}
        data={data}
        dataKey="at"
        withDots={false}
        withLegend
        curveType="linear"
        strokeWidth={2}
        connectNulls={false}
        valueFormatter={(value) => format(quantity, value)}
        yAxisProps={{ width: 64, domain: ['auto', 'auto'] }}
        xAxisProps={{
          type: 'number',
          scale: 'time',
          domain: ['dataMin', 'dataMax'],
          ticks,
          tickFormatter: (at: number) => onAxis.format(at),
          minTickGap: 24,
        }}
        // The library also calls this when no point is under the pointer.
        tooltipProps={{ labelFormatter: (at) => (typeof at === 'number' ? inFull.format(at) : '') }}
        classNames={{ tooltip: classes.tooltip ?? '' }}
        lineChartProps={{ accessibilityLayer: false }}
        lineProps={{ isAnimationActive: false }}
        series={[
          { name: 'mean', label: t('history.mean'), color: 'pine.6' },
          { name: 'min', label: t('history.least'), color: 'saffron.6', strokeDasharray: '4 4' },
          { name: 'max', label: t('history.most'), color: 'clay.6', strokeDasharray: '4 4' },
        ]}
      />
    </div>
  );
}
