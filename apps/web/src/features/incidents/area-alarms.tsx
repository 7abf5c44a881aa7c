/** What differs in an area from the alarms of the whole place. */
import type { Alarms } from '@haris/contract/alarms';
import type { Settings } from '@haris/contract/objects';
import { Button, Group, Select, Stack, Switch, Text, Title } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useAreas } from '../../client/areas.ts';
import { Card } from '../../ui/card.tsx';
import { LimitFields, OptionalNumber, type ProblemOf } from './alarm-fields.tsx';
import classes from './incidents.module.css';

type AreaAlarms = Settings['areaAlarms'][number];

export interface AreaAlarmsProps {
  /** Of the whole place. */
  usual: Alarms;
  areaAlarms: readonly AreaAlarms[];
  problemOf: ProblemOf;
  onChange: (areas: AreaAlarms[]) => void;
}

/** What an area does not say is as in the whole place. */
export function AreaAlarmsCard({ usual, areaAlarms, problemOf, onChange }: AreaAlarmsProps) {
  const { t } = useTranslation('incidents');
  const known = useAreas();
  const heading = useId();
  const left = useMemo(
    () => (known.data ?? []).filter((area) => !areaAlarms.some((one) => one.area === area)),
    [known.data, areaAlarms],
  );
  const put = (index: number, next: AreaAlarms) =>
    onChange(areaAlarms.map((one, place) => (place === index ? next : one)));
  return (
    <Card component="section" aria-labelledby={heading}>
      <Title order={2} fz="lg" id={heading}>
        {t('settings.areas')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('settings.areasHint')}
      </Text>
      <Stack gap="lg">
        {areaAlarms.map((own, index) => (
          <AreaFields
            key={own.area}
            own={own}
            usual={usual}
            path={`areaAlarms.${index}`}
            problemOf={problemOf}
            onChange={(next) => put(index, next)}
            onRemove={() => onChange(areaAlarms.filter((one) => one !== own))}
          />
        ))}
        {left.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t(known.data?.length === 0 ? 'settings.noAreas' : 'settings.allAreas')}
          </Text>
        ) : (
          <Select
            size="md"
            label={t('settings.addArea')}
            placeholder={t('settings.chooseArea')}
            data={left}
            value={null}
            onChange={(area) => {
              if (area !== null) onChange([...areaAlarms, { area }]);
            }}
          />
        )}
      </Stack>
    </Card>
  );
}

interface AreaFieldsProps {
  own: AreaAlarms;
  usual: Alarms;
  path: string;
  problemOf: ProblemOf;
  onChange: (own: AreaAlarms) => void;
  onRemove: () => void;
}

function AreaFields({ own, usual, path, problemOf, onChange, onRemove }: AreaFieldsProps) {
  const { t } = useTranslation('incidents');
  return (
    <fieldset className={classes.area}>
      <legend>
        <bdi>{own.area}</bdi>
      </legend>
      <Stack gap="md">
        {(['temperature', 'air'] as const).map((kind) => {
          const { [kind]: limit, ...rest } = own;
          return (
            <div key={kind}>
              <Switch
                size="md"
                label={t(`settings.own.${kind}`)}
                checked={limit !== undefined}
                onChange={(event) =>
                  onChange(event.currentTarget.checked ? { ...own, [kind]: usual[kind] } : rest)
                }
                mb="xs"
              />
              {limit === undefined ? null : (
                <LimitFields
                  kind={kind}
                  limit={limit}
                  path={`${path}.${kind}`}
                  problemOf={problemOf}
                  onChange={(next) => onChange({ ...own, [kind]: next })}
                />
              )}
            </div>
          );
        })}
        <OptionalNumber
          label={t('settings.areaCapacity')}
          description={t('settings.areaCapacityHint')}
          value={own.capacity ?? null}
          error={problemOf(`${path}.capacity`)}
          onChange={(capacity) => onChange({ ...own, capacity })}
        />
        <Group justify="flex-end">
          <Button
            variant="default"
            leftSection={<IconTrash size={18} aria-hidden />}
            onClick={onRemove}
            aria-label={t('settings.removeArea', { area: own.area })}
          >
            {t('settings.remove')}
          </Button>
        </Group>
      </Stack>
    </fieldset>
  );
}
