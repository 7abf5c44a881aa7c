/** Limits of single areas that differ from the facility's limits. */
import type { Alarms } from '@haris/contract/alarms';
import type { Settings } from '@haris/contract/objects';
import { Anchor, Button, Group, Select, Stack, Switch, Text, Title } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useAreas } from '../../calls/areas.ts';
import { Allowed } from '../../session/allowed.tsx';
import { useMay } from '../../session/may.ts';
import { Card } from '../../ui/card.tsx';
import classes from './incidents.module.css';
import { LimitFields, type ProblemOf } from './limit-fields.tsx';

type AreaLimits = Settings['areaAlarms'][number];

export interface AreaLimitsProps {
  /** The facility's limits. */
  usual: Alarms;
  areaAlarms: readonly AreaLimits[];
  problemOf: ProblemOf;
  onChange: (areas: AreaLimits[]) => void;
}

/** An area uses the facility's limits unless it sets its own. */
export function AreaLimitsCard({ usual, areaAlarms, problemOf, onChange }: AreaLimitsProps) {
  const { t } = useTranslation('incidents');
  const known = useAreas();
  const mayChange = useMay()('settings.manage');
  const heading = useId();
  /** Rooms that were added here and have no limit yet. */
  const [added, setAdded] = useState<ReadonlySet<string>>(new Set());
  const isShown = (one: AreaLimits) => hasLimits(one) || added.has(one.area);
  const left = (known.data ?? []).filter(
    (area) => !areaAlarms.some((one) => one.area === area && isShown(one)),
  );
  const put = (index: number, next: AreaLimits) =>
    onChange(areaAlarms.map((one, place) => (place === index ? next : one)));
  function add(area: string) {
    setAdded(new Set(added).add(area));
    if (!areaAlarms.some((one) => one.area === area)) onChange([...areaAlarms, { area }]);
  }
  function remove(own: AreaLimits) {
    setAdded(new Set([...added].filter((area) => area !== own.area)));
    onChange(areaAlarms.flatMap((one) => (one === own ? withoutLimits(one) : [one])));
  }
  return (
    <Card component="section" aria-labelledby={heading}>
      <Title order={2} fz="lg" id={heading}>
        {t('settings.areas')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('settings.areasHint')}
      </Text>
      <Allowed to="rooms.view">
        <Anchor component={Link} to="/rooms" size="sm">
          {t('settings.roomCapacity')}
        </Anchor>
      </Allowed>
      <Stack gap="lg" mt="md">
        {areaAlarms.map((own, index) =>
          isShown(own) ? (
            <AreaFields
              key={own.area}
              own={own}
              usual={usual}
              path={`areaAlarms.${index}`}
              problemOf={problemOf}
              onChange={(next) => put(index, next)}
              onRemove={() => remove(own)}
            />
          ) : null,
        )}
        {!mayChange ? null : left.length === 0 ? (
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
              if (area !== null) add(area);
            }}
          />
        )}
      </Stack>
    </Card>
  );
}

/** Whether the room has limits of its own; the minutes of "Not seen" have a card of their own. */
function hasLimits({ area: _area, notSeenAfterMinutes: _minutes, ...limits }: AreaLimits): boolean {
  return Object.keys(limits).length > 0;
}

/** A room's settings without its limits: one entry, or none if nothing is left. */
function withoutLimits({ area, notSeenAfterMinutes }: AreaLimits): AreaLimits[] {
  return notSeenAfterMinutes == null ? [] : [{ area, notSeenAfterMinutes }];
}

interface AreaFieldsProps {
  own: AreaLimits;
  usual: Alarms;
  path: string;
  problemOf: ProblemOf;
  onChange: (own: AreaLimits) => void;
  onRemove: () => void;
}

function AreaFields({ own, usual, path, problemOf, onChange, onRemove }: AreaFieldsProps) {
  const { t } = useTranslation('incidents');
  const mayChange = useMay()('settings.manage');
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
        {mayChange ? (
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
        ) : null}
      </Stack>
    </fieldset>
  );
}
