/**
 * Fields of the alert settings: limits of the air, and optional numbers, in the digits of the page. Stateless; NaN stands
 * for an empty field.
 */
import { ALARM_RANGES, type AlarmLimit, DEFAULT_ALARMS } from '@haris/contract/alarms';
import { SimpleGrid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { NumberField } from '../../ui/number-field.tsx';
import type { AirKind } from './air-check.ts';

/** Error message of the field at this path; undefined if it is valid. */
export type ProblemOf = (path: string) => string | undefined;

const LIMIT_FIELDS = ['from', 'hysteresis', 'delaySeconds', 'clearSeconds'] as const;

export interface LimitFieldsProps {
  kind: AirKind;
  limit: AlarmLimit;
  /** Path of the limit in the draft, joined with dots. */
  path: string;
  problemOf: ProblemOf;
  onChange: (limit: AlarmLimit) => void;
}

/** The limit at which an incident opens, its hysteresis, and the delays before it opens and closes. */
export function LimitFields({ kind, limit, path, problemOf, onChange }: LimitFieldsProps) {
  const { t } = useTranslation('incidents');
  function hintOf(field: (typeof LIMIT_FIELDS)[number]): string {
    const isAir = field === 'from' || field === 'hysteresis';
    const [least, most] = isAir ? ALARM_RANGES[kind][field] : ALARM_RANGES.seconds;
    const values = { least, most, usual: DEFAULT_ALARMS[kind][field] };
    return isAir
      ? t(`settings.limitHint.${field}.${kind}`, values)
      : t(`settings.limitHint.${field}`, values);
  }
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      {LIMIT_FIELDS.map((field) => (
        <NumberField
          key={field}
          size="md"
          label={t(`settings.limit.${field}`)}
          description={hintOf(field)}
          value={limit[field]}
          error={problemOf(`${path}.${field}`)}
          onChange={(value) => onChange({ ...limit, [field]: value ?? Number.NaN })}
        />
      ))}
    </SimpleGrid>
  );
}

export interface OptionalNumberProps {
  label: string;
  description: string;
  value: number | null;
  error: string | undefined;
  onChange: (value: number | null) => void;
}

/** An optional number; the field may be empty. */
export function OptionalNumber(props: OptionalNumberProps) {
  return <NumberField {...props} size="md" allowDecimal={false} />;
}
