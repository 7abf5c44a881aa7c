/** What a person is told, by which way, when, and of which areas. Each choice is kept at once. */

import {
  NOTICE_WAYS,
  type NoticePreferences,
  type NoticeWay,
  noticeRoutes,
  type StoredPreferences,
} from '@haris/contract/http/notices';
import { INCIDENT_KINDS, type IncidentKind } from '@haris/contract/incident-kinds';
import {
  Button,
  Checkbox,
  Group,
  MultiSelect,
  Skeleton,
  Stack,
  Switch,
  Table,
  Text,
  TextInput,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAreas } from '../../client/areas.ts';
import { failureText, showFailure } from '../../client/failure.ts';
import { call } from '../../client/http.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { preferencesKey, usePreferences } from './api.ts';
import classes from './notices.module.css';

type Change = Partial<StoredPreferences>;

function useSave() {
  const { t } = useTranslation('notices');
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: Change) => call(noticeRoutes.updateNoticePreferences, { body: change }),
    // A tick stands where it was put; a failure takes it back.
    onMutate: ({ kinds, ...rest }) => {
      const before = client.getQueryData<{ preferences: NoticePreferences }>(preferencesKey);
      if (before !== undefined)
        client.setQueryData(preferencesKey, {
          preferences: {
            ...before.preferences,
            ...rest,
            kinds: { ...before.preferences.kinds, ...kinds },
          },
        });
      return before;
    },
    onSuccess: (answer) => {
      client.setQueryData(preferencesKey, answer);
      notifySuccess(t('saved'), 'notices-saved');
    },
    onError: (error, _change, before) => {
      if (before !== undefined) client.setQueryData(preferencesKey, before);
      showFailure(error);
    },
  });
}

export function PreferencesPanel({ isStaff }: { isStaff: boolean }) {
  const { t } = useTranslation('notices');
  const found = usePreferences();
  const save = useSave();
  const preferences = found.data?.preferences;
  if (preferences === undefined)
    return (
      <Card>
        {found.isError ? (
          <ErrorState
            text={failureText(found.error)}
            onRetry={() => void found.refetch()}
            busy={found.isRefetching}
          />
        ) : (
          <Skeleton height={240} role="status" aria-label={t('loading')} />
        )}
      </Card>
    );
  return (
    <>
      <KindsPanel preferences={preferences} onChange={(change) => save.mutate(change)} />
      <QuietPanel
        key={JSON.stringify(preferences.quietHours)}
        preferences={preferences}
        isBusy={save.isPending}
        onChange={(change) => save.mutate(change)}
      />
      {isStaff ? <AreasPanel preferences={preferences} onChange={(change) => save.mutate(change)} /> : null}
    </>
  );
}

interface PartProps {
  preferences: NoticePreferences;
  onChange: (change: Change) => void;
}

