/** Notification preferences: kinds by channel, quiet hours, areas. Each choice is saved at once. */

import { notificationRoutes } from '@haris/contract/http/notifications';
import {
  NOTIFICATION_CHANNELS,
  NOTIFICATION_KINDS,
  type NotificationChannel,
  type NotificationKind,
  type NotificationPreferences,
  type StoredPreferences,
} from '@haris/contract/notifications';
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
import { useAreas } from '../../calls/areas.ts';
import { failureText, showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { facilityTimeZone } from '../../i18n/locale.ts';
import { useSendsMail } from '../../setup/mail-note.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { preferencesKey, usePreferences } from './api.ts';
import { useKindLabel } from './kind-label.ts';
import classes from './notifications.module.css';

type Change = Partial<StoredPreferences>;

function useSave() {
  const { t } = useTranslation('notifications');
  const client = useQueryClient();
  return useMutation({
    mutationKey: preferencesKey,
    // One after the other: the server keeps the last change that arrives.
    scope: { id: 'notification-preferences' },
    mutationFn: (change: Change) => call(notificationRoutes.updateNoticePreferences, { body: change }),
    // Updates the tick at once; a failure reverts it.
    onMutate: async ({ kinds, ...rest }) => {
      // A read that began before would bring the old choice back.
      await client.cancelQueries({ queryKey: preferencesKey });
      const before = client.getQueryData<{ preferences: NotificationPreferences }>(preferencesKey);
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
      // An earlier answer does not know the changes that wait behind it.
      if (client.isMutating({ mutationKey: preferencesKey }) === 1)
        client.setQueryData(preferencesKey, answer);
      notifySuccess(t('saved'), 'notifications-saved');
    },
    onError: (error, _change, before) => {
      if (before !== undefined) client.setQueryData(preferencesKey, before);
      showFailure(error);
    },
  });
}

export function PreferencesPanel({ isStaff }: { isStaff: boolean }) {
  const { t } = useTranslation('notifications');
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
        preferences={preferences}
        isStaff={isStaff}
        isBusy={save.isPending}
        onChange={(change) => save.mutate(change)}
      />
      {isStaff ? <AreasPanel preferences={preferences} onChange={(change) => save.mutate(change)} /> : null}
    </>
  );
}

interface PartProps {
  preferences: NotificationPreferences;
  onChange: (change: Change) => void;
}

function KindsPanel({ preferences: { kinds, locked }, onChange }: PartProps) {
  const { t } = useTranslation('notifications');
  const labelOf = useKindLabel();
  const sendsMail = useSendsMail();
  const known = NOTIFICATION_KINDS.flatMap((kind) => {
    const ways = kinds[kind];
    return ways === undefined ? [] : [{ kind, ways, isLocked: locked.some((one) => one === kind) }];
  });
  const toggle = (kind: NotificationKind, ways: readonly NotificationChannel[], way: NotificationChannel) =>
    onChange({
      kinds: { [kind]: ways.includes(way) ? ways.filter((one) => one !== way) : [...ways, way] },
    });
  return (
    <Card component="section" aria-labelledby="notifications-kinds">
      <Title order={2} fz="lg" id="notifications-kinds">
        {t('kinds.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('kinds.hint')}
      </Text>
      {sendsMail ? null : (
        <Text size="sm" mb="sm">
          {t('kinds.noMail')}
        </Text>
      )}
      {/* Shown once for sighted people, who see the locks; screen readers get it in each row. */}
      {locked.length === 0 ? null : (
        <Text size="sm" c="dimmed" mb="sm" className={classes.locked ?? ''} aria-hidden>
          <IconLock size={16} /> {t('kinds.locked')}
        </Text>
      )}
      <div className={classes.kindsRoom}>
        <Table
          withRowBorders
          verticalSpacing="xs"
          aria-labelledby="notifications-kinds"
          className={classes.kinds ?? ''}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('kinds.kind')}</Table.Th>
              {NOTIFICATION_CHANNELS.map((way) => (
                <Table.Th key={way} scope="col" ta="center">
                  {t(`way.${way}`)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {known.map(({ kind, ways, isLocked }) => (
              <Table.Tr key={kind}>
                <Table.Th scope="row" fw={400}>
                  {labelOf(kind)}
                  {isLocked ? (
                    <>
                      {' '}
                      <IconLock size={14} className={classes.lock ?? ''} aria-hidden />
                      <VisuallyHidden>{t('kinds.locked')}</VisuallyHidden>
                    </>
                  ) : null}
                </Table.Th>
                {NOTIFICATION_CHANNELS.map((way) => (
                  <Table.Td key={way} data-way={t(`way.${way}`)}>
                    <Group justify="center">
                      <Checkbox
                        size="md"
                        checked={ways.includes(way)}
                        // A kind that cannot be muted keeps its last channel.
                        disabled={isLocked && ways.length === 1 && ways.includes(way)}
                        onChange={() => toggle(kind, ways, way)}
                        aria-label={t('kinds.byWay', {
                          kind: labelOf(kind),
                          way: t(`way.${way}`),
                        })}
                      />
                    </Group>
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Card>
  );
}

const USUAL = { from: '20:00', to: '07:00' };

function QuietPanel({
  preferences: { quietHours },
  onChange,
  isStaff,
  isBusy,
}: PartProps & { isStaff: boolean; isBusy: boolean }) {
  const { t } = useTranslation('notifications');
  // Typed text stays when an answer of the server arrives.
  const [typed, setTyped] = useState<{ from?: string; to?: string }>({});
  const from = typed.from ?? quietHours?.from ?? USUAL.from;
  const to = typed.to ?? quietHours?.to ?? USUAL.to;
  const timeZone = quietHours?.timeZone ?? facilityTimeZone();
  const isChanged = quietHours !== null && (from !== quietHours.from || to !== quietHours.to);
  return (
    <Card component="section" aria-labelledby="notifications-quiet">
      <Title order={2} fz="lg" id="notifications-quiet">
        {t('quiet.title')}
      </Title>
      <Switch
        mt="sm"
        size="md"
        label={t('quiet.label')}
        description={isStaff ? t('quiet.hint') : t('quiet.hintParent')}
        checked={quietHours !== null}
        onChange={({ currentTarget: { checked } }) => {
          if (!checked) setTyped({});
          onChange({ quietHours: checked ? { from, to, timeZone } : null });
        }}
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
              onChange={({ currentTarget: { value } }) => setTyped((old) => ({ ...old, from: value }))}
            />
            <TextInput
              type="time"
              required
              label={t('quiet.to')}
              value={to}
              onChange={({ currentTarget: { value } }) => setTyped((old) => ({ ...old, to: value }))}
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
  const { t } = useTranslation('notifications');
  const known = useAreas();
  const [isChoosing, setChoosing] = useState(areas !== null);
  const all = [...new Set([...(known.data ?? []), ...(areas ?? [])])];
  return (
    <Card component="section" aria-labelledby="notifications-areas">
      <Title order={2} fz="lg" id="notifications-areas">
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
