/** When an alarm is raised: limits of the place, what differs in an area, and what else the engine goes by. */
import type { AlarmLimit, Alarms } from '@haris/contract/alarms';
import { operationRoutes } from '@haris/contract/http/operations';
import { type Settings, settingsSchema } from '@haris/contract/objects';
import { Button, Group, NumberInput, Select, SimpleGrid, Stack, Switch, Text, Title } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAreas } from '../../client/areas.ts';
import { failureText, showFailure } from '../../client/failure.ts';
import { call } from '../../client/http.ts';
import { keys } from '../../client/query-client.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import type { AirKind } from './air-check.ts';
import { SettingsSkeleton } from './alarm-settings-skeleton.tsx';
import classes from './incidents.module.css';

const draftSchema = settingsSchema.pick({
  alarms: true,
  areaAlarms: true,
  backupDueDays: true,
  incidentDays: true,
});
/** What is typed and may not be right yet: a field without a number has NaN. */
type Draft = Pick<Settings, 'alarms' | 'areaAlarms' | 'backupDueDays' | 'incidentDays'>;
type AreaAlarms = Draft['areaAlarms'][number];
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
        <Areas draft={draft} problemOf={problemOf} onChange={(areaAlarms) => change({ areaAlarms })} />
        <Group justify="flex-end">
          <Button type="submit" loading={save.isPending}>
            {t('settings.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Nothing typed is no number, which the schema refuses. */
function typedNumber(value: string | number): number {
  return typeof value === 'number' ? value : Number.NaN;
}

function shownNumber(value: number): number | '' {
  return Number.isNaN(value) ? '' : value;
}

type ProblemOf = (path: string) => string | undefined;

const LIMIT_FIELDS = ['from', 'hysteresis', 'delaySeconds', 'clearSeconds'] as const;

interface LimitFieldsProps {
  kind: AirKind;
  limit: AlarmLimit;
  path: string;
  problemOf: ProblemOf;
  onChange: (limit: AlarmLimit) => void;
}

function LimitFields({ kind, limit, path, problemOf, onChange }: LimitFieldsProps) {
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

interface OptionalNumberProps {
  label: string;
  description: string;
  value: number | null;
  error: string | undefined;
  onChange: (value: number | null) => void;
}

/** Empty is a choice here. */
function OptionalNumber({ value, onChange, ...field }: OptionalNumberProps) {
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

interface AreasProps {
  draft: Draft;
  problemOf: ProblemOf;
  onChange: (areas: AreaAlarms[]) => void;
}

/** What an area does not say is as in the whole place. */
function Areas({ draft: { alarms, areaAlarms }, problemOf, onChange }: AreasProps) {
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
            usual={alarms}
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
