/** When the facility is open, and its holidays: one form, saved together. */
import type { operationRoutes } from '@haris/contract/http/operations';
import { localDay } from '@haris/contract/zone-time';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AnswerOf } from '../../../calls/http.ts';
import { serverNow } from '../../../calls/server-clock.ts';
import { Allowed } from '../../../session/allowed.tsx';
import { Card } from '../../../ui/card.tsx';
import { usualWeek } from '../../../week/week.ts';
import { WeekTable, type WeekWords } from '../../../week/week-table.tsx';
import { HolidaysList } from './holidays-list.tsx';
import { useHoursDraft } from './use-hours-draft.ts';

export function HoursForm({ known }: { known: AnswerOf<typeof operationRoutes.getSettings> }) {
  const { t } = useTranslation('settings');
  const { form, draft, isSaving, problemOf, change, submit } = useHoursDraft(known);
  const { region, timeZone } = known.settings;
  const words = useHoursWords();
  return (
    <Card component="section" aria-labelledby="hours-title" mt="md">
      <form noValidate ref={form} onSubmit={submit}>
        <Stack gap="md">
          <div>
            <Title order={2} fz="lg" id="hours-title">
              {t('hours.title')}
            </Title>
            <Text size="sm" c="dimmed">
              {t('hours.lead')}
            </Text>
          </div>
          {draft.openingHours === null ? (
            <div>
              <Text mb="xs">{t('hours.unknown')}</Text>
              <Button variant="light" size="sm" onClick={() => change({ openingHours: usualWeek(region) })}>
                {t('hours.enter')}
              </Button>
            </div>
          ) : (
            <div>
              <WeekTable
                words={words}
                hours={draft.openingHours}
                region={region}
                problemOf={(path) => problemOf(`openingHours.${path}`)}
                onChange={(openingHours) => change({ openingHours })}
              />
              <Group justify="space-between" gap="xs" mt="xs">
                <Text size="sm" c="dimmed">
                  {t('hours.midnight')}
                </Text>
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="gray"
                  onClick={() => change({ openingHours: null })}
                >
                  {t('hours.forget')}
                </Button>
              </Group>
            </div>
          )}
          <div>
            <Title order={3} fz="md">
              {t('holidays.title')}
            </Title>
            <Text size="sm" c="dimmed" mb="xs">
              {t('holidays.lead')}
            </Text>
            <HolidaysList
              holidays={draft.holidays}
              today={localDay(serverNow(), timeZone)}
              problemOf={problemOf}
              onChange={(holidays) => change({ holidays })}
            />
          </div>
          <Allowed to="settings.manage">
            <Group justify="flex-end">
              <Button type="submit" loading={isSaving}>
                {t('hours.save')}
              </Button>
            </Group>
          </Allowed>
        </Stack>
      </form>
    </Card>
  );
}

function useHoursWords(): WeekWords {
  const { t } = useTranslation('settings');
  return {
    off: t('hours.closed'),
    from: (time) => t('hours.opens', { ...time }),
    to: (time) => t('hours.closes', { ...time }),
    copy: t('hours.copy'),
    copyOf: (day) => t('hours.copyOf', { day }),
    several: {
      add: t('hours.add'),
      addTo: (day) => t('hours.addTo', { day }),
      remove: (time) => t('hours.remove', { ...time }),
    },
  };
}
