/** Visits of each day of a week or month, and the most children inside at once. */
import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { useTranslation } from 'react-i18next';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { momentFormat } from '../../i18n/locale.ts';
import type { Chart } from './queries.ts';

/** With more days there is no room for the names of weekdays. */
const NAMED_DAYS_MAX = 7;

export default function DaysChart({
  days,
  today,
  height,
}: Pick<Chart, 'days' | 'today'> & { height: number }) {
  const { t, i18n } = useTranslation('reports');
  const format = useClockFormat();
  const name = momentFormat(i18n.language, {
    ...(days.length > NAMED_DAYS_MAX ? {} : { weekday: 'short' }),
    day: 'numeric',
    timeZone: 'UTC',
  });
  const data = days.map(({ date, visits, peak }) => ({
    day: name.format(new Date(date)),
    // Future days have no figures.
    ...(date > today ? {} : { visits, peak }),
  }));
  return (
    <div dir="ltr" aria-hidden>
      <BarChart
        h={height}
        data={data}
        dataKey="day"
        withLegend
        valueFormatter={format.count}
        yAxisProps={{ allowDecimals: false, width: 36 }}
        barChartProps={{ accessibilityLayer: false }}
        barProps={{ isAnimationActive: false }}
        series={[
          { name: 'visits', label: t('chart.visits'), color: 'pine.6' },
          { name: 'peak', label: t('chart.peakShort'), color: 'saffron.5' },
        ]}
      />
    </div>
  );
}