function KindsPanel({ preferences: { kinds, locked }, onChange }: PartProps) {
  const { t } = useTranslation(['notices', 'incidents']);
  const known = INCIDENT_KINDS.flatMap((kind) => {
    const ways = kinds[kind];
    return ways === undefined ? [] : [{ kind, ways, isLocked: locked.includes(kind) }];
  });
  const toggle = (kind: IncidentKind, ways: readonly NoticeWay[], way: NoticeWay) =>
    onChange({
      kinds: { [kind]: ways.includes(way) ? ways.filter((one) => one !== way) : [...ways, way] },
    });
  return (
    <Card component="section" aria-labelledby="notices-kinds">
      <Title order={2} fz="lg" id="notices-kinds">
        {t('notices:kinds.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('notices:kinds.hint')}
      </Text>
      {/* Said once to whoever sees the locks, and in each row to whoever hears them. */}
      {locked.length === 0 ? null : (
        <Text size="sm" c="dimmed" mb="sm" className={classes.locked ?? ''} aria-hidden>
          <IconLock size={16} /> {t('notices:kinds.locked')}
        </Text>
      )}
      <Table withRowBorders verticalSpacing="xs" aria-labelledby="notices-kinds">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('notices:kinds.kind')}</Table.Th>
            {NOTICE_WAYS.map((way) => (
              <Table.Th key={way} scope="col" ta="center">
                {t(`notices:way.${way}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {known.map(({ kind, ways, isLocked }) => (
            <Table.Tr key={kind}>
              <Table.Th scope="row" fw={400}>
                {t(`incidents:kind.${kind}`)}
                {isLocked ? (
                  <>
                    {' '}
                    <IconLock size={14} className={classes.lock ?? ''} aria-hidden />
                    <VisuallyHidden>{t('notices:kinds.locked')}</VisuallyHidden>
                  </>
                ) : null}
              </Table.Th>
              {NOTICE_WAYS.map((way) => (
                <Table.Td key={way}>
                  <Group justify="center">
                    <Checkbox
                      size="md"
                      checked={ways.includes(way)}
                      // The last way of what cannot be muted stays.
                      disabled={isLocked && ways.length === 1 && ways.includes(way)}
                      onChange={() => toggle(kind, ways, way)}
                      aria-label={t('notices:kinds.byWay', {
                        kind: t(`incidents:kind.${kind}`),
                        way: t(`notices:way.${way}`),
                      })}
                    />
                  </Group>
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}

const USUAL = { from: '20:00', to: '07:00' };

function QuietPanel({ preferences: { quietHours }, onChange, isBusy }: PartProps & { isBusy: boolean }) {
  const { t } = useTranslation('notices');
  const [from, setFrom] = useState(quietHours?.from ?? USUAL.from);
  const [to, setTo] = useState(quietHours?.to ?? USUAL.to);
  const timeZone = quietHours?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isChanged = quietHours !== null && (from !== quietHours.from || to !== quietHours.to);
  return (
    <Card component="section" aria-labelledby="notices-quiet">
      <Title order={2} fz="lg" id="notices-quiet">
        {t('quiet.title')}
      </Title>
      <Switch
        mt="sm"
        size="md"
        label={t('quiet.label')}
        description={t('quiet.hint')}
        checked={quietHours !== null}
        onChange={(event) =>
          onChange({ quietHours: event.currentTarget.checked ? { from, to, timeZone } : null })
        }
      />
      {quietHours === null ? null : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            onChange({ quietHours: { from, to, timeZone } });
          }}
        >
          <Group align="flex-end" gap="md" mt="md">
            <TextInput
              type="time"
              required
              label={t('quiet.from')}
              value={from}
              onChange={({ currentTarget: { value } }) => setFrom(value)}
            />
            <TextInput
              type="time"
              required
              label={t('quiet.to')}
              value={to}
              onChange={({ currentTarget: { value } }) => setTo(value)}
            />
            <Button type="submit" disabled={!isChanged} loading={isBusy}>
              {t('save')}
            </Button>
          </Group>
          <Text size="sm" c="dimmed" mt="xs">
            {t('quiet.zone')} <bdi dir="ltr">{timeZone}</bdi>
          </Text>
        </form>
      )}
    </Card>
  );
}

function AreasPanel({ preferences: { areas }, onChange }: PartProps) {
  const { t } = useTranslation('notices');
  const known = useAreas();
  const [isChoosing, setChoosing] = useState(areas !== null);
  const all = [...new Set([...(known.data ?? []), ...(areas ?? [])])];
  return (
    <Card component="section" aria-labelledby="notices-areas">
      <Title order={2} fz="lg" id="notices-areas">
        {t('areas.title')}
      </Title>
      <Stack gap="sm" mt="sm">
        <Switch
          size="md"
          label={t('areas.label')}
          description={t('areas.hint')}
          checked={!isChoosing}
          onChange={(event) => {
            const isAll = event.currentTarget.checked;
            setChoosing(!isAll);
            if (isAll && areas !== null) onChange({ areas: null });
          }}
        />
        {isChoosing ? (
          <MultiSelect
            size="md"
            label={t('areas.choose')}
            data={all}
            value={areas ?? []}
            onChange={(chosen) => onChange({ areas: chosen })}
            nothingFoundMessage={t('areas.none')}
            searchable
            clearable={false}
          />
        ) : null}
      </Stack>
    </Card>
  );
}
