/** When an alarm is raised: limits of the place, what differs in an area, and what else the engine goes by. */
import { operationRoutes } from '@haris/contract/http/operations';
import { type Settings, settingsSchema } from '@haris/contract/objects';
import { Button, Group, NumberInput, Stack, Switch, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText, showFailure } from '../../client/failure.ts';
import { call } from '../../client/http.ts';
import { keys } from '../../client/query-client.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { LimitFields, OptionalNumber, shownNumber, typedNumber } from './alarm-fields.tsx';
import { SettingsSkeleton } from './alarm-settings-skeleton.tsx';
import { AreaAlarmsCard } from './area-alarms.tsx';

const draftSchema = settingsSchema.pick({
  alarms: true,
  areaAlarms: true,
  backupDueDays: true,
  incidentDays: true,
});
/** What is typed and may not be right yet: a field without a number has NaN. */
type Draft = Pick<Settings, 'alarms' | 'areaAlarms' | 'backupDueDays' | 'incidentDays'>;
/** Paths of fields that are wrong, joined with dots. */
type Problems = ReadonlySet<string>;

export default function AlarmSettingsScreen() {
  const { t } = useTranslation('incidents');
  const settings = useQuery({
    queryKey: [keys.settings],
    queryFn: ({ signal }) => call(operationRoutes.getSettings, { signal }),
  });
  const known = settings.data?.settings;
  return (
    <Page
      title={t('settings.title')}
      description={t('settings.lead')}
      size="md"
      actions={<BackLink to="/incidents">{t('settings.back')}</BackLink>}
    >
      {known === undefined ? (
        settings.isError ? (
          <ErrorState
            text={failureText(settings.error)}
            onRetry={() => void settings.refetch()}
            busy={settings.isRefetching}
          />
        ) : (
          <SettingsSkeleton />
        )
      ) : (
        <SettingsForm known={known} />
      )}
    </Page>
  );
}

function SettingsForm({ known }: { known: Settings }) {
  const { t } = useTranslation('incidents');
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState<Draft>(() => ({
    alarms: known.alarms,
    areaAlarms: known.areaAlarms,
    backupDueDays: known.backupDueDays,
    incidentDays: known.incidentDays,
  }));
  const [problems, setProblems] = useState<Problems>(new Set());
  const change = (part: Partial<Draft>) => {
    setDraft((old) => ({ ...old, ...part }));
    setProblems(new Set());
  };
  const save = useMutation({
    mutationFn: (body: Draft) => call(operationRoutes.updateSettings, { body }),
    onSuccess: (answer) => {
      client.setQueryData([keys.settings], answer);
      notifySuccess(t('settings.saved'));
    },
    onError: (error) => showFailure(error),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const checked = draftSchema.safeParse(draft);
    if (checked.success) return save.mutate(checked.data);
    setProblems(new Set(checked.error.issues.map(({ path }) => path.join('.'))));
    // After the errors are there.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const problemOf = (path: string) => (problems.has(path) ? t('settings.outOfRange') : undefined);
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack gap="lg">
        {(['temperature', 'air'] as const).map((kind) => (
          <Card key={kind} component="section" aria-label={t(`kind.${kind}`)}>
            <Title order={2} fz="lg" mb="sm">
              {t(`kind.${kind}`)}
            </Title>
            <LimitFields
              kind={kind}
              limit={draft.alarms[kind]}
              path={`alarms.${kind}`}
              problemOf={problemOf}
              onChange={(limit) => change({ alarms: { ...draft.alarms, [kind]: limit } })}
            />
          </Card>
        ))}
        <Card component="section" aria-label={t('settings.place')}>
          <Title order={2} fz="lg" mb="sm">
            {t('settings.place')}
          </Title>
          <Stack gap="md">
            <OptionalNumber
              label={t('settings.capacity')}
              description={t('settings.capacityHint')}
              value={draft.alarms.capacity}
              error={problemOf('alarms.capacity')}
              onChange={(capacity) => change({ alarms: { ...draft.alarms, capacity } })}
            />
            <Switch
              size="md"
              label={t('settings.unknownPerson')}
              description={t('settings.unknownPersonHint')}
              checked={draft.alarms.unknownPerson}
              onChange={(event) =>
                change({ alarms: { ...draft.alarms, unknownPerson: event.currentTarget.checked } })
              }
            />
            <OptionalNumber
              label={t('settings.backup')}
              description={t('settings.backupHint')}
              value={draft.backupDueDays}
              error={problemOf('backupDueDays')}
              onChange={(backupDueDays) => change({ backupDueDays })}
            />
            <NumberInput
              size="md"
              label={t('settings.keep')}
              description={t('settings.keepHint')}
              value={shownNumber(draft.incidentDays)}
              error={problemOf('incidentDays')}
              onChange={(value) => change({ incidentDays: typedNumber(value) })}
              allowDecimal={false}
            />
          </Stack>
        </Card>
        <AreaAlarmsCard
          usual={draft.alarms}
          areaAlarms={draft.areaAlarms}
          problemOf={problemOf}
          onChange={(areaAlarms) => change({ areaAlarms })}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={save.isPending}>
            {t('settings.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
