/** The fields of alarms: limits of the air, and numbers that may be left empty. They hold nothing; a draft has NaN for no number. */
import type { AlarmLimit } from '@haris/contract/alarms';
import { NumberInput, SimpleGrid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AirKind } from './air-check.ts';

/** Nothing typed is no number, which the schema refuses. */
export function typedNumber(value: string | number): number {
  return typeof value === 'number' ? value : Number.NaN;
}

/** The field of a draft's number: empty for NaN. */
export function shownNumber(value: number): number | '' {
  return Number.isNaN(value) ? '' : value;
}

/** What is wrong with the field of this path, in words; undefined while nothing is. */
export type ProblemOf = (path: string) => string | undefined;

const LIMIT_FIELDS = ['from', 'hysteresis', 'delaySeconds', 'clearSeconds'] as const;

export interface LimitFieldsProps {
  kind: AirKind;
  limit: AlarmLimit;
  /** Of the limit in the draft, joined with dots. */
  path: string;
  problemOf: ProblemOf;
  onChange: (limit: AlarmLimit) => void;
}

/** From where an alarm is raised, and how long it takes to come and to go. */
export function LimitFields({ kind, limit, path, problemOf, onChange }: LimitFieldsProps) {
  const { t } = useTranslation('incidents');
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      {LIMIT_FIELDS.map((field) => (
        <NumberInput
          key={field}
          size="md"
          label={t(`settings.limit.${field}`)}
          description={
            field === 'from' || field === 'hysteresis'
              ? t(`settings.limitHint.${field}.${kind}`)
              : t(`settings.limitHint.${field}`)
          }
          value={shownNumber(limit[field])}
          error={problemOf(`${path}.${field}`)}
          onChange={(value) => onChange({ ...limit, [field]: typedNumber(value) })}
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

/** Empty is a choice here. */
export function OptionalNumber({ value, onChange, ...field }: OptionalNumberProps) {
  return (
    <NumberInput
      {...field}
      size="md"
      value={value === null ? '' : shownNumber(value)}
      onChange={(typed) => onChange(typed === '' ? null : typedNumber(typed))}
      allowDecimal={false}
    />
  );
}
