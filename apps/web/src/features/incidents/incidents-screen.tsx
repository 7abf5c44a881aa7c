/** What has happened and what goes on: incidents with their timeline, and who takes them on. */
import type { Incident } from '@haris/contract/http/incidents';
import {
  Badge,
  Button,
  Group,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
  Textarea,
  Title,
} from '@mantine/core';
import { IconAdjustments, IconShieldCheck } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { failureText, showFailure } from '../../client/failure.ts';
import { keys } from '../../client/query-client.ts';
import { localeOf } from '../../i18n/locale.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { acknowledge, type IncidentState, useIncidents } from './api.ts';
import { EmergencyButton } from './emergency-button.tsx';
import { INCIDENT_ICONS } from './incident-icons.ts';
import classes from './incidents.module.css';
import { useIncidentWords } from './use-incident-words.ts';

const NOTE_MAX = 500;

export default function IncidentsScreen() {
  const { t } = useTranslation('incidents');
  const [state, setState] = useState<IncidentState>('open');
  const [chosen, setChosen] = useState<Incident | null>(null);
  const [isAsking, setAsking] = useState(false);
  const list = useIncidents(state);
  const incidents = useMemo(() => sorted(list.data?.pages.flatMap((page) => page.incidents)), [list.data]);
  return (
    <Page
      title={t('screen.title')}
      description={t('screen.lead')}
      actions={
        <>
          <BackLink to="/adminDashboard">{t('screen.back')}</BackLink>
          <Button
            component={Link}
            to="/alarmSettings"
            variant="default"
            leftSection={<IconAdjustments size={18} aria-hidden />}
          >
            {t('screen.settings')}
          </Button>
          <EmergencyButton />
        </>
      }
    >
      <SegmentedControl
        mb="md"
        className={classes.states}
        aria-label={t('screen.which')}
        value={state}
        onChange={(value) => setState(value === 'all' ? 'all' : 'open')}
        data={[
          { value: 'open', label: t('screen.open') },
          { value: 'all', label: t('screen.all') },
        ]}
      />
      {incidents === undefined ? (
        list.isError ? (
          <ErrorState
            text={failureText(list.error)}
            onRetry={() => void list.refetch()}
            busy={list.isRefetching}
          />
        ) : (
          <IncidentsSkeleton />
        )
      ) : incidents.length === 0 ? (
        <Card>
          <EmptyState
            icon={<IconShieldCheck size={28} />}
            text={t(state === 'open' ? 'screen.nothingOpen' : 'screen.nothing')}
            hint={t('screen.emptyHint')}
          />
        </Card>
      ) : (
        <ul className={classes.list} aria-label={t('screen.title')}>
          {incidents.map((incident) => (
            <IncidentCard
              key={incident._id}
              incident={incident}
              onAcknowledge={() => {
                setChosen(incident);
                setAsking(true);
              }}
            />
          ))}
        </ul>
      )}
      <LoadMore
        list={list}
        label={t('screen.more')}
        busyLabel={t('screen.loadingMore')}
        errorText={t('screen.moreFailed')}
      />
      <AcknowledgeDialog opened={isAsking} incident={chosen} onClose={() => setAsking(false)} />
    </Page>
  );
}

/** Open ones first, then the newest. */
function sorted(incidents: readonly Incident[] | undefined): Incident[] | undefined {
  return incidents?.toSorted(
    (a, b) =>
      Number(a.clearedAt !== null) - Number(b.clearedAt !== null) || b.raisedAt.localeCompare(a.raisedAt),
  );
}

function useMomentFormat(): (moment: string) => string {
  const { i18n } = useTranslation();
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(localeOf(i18n.language), {
      dateStyle: 'medium',
      timeStyle: 'medium',
    });
    return (moment) => format.format(new Date(moment));
  }, [i18n.language]);
}

function stateOf({ clearedAt, acknowledgedAt }: Incident): 'open' | 'acknowledged' | 'over' {
  if (clearedAt !== null) return 'over';
  return acknowledgedAt === null ? 'open' : 'acknowledged';
}

const STATE_COLORS = { open: 'clay', acknowledged: 'saffron', over: 'gray' } as const;

