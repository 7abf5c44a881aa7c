/** Temperature, humidity and air quality, each with its reliability. */
import { isCurrent, QUANTITIES, type Quantity, type Truth } from '@haris/contract/live/readings';
import { Text } from '@mantine/core';
import { IconAlertCircle, IconDroplet, IconFlame, IconTemperature, IconWind } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Air } from './air.ts';
import classes from './indicators.module.css';
import { useAirFormat } from './use-air-format.ts';

const ICONS = { temperature: IconTemperature, humidity: IconDroplet, mq2: IconWind } as const;

export interface IndicatorsProps {
  air: Air;
  /** Label for assistive technology. */
  label: string;
  /** Lays the values out in one line without boxes. */
  compact?: boolean;
  /** A small chart below a value, which was received at some time. */
  renderTrend?: (quantity: Quantity) => ReactNode;
}

/** The reliability shared by all values, to show it once; null if they differ or all are live. */
function commonTruth(air: Air): Truth | null {
  const truths = new Set(
    QUANTITIES.flatMap((quantity) => (air[quantity].value === null ? [] : air[quantity].truth)),
  );
  const [only] = truths;
  return truths.size === 1 && only !== undefined && only !== 'live' ? only : null;
}

export function Indicators({ air, label, compact = false, renderTrend }: IndicatorsProps) {
  const common = compact ? commonTruth(air) : null;
  return (
    <dl className={classes.indicators} aria-label={label} data-compact={compact || undefined}>
      {QUANTITIES.map((quantity) => (
        <Indicator
          key={quantity}
          quantity={quantity}
          {...air[quantity]}
          isMarked={common === null}
          trend={air[quantity].value === null ? null : renderTrend?.(quantity)}
        />
      ))}
      {common === null ? null : (
        <div className={classes.indicator}>
          <dt className={classes.hidden}>{label}</dt>
          <dd>
            <TruthMark truth={common} />
          </dd>
        </div>
      )}
    </dl>
  );
}

interface IndicatorProps {
  quantity: Quantity;
  value: number | null;
  truth: Truth;
  isMarked: boolean;
  trend: ReactNode;
}

function Indicator({ quantity, value, truth, isMarked, trend }: IndicatorProps) {
  const { t } = useTranslation('environment');
  const format = useAirFormat();
  const Icon = ICONS[quantity];
  const isOld = value !== null && !isCurrent(truth);
  return (
    <div className={classes.indicator} data-old={isOld || undefined}>
      <dt>
        <Icon size={18} aria-hidden />
        <span>{t(`quantity.${quantity}`)}</span>
      </dt>
      <dd>
        <span className={classes.value}>{format(quantity, value)}</span>
        {value === null || truth === 'live' || !isMarked ? null : <TruthMark truth={truth} />}
        {trend}
      </dd>
    </div>
  );
}

/** Label beside an unreliable value. */
function TruthMark({ truth }: { truth: Truth }) {
  const { t } = useTranslation('environment');
  const Icon = truth === 'warming_up' ? IconFlame : IconAlertCircle;
  return (
    <Text component="span" size="xs" className={classes.mark} data-truth={truth}>
      <Icon size={14} aria-hidden />
      {t(`truth.${truth}`)}
    </Text>
  );
}
