/** The rooms in which a child who is not seen raises an alert: a switch and the minutes for each room with a camera. */
import { ALARM_RANGES } from '@haris/contract/alarms';
import { cameraRoutes } from '@haris/contract/http/cameras';
import { Stack, Switch, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { useMay } from '../../session/may.ts';
import { Card } from '../../ui/card.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import classes from './incidents.module.css';
import type { ProblemOf } from './limit-fields.tsx';
import type { Draft } from './merge-settings.ts';

type AreaAlarms = Draft['areaAlarms'];

/** Sets the minutes of a room; null switches it off. A room without any setting needs no entry. */
function withMinutes(areas: AreaAlarms, area: string, minutes: number | null): AreaAlarms {
  const old = areas.find((one) => one.area === area);
  if (old === undefined) return [...areas, { area, notSeenAfterMinutes: minutes }];
  const { notSeenAfterMinutes: _old, ...rest } = old;
  const next = minutes === null ? rest : { ...rest, notSeenAfterMinutes: minutes };
  if (Object.keys(next).length === 1) return areas.filter((one) => one !== old);
  return areas.map((one) => (one === old ? next : one));
}

export interface NotSeenCardProps {
  draft: Draft;
  problemOf: ProblemOf;
  onChange: (part: Partial<Draft>) => void;
}

export function NotSeenCard({ draft, problemOf, onChange }: NotSeenCardProps) {
  const { t } = useTranslation('incidents');
  const heading = useId();
  const maySee = useMay()('cameras.view');
  const rooms = useQuery({
    enabled: maySee,
    queryKey: [keys.cameras, 'rooms'],
    queryFn: async ({ signal }) => {
      const { cameras } = await call(cameraRoutes.listCameras, { query: { limit: '200' }, signal });
      return [...new Set(cameras.map(({ area }) => area))].sort((a, b) => a.localeCompare(b));
    },
  });
  const { areaAlarms, notSeenAfterMinutes: usual } = draft;
  const [least, most] = ALARM_RANGES.notSeenMinutes;
  // A room stays here while it is switched on, even if its camera is gone.
  const on = areaAlarms.flatMap((one) => (one.notSeenAfterMinutes == null ? [] : [one.area]));
  const shown = [...new Set([...(rooms.data ?? []), ...on])];
  return (
    <Card component="section" aria-labelledby={heading}>
      <Title order={2} fz="lg" id={heading}>
        {t('settings.notSeen.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('settings.notSeen.lead')}
      </Text>
      <Stack gap="md">
        {shown.map((area) => {
          const index = areaAlarms.findIndex((one) => one.area === area);
          const minutes = areaAlarms[index]?.notSeenAfterMinutes ?? null;
          const put = (next: number | null) => onChange({ areaAlarms: withMinutes(areaAlarms, area, next) });
          return (
            <div key={area} className={classes.watched}>
              <Switch
                size="md"
                label={<bdi>{area}</bdi>}
                checked={minutes !== null}
                onChange={(event) => put(event.currentTarget.checked ? usual : null)}
              />
              {minutes === null ? null : (
                <NumberField
                  size="md"
                  label={t('settings.notSeen.minutes', { area })}
                  description={t('settings.notSeen.minutesHint', { least, most })}
                  value={minutes}
                  error={problemOf(`areaAlarms.${index}.notSeenAfterMinutes`)}
                  onChange={(next) => put(next ?? Number.NaN)}
                  allowDecimal={false}
                />
              )}
            </div>
          );
        })}
        <Text size="sm" c="dimmed">
          {t(shown.length === 0 && rooms.isSuccess ? 'settings.notSeen.none' : 'settings.notSeen.all')}
        </Text>
      </Stack>
    </Card>
  );
}