function IncidentCard({ incident, onAcknowledge }: { incident: Incident; onAcknowledge: () => void }) {
  const { t } = useTranslation('incidents');
  const moment = useMomentFormat();
  const { title, text } = useIncidentWords()(incident);
  const state = stateOf(incident);
  const Icon = INCIDENT_ICONS[incident.kind];
  const { acknowledgedAt, acknowledgedBy } = incident;
  return (
    <Card component="li" data-state={state} className={classes.incident ?? ''}>
      <Group gap="md" align="flex-start" wrap="nowrap">
        <span className={classes.icon} aria-hidden="true">
          <Icon size={26} />
        </span>
        <div className={classes.words}>
          <Group gap="xs">
            <Title order={2} fz="lg">
              {title}
            </Title>
            <Badge color={STATE_COLORS[state]} variant="light" tt="none" fz="sm">
              {t(`state.${state}`)}
            </Badge>
          </Group>
          <Text className={classes.text ?? ''}>{text}</Text>
          <Text size="sm" c="dimmed">
            {moment(incident.raisedAt)}
            {acknowledgedAt === null || acknowledgedBy === null
              ? ''
              : ` · ${t('takenOn', { name: acknowledgedBy.name, time: moment(acknowledgedAt) })}`}
          </Text>
          <details className={classes.timeline}>
            <summary>{t('timeline.title')}</summary>
            <ol>
              {incident.timeline.map((entry, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a timeline only grows at its end
                <li key={index}>
                  <time dateTime={entry.at}>{moment(entry.at)}</time>{' '}
                  <TimelineEntry incident={incident} entry={entry} />
                  {entry.note === null || entry.note === '' ? null : (
                    <q className={classes.note}>
                      <bdi>{entry.note}</bdi>
                    </q>
                  )}
                </li>
              ))}
            </ol>
          </details>
        </div>
      </Group>
      {acknowledgedAt === null && incident.kind !== 'evacuation' ? (
        <Group justify="flex-end" mt="sm">
          <Button
            onClick={onAcknowledge}
            variant={state === 'open' ? 'filled' : 'default'}
            color={state === 'open' ? 'clay' : 'gray'}
            aria-label={t('acknowledgeOf', { title })}
          >
            {t('acknowledge')}
          </Button>
        </Group>
      ) : null}
    </Card>
  );
}

/** One line of the timeline in words. */
function TimelineEntry({ incident, entry }: { incident: Incident; entry: Incident['timeline'][number] }) {
  const { t } = useTranslation('incidents');
  const wordsOf = useIncidentWords();
  // The worst stands above; what it began with is said where it was less.
  const hasOwnValue = entry.value !== null && (entry.what === 'updated' || entry.value !== incident.value);
  if ((entry.what === 'raised' || entry.what === 'updated') && hasOwnValue) {
    const { text } = wordsOf({ ...incident, value: entry.value });
    return <span>{t(entry.what === 'raised' ? 'timeline.raisedAt' : 'timeline.updated', { text })}</span>;
  }
  if (entry.what === 'escalated') return <span>{t('timeline.escalated')}</span>;
  return (
    <span>
      {entry.by === null
        ? t(`timeline.${entry.what}`, { text: '' })
        : t('timeline.by', { what: t(`timeline.${entry.what}`, { text: '' }), name: entry.by.name })}
    </span>
  );
}

interface AcknowledgeDialogProps {
  opened: boolean;
  incident: Incident | null;
  onClose: () => void;
}

/** Takes an incident on, with a word about it. */
function AcknowledgeDialog({ opened, incident, onClose }: AcknowledgeDialogProps) {
  const { t } = useTranslation('incidents');
  const client = useQueryClient();
  const wordsOf = useIncidentWords();
  const [note, setNote] = useState('');
  const send = useMutation({
    mutationFn: (id: string) => acknowledge(id, note.trim() === '' ? undefined : note),
    onSuccess: () => {
      notifySuccess(t('acknowledged'));
      setNote('');
      onClose();
    },
    onError: (error) => showFailure(error),
    onSettled: () => void client.invalidateQueries({ queryKey: [keys.incidents] }),
  });
  if (incident === null) return null;
  const { title, text } = wordsOf(incident);
  return (
    <Dialog opened={opened} onClose={send.isPending ? () => {} : onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!send.isPending) send.mutate(incident._id);
        }}
      >
        <Stack gap="md">
          <Text>{text}</Text>
          <Textarea
            label={t('note')}
            description={t('noteHint')}
            value={note}
            onChange={({ currentTarget: { value } }) => setNote(value)}
            maxLength={NOTE_MAX}
            autosize
            minRows={2}
            maxRows={6}
            size="md"
            data-autofocus
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose} disabled={send.isPending}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={send.isPending}>
              {t('acknowledge')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Cards in the shape of what comes. */
function IncidentsSkeleton() {
  const { t } = useTranslation('common');
  return (
    <div className={classes.list} role="status" aria-label={t('loading')}>
      {['a', 'b', 'c'].map((card) => (
        <Card key={card}>
          <Skeleton height={20} width="40%" mb="sm" />
          <Skeleton height={16} width="75%" mb="xs" />
          <Skeleton height={14} width="30%" />
        </Card>
      ))}
    </div>
  );
}
