/** The number of children inside over a day, by quarters of an hour. */
import { AreaChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { useTranslation } from 'react-i18next';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import type { Chart } from './queries.ts';

export default function CurveChart({ quarters, height }: Pick<Chart, 'quarters'> & { height: number }) {
  const { t } = useTranslation('reports');
  const format = useClockFormat();
  const data = quarters.map(({ at, children }) => ({ at: format.timeOfDay(at), children }));
  return (
    // On charts time runs from left to right, in Arabic too.
    <div dir="ltr" aria-hidden>
      <AreaChart
        h={height}
        data={data}
        dataKey="at"
        curveType="stepAfter"
        withDots={false}
        withGradient={false}
        fillOpacity={0.25}
        valueFormatter={format.count}
        xAxisProps={{ minTickGap: 40 }}
        yAxisProps={{ allowDecimals: false, width: 36 }}
        areaChartProps={{ accessibilityLayer: false }}
        areaProps={{ isAnimationActive: false }}
        series={[{ name: 'children', label: t('chart.inside'), color: 'pine.6' }]}
      />
    </div>
  );
}
