/** Open and past alerts, one row per cause: filters, details, and acknowledgement of one or of all. */
import { Button, Skeleton, Card as Surface } from '@mantine/core';
import { IconAdjustments, IconChecks, IconFilterOff, IconShieldCheck } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useAreas } from '../../calls/areas.ts';
import { failureText, showFailure } from '../../calls/failure.ts';
import { keys } from '../../calls/query-client.ts';
import { useRooms } from '../../calls/rooms.ts';
import { useShortcut } from '../../keys/shortcuts.ts';
import { Allowed } from '../../session/allowed.tsx';
import { useMay } from '../../session/may.ts';
import { Card } from '../../ui/card.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { AcknowledgeDialog } from './acknowledge-dialog.tsx';
import { type AlertCard, cardsOf, quietIncidents } from './alert-cards.ts';
import { AlertFilters } from './alert-filters.tsx';
import { AlertRow } from './alert-row.tsx';
import { type AlertFilter, acknowledgeMany, type IncidentState, useIncidents } from './api.ts';
import classes from './incidents.module.css';
import { useCardWords } from './use-incident-words.ts';

const NO_AREAS: readonly string[] = [];
const NO_FILTER: AlertFilter = {};

/** Rooms with a camera or a sensor, and all others for staff who may see rooms; undefined until they are known. */
function useRoomNames(): readonly string[] | undefined {
  const areas = useAreas().data;
  const rooms = useRooms().data;
  return useMemo(() => {
    if (areas === undefined && rooms === undefined) return undefined;
    const names = new Set([...(areas ?? []), ...(rooms ?? []).map(({ name }) => name)]);
    return [...names].sort((a, b) => a.localeCompare(b));
  }, [areas, rooms]);
}

export default function IncidentsScreen() {
  const { t } = useTranslation('incidents');
  const [state, setState] = useState<IncidentState>('open');
  const [filter, setFilter] = useState<AlertFilter>(NO_FILTER);
  const [chosen, setChosen] = useState<AlertCard | null>(null);
  const [isAsking, setAsking] = useState(false);
  const list = useIncidents(state, filter);
  const mayAcknowledge = useMay()('incidents.acknowledge');
  const areas = useRoomNames();
  const wordsOf = useCardWords(areas?.length);
  const cards = useMemo(
    () => list.data && cardsOf(list.data.pages.flatMap((page) => page.incidents)),
    [list.data],
  );
  const read = list.data?.pages.reduce((sum, page) => sum + page.incidents.length, 0) ?? 0;
  const left = (list.data?.pages.at(-1)?.total ?? 0) - read;
  const ask = useCallback((card: AlertCard) => {
    setChosen(card);
    setAsking(true);
  }, []);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Page
      title={t('screen.title')}
      description={t('screen.lead')}
      actions={
        <>
          <Allowed to="incidents.acknowledge">
            <AcknowledgeAll cards={cards ?? []} />
          </Allowed>
          <Allowed to="settings.view">
            <Button
              component={Link}
              to="/alarmSettings"
              variant="default"
              leftSection={<IconAdjustments size={18} aria-hidden />}
            >
              {t('screen.settings')}
            </Button>
          </Allowed>
        </>
      }
    >
      <AlertFilters
        state={state}
        onState={setState}
        filter={filter}
        onFilter={setFilter}
        areas={areas ?? NO_AREAS}
      />
      {cards === undefined ? (
        list.isError ? (
          <ErrorState
            text={failureText(list.error)}
            onRetry={() => void list.refetch()}
            busy={list.isRefetching}
          />
        ) : (
          <IncidentsSkeleton />
        )
      ) : cards.length > 0 ? (
        <ul className={classes.list} aria-label={t('screen.title')} aria-busy={list.isPlaceholderData}>
          {cards.map((card) => (
            <AlertRow
              key={card.key}
              card={card}
              wordsOf={wordsOf}
              onAcknowledge={mayAcknowledge ? ask : null}
            />
          ))}
        </ul>
      ) : (
        <NoAlerts state={state} onClear={isFiltered ? () => setFilter(NO_FILTER) : null} />
      )}
      <LoadMore
        list={list}
        label={left > 0 ? t('screen.moreLeft', { count: left }) : t('screen.more')}
        busyLabel={t('screen.loadingMore')}
        errorText={t('screen.moreFailed')}
      />
      <AcknowledgeDialog opened={isAsking} card={chosen} wordsOf={wordsOf} onClose={() => setAsking(false)} />
    </Page>
  );
}

interface NoAlertsProps {
  state: IncidentState;
  /** Removes the filter; null while there is none. */
  onClear: (() => void) | null;
}

function NoAlerts({ state, onClear }: NoAlertsProps) {
  const { t } = useTranslation('incidents');
  return (
    <Card>
      {onClear ? (
        <EmptyState
          icon={<IconFilterOff size={28} />}
          text={t('screen.noMatch')}
          action={
            <Button variant="light" onClick={onClear}>
              {t('screen.clearFilter')}
            </Button>
          }
        />
      ) : (
        <EmptyState
          icon={<IconShieldCheck size={28} />}
          text={t(state === 'open' ? 'screen.nothingOpen' : 'screen.nothing')}
          hint={t('screen.emptyHint')}
        />
      )}
    </Card>
  );
}

/** Acknowledges all quiet alerts of the list by one press or the key `a`; absent if there are fewer than two. */
function AcknowledgeAll({ cards }: { cards: readonly AlertCard[] }) {
  const { t } = useTranslation('incidents');
  const client = useQueryClient();
  const quiet = quietIncidents(cards);
  const send = useMutation({
    mutationFn: () => acknowledgeMany(quiet),
    onSuccess: ({ incidents }) =>
      notifySuccess(t('screen.acknowledgedAll', { count: cardsOf(incidents).length })),
    onError: (error) => showFailure(error),
    onSettled: () => void client.invalidateQueries({ queryKey: [keys.incidents] }),
  });
  const count = cards.filter((card) => quietIncidents([card]).length > 0).length;
  const isShown = count >= 2 || send.isPending;
  const label = t('screen.acknowledgeAll', { count });
  const sendOnce = () => {
    if (!send.isPending) send.mutate();
  };
  useShortcut({ keys: 'a', group: 'list', label, run: sendOnce }, isShown);
  if (!isShown) return null;
  return (
    <Button
      leftSection={<IconChecks size={18} aria-hidden />}
      loading={send.isPending}
      aria-keyshortcuts="A"
      onClick={sendOnce}
    >
      {label}
    </Button>
  );
}

/** Placeholder rows while the list loads. */
function IncidentsSkeleton() {
  const { t } = useTranslation('common');
  return (
    <div className={classes.list} role="status" aria-label={t('loading')}>
      {['a', 'b', 'c', 'd', 'e', 'f'].map((row) => (
        <Surface key={row} p="xs" radius="md" withBorder>
          <Skeleton height={16} width="30%" mb={8} />
          <Skeleton height={12} width="55%" />
        </Surface>
      ))}
    </div>
  );
}
