/** Settings of alerts: limits of the facility and of single rooms, children not seen, and rules of the facility. */

import { ALARM_RANGES } from '@haris/contract/alarms';
import { Alert, Button, Group, Stack, Switch, Title } from '@mantine/core';
import { IconInfoCircle, IconWifiOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../calls/failure.ts';
import { Allowed } from '../../session/allowed.tsx';
import { ReadOnly, SharedValues } from '../../session/read-only.tsx';
import { settingsQuery } from '../../setup/queries.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Card } from '../../ui/card.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { Page } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useOnline } from '../../ui/use-online.ts';
import { AreaLimitsCard } from './area-limits.tsx';
import { SettingsSkeleton } from './incident-settings-skeleton.tsx';
import { LimitFields, OptionalNumber, type ProblemOf } from './limit-fields.tsx';
import type { Draft } from './merge-settings.ts';
import { NotSeenCard } from './not-seen-card.tsx';
import { type KnownSettings, type Notice, useSettingsDraft } from './use-settings-draft.ts';

/** Days that a backup may be apart, and that alerts are kept. */
const BACKUP_DAYS = { least: 1, most: 365 };
const KEPT_DAYS = { least: 1, most: 3650 };

export default function IncidentSettingsScreen() {
  const { t } = useTranslation('incidents');
  const settings = useQuery(settingsQuery);
  return (
    <Page
      title={t('settings.title')}
      description={t('settings.lead')}
      size="md"
      actions={
        <Allowed to="incidents.view">
          <BackLink to="/incidents">{t('settings.back')}</BackLink>
        </Allowed>
      }
    >
      {settings.data === undefined ? (
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
        <ReadOnly unless="settings.manage">
          <SettingsForm known={settings.data} />
        </ReadOnly>
      )}
    </Page>
  );
}

/** Shows that others have saved changes in the meantime, or that there is no connection. Both keep what was typed. */
function Notices({ notice }: { notice: Notice }) {
  const { t } = useTranslation('incidents');
  const isOnline = useOnline();
  return (
    <div role="status">
      {isOnline ? null : (
        <Alert color="saffron" icon={<IconWifiOff size={20} aria-hidden />}>
          {t('settings.offline')}
        </Alert>
      )}
      {notice === null ? null : (
        <Alert color="saffron" icon={<IconInfoCircle size={20} aria-hidden />}>
          {t(notice === 'refused' ? 'settings.merged' : 'settings.refreshed')}
        </Alert>
      )}
    </div>
  );
}

function SettingsForm({ known }: { known: KnownSettings }) {
  const { t } = useTranslation('incidents');
  const { form, draft, notice, isSaving, change, problemOf, submit } = useSettingsDraft(known);
  const isOnline = useOnline();
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
        <NotSeenCard draft={draft} problemOf={problemOf} onChange={change} />
        <FacilityCard draft={draft} problemOf={problemOf} onChange={change} />
        <SharedCard draft={draft} problemOf={problemOf} onChange={change} />
        <AreaLimitsCard
          usual={draft.alarms}
          areaAlarms={draft.areaAlarms}
          problemOf={problemOf}
          onChange={(areaAlarms) => change({ areaAlarms })}
        />
        <Notices notice={notice} />
        <Allowed to="settings.manage">
          <Group justify="flex-end">
            <Button type="submit" loading={isSaving} disabled={!isOnline}>
              {t('settings.save')}
            </Button>
          </Group>
        </Allowed>
      </Stack>
    </form>
  );
}

interface CardProps {
  draft: Draft;
  problemOf: ProblemOf;
  onChange: (part: Partial<Draft>) => void;
}

/** Rules for the whole facility: capacity, and unknown faces. */
function FacilityCard({ draft, problemOf, onChange }: CardProps) {
  const { t } = useTranslation('incidents');
  const [least, most] = ALARM_RANGES.capacity;
  return (
    <Card component="section" aria-label={t('settings.place')}>
      <Title order={2} fz="lg" mb="sm">
        {t('settings.place')}
      </Title>
      <Stack gap="md">
        <OptionalNumber
          label={t('settings.capacity')}
          description={t('settings.capacityHint', { least, most })}
          value={draft.alarms.capacity}
          error={problemOf('alarms.capacity')}
          onChange={(capacity) => onChange({ alarms: { ...draft.alarms, capacity } })}
        />
        <Switch
          size="md"
          label={t('settings.unknownPerson')}
          description={t('settings.unknownPersonHint')}
          checked={draft.alarms.unknownPerson}
          onChange={(event) =>
            onChange({ alarms: { ...draft.alarms, unknownPerson: event.currentTarget.checked } })
          }
        />
      </Stack>
    </Card>
  );
}

/** What all facilities share: when a backup is overdue, and how long incidents are kept. */
function SharedCard({ draft, problemOf, onChange }: CardProps) {
  const { t } = useTranslation('incidents');
  return (
    <Card component="section" aria-label={t('settings.shared')}>
      <Title order={2} fz="lg" mb="sm">
        {t('settings.shared')}
      </Title>
      <SharedValues unless="settings.manage">
        <Stack gap="md">
          <OptionalNumber
            label={t('settings.backup')}
            description={t('settings.backupHint', BACKUP_DAYS)}
            value={draft.backupDueDays}
            error={problemOf('backupDueDays')}
            onChange={(backupDueDays) => onChange({ backupDueDays })}
          />
          <NumberField
            size="md"
            label={t('settings.keep')}
            description={t('settings.keepHint', KEPT_DAYS)}
            value={draft.incidentDays}
            error={problemOf('incidentDays')}
            onChange={(value) => onChange({ incidentDays: value ?? Number.NaN })}
            allowDecimal={false}
          />
        </Stack>
      </SharedValues>
    </Card>
  );
}
