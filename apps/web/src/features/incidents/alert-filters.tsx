/** Filters of the list of alerts: open or all, severity, kind and room. */
import { INCIDENT_KINDS, INCIDENT_SEVERITIES } from '@haris/contract/incident-kinds';
import { Group, SegmentedControl, Select } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { AlertFilter, IncidentState } from './api.ts';
import classes from './incidents.module.css';

export interface AlertFiltersProps {
  state: IncidentState;
  onState: (state: IncidentState) => void;
  filter: AlertFilter;
  onFilter: (filter: AlertFilter) => void;
  areas: readonly string[];
}

/** The coming end of a stay is not an alert for staff. */
const KINDS = INCIDENT_KINDS.filter((kind) => kind !== 'stay_due' && kind !== 'accident');
const EVERY = 'all';

/** The filter without a field, or with another value of it. */
function withField<K extends keyof AlertFilter>(
  filter: AlertFilter,
  field: K,
  value: AlertFilter[K] | undefined,
): AlertFilter {
  const { [field]: _old, ...rest } = filter;
  return value === undefined ? (rest as AlertFilter) : ({ ...rest, [field]: value } as AlertFilter);
}

export function AlertFilters({ state, onState, filter, onFilter, areas }: AlertFiltersProps) {
  const { t } = useTranslation('incidents');
  const kinds = useMemo(() => KINDS.map((kind) => ({ value: kind, label: t(`kind.${kind}`) })), [t]);
  return (
    <Group gap="sm" mb="md" className={classes.filters}>
      <SegmentedControl
        className={classes.states}
        aria-label={t('screen.which')}
        value={state}
        onChange={(value) => onState(value === 'all' ? 'all' : 'open')}
        data={[
          { value: 'open', label: t('screen.open') },
          { value: 'all', label: t('screen.all') },
        ]}
      />
      <SegmentedControl
        className={`${classes.states} ${classes.severities}`}
        aria-label={t('screen.severity')}
        value={filter.severity ?? EVERY}
        onChange={(value) =>
          onFilter(
            withField(
              filter,
              'severity',
              INCIDENT_SEVERITIES.find((one) => one === value),
            ),
          )
        }
        data={[
          { value: EVERY, label: t('screen.allSeverities') },
          ...INCIDENT_SEVERITIES.map((one) => ({ value: one, label: t(`severity.${one}`) })),
        ]}
      />
      <Select
        className={classes.select}
        aria-label={t('screen.kind')}
        placeholder={t('screen.allKinds')}
        data={kinds}
        value={filter.kind ?? null}
        onChange={(value) =>
          onFilter(
            withField(
              filter,
              'kind',
              KINDS.find((one) => one === value),
            ),
          )
        }
        clearable
      />
      <Select
        className={classes.select}
        aria-label={t('screen.area')}
        placeholder={t('screen.allAreas')}
        data={[...areas]}
        value={filter.area ?? null}
        onChange={(value) => onFilter(withField(filter, 'area', value ?? undefined))}
        clearable
        searchable={areas.length > 8}
      />
    </Group>
  );
}
