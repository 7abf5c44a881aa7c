/** What desk tablets told later that does not fit: each beside what Haris has, settled one by one or several at once. */
import { type DeskConflict, KEPT_AT_ONCE_MAX } from '@haris/contract/http/desk-conflicts';
import { Alert, Button, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { IconArrowsDiff, IconChecks, IconWifiOff } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../calls/failure.ts';
import { uniqueById } from '../../calls/paged.ts';
import { keys } from '../../calls/query-client.ts';
import { type ConflictState, useDeskConflicts } from '../../desk-conflicts/queries.ts';
import { useLiveEvents } from '../../live/live-provider.tsx';
import { Card } from '../../ui/card.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { useOnline } from '../../ui/use-online.ts';
import { ConflictCard } from './conflict-card.tsx';
import classes from './desk-conflicts.module.css';
import { type Question, SettleDialog } from './settle-dialog.tsx';

const STATES = ['open', 'settled'] as const satisfies readonly ConflictState[];

/** Reads the list again after a check-in or checkout: it may change what Haris has beside a conflict. */
function useFreshStays(): void {
  const client = useQueryClient();
  useLiveEvents(
    useCallback(
      ({ type }) => {
        if (type.startsWith('child.check'))
          void client.invalidateQueries({ queryKey: [keys.deskConflicts, 'list'] });
      },
      [client],
    ),
  );
}

export default function DeskConflictsScreen() {
  const { t } = useTranslation('desk-conflicts');
  const [state, setState] = useState<ConflictState>('open');
  const isOnline = useOnline();
  useFreshStays();
  return (
    <Page title={t('title')} description={t('lead')} size="xl">
      <div role="status">
        {isOnline ? null : (
          <Alert color="saffron" variant="filled" autoContrast mb="md" icon={<IconWifiOff size={22} />}>
            {t('offline')}
          </Alert>
        )}
      </div>
      <SegmentedControl
        mb="sm"
        aria-label={t('which')}
        value={state}
        onChange={setState}
        data={STATES.map((value) => ({ value, label: t(`states.${value}`) }))}
      />
      <List key={state} state={state} isOnline={isOnline} />
    </Page>
  );
}

function List({ state, isOnline }: { state: ConflictState; isOnline: boolean }) {
  const { t } = useTranslation('desk-conflicts');
  const list = useDeskConflicts(state);
  const { data } = list;
  if (data === undefined)
    return list.isError ? (
      <ErrorState
        text={failureText(list.error)}
        onRetry={() => void list.refetch()}
        busy={list.isRefetching}
      />
    ) : (
      <ConflictsSkeleton />
    );
  return (
    <>
      <Conflicts
        state={state}
        conflicts={uniqueById(data.pages.flatMap((page) => page.conflicts))}
        total={data.pages.at(-1)?.total ?? 0}
        isOnline={isOnline}
      />
      <LoadMore list={list} label={t('loadMore')} busyLabel={t('loadingMore')} errorText={t('moreFailed')} />
    </>
  );
}

/** Which are ticked, each with the revision that the person has seen: what has changed since must be looked at again. */
function useTicked(conflicts: readonly DeskConflict[]) {
  const [ticked, setTicked] = useState<ReadonlyMap<string, string>>(new Map());
  const isTicked = ({ _id, revision }: DeskConflict) => ticked.get(_id) === revision;
  return {
    isTicked,
    chosen: conflicts.filter(isTicked),
    tick: ({ _id, revision }: DeskConflict, isOn: boolean) => {
      const next = new Map(ticked);
      if (isOn) next.set(_id, revision);
      else next.delete(_id);
      setTicked(next);
    },
    untick: (ids: readonly string[]) => setTicked(new Map([...ticked].filter(([id]) => !ids.includes(id)))),
    clear: () => setTicked(new Map()),
  };
}

interface ConflictsProps {
  state: ConflictState;
  conflicts: readonly DeskConflict[];
  /** Of all pages. */
  total: number;
  isOnline: boolean;
}

function Conflicts({ state, conflicts, total, isOnline }: ConflictsProps) {
  const { t } = useTranslation('desk-conflicts');
  const place = useRef<HTMLDivElement>(null);
  const { isTicked, chosen, tick, untick, clear } = useTicked(conflicts);
  const [question, setQuestion] = useState<Question | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const ask = (next: Question) => {
    setChanged(new Set());
    setQuestion(next);
    setAsking(true);
  };
  // What was pressed goes: the focus needs another place.
  const focusList = () => place.current?.focus({ preventScroll: true });
  return (
    <div ref={place} tabIndex={-1} className={classes.place}>
      <Tools
        chosen={chosen}
        total={state === 'open' ? total : 0}
        isOnline={isOnline}
        onKeep={() => ask({ choice: 'keep', conflicts: chosen })}
        onClear={() => {
          clear();
          focusList();
        }}
      />
      {conflicts.length === 0 ? (
        <Nothing state={state} />
      ) : (
        <ul className={classes.list} aria-label={t('title')}>
          {conflicts.map((conflict) => (
            <ConflictCard
              key={conflict._id}
              conflict={conflict}
              isTicked={isTicked(conflict)}
              mayTick={chosen.length < KEPT_AT_ONCE_MAX}
              isOnline={isOnline}
              hasChanged={changed.has(conflict._id)}
              onTick={tick}
              onAsk={(choice) => ask({ choice, conflicts: [conflict] })}
            />
          ))}
        </ul>
      )}
      <SettleDialog
        opened={isAsking}
        question={question}
        onClose={() => setAsking(false)}
        onSettled={(ids) => {
          untick(ids);
          focusList();
        }}
        onChanged={(ids) => setChanged(new Set(ids))}
      />
    </div>
  );
}

function Nothing({ state }: { state: ConflictState }) {
  const { t } = useTranslation('desk-conflicts');
  return (
    <Card>
      <EmptyState
        icon={<IconArrowsDiff size={28} />}
        text={t(`empty.${state}`)}
        {...(state === 'open' ? { hint: t('empty.openHint') } : {})}
      />
    </Card>
  );
}

interface ToolsProps {
  chosen: readonly DeskConflict[];
  /** How many are to be settled. */
  total: number;
  isOnline: boolean;
  onKeep: () => void;
  onClear: () => void;
}

/** How many there are or are chosen, and what is done with those. Stays in sight while some are chosen. */
function Tools({ chosen, total, isOnline, onKeep, onClear }: ToolsProps) {
  const { t } = useTranslation('desk-conflicts');
  const count = chosen.length;
  return (
    <div className={classes.tools} data-chosen={count > 0 || undefined} data-wraps>
      <Text size="sm" role="status" className={classes.found ?? ''}>
        {count > 0 ? t('chosen', { count }) : total > 0 ? t('found', { count: total }) : ''}
        {count < KEPT_AT_ONCE_MAX ? '' : ` ${t('chosenMost', { most: KEPT_AT_ONCE_MAX })}`}
      </Text>
      {count === 0 ? null : (
        <>
          <Button
            leftSection={<IconChecks size={18} aria-hidden />}
            aria-haspopup="dialog"
            disabled={!isOnline}
            onClick={onKeep}
          >
            {t('keep')}
          </Button>
          <Button variant="default" onClick={onClear}>
            {t('clear')}
          </Button>
        </>
      )}
    </div>
  );
}

function ConflictsSkeleton() {
  const { t } = useTranslation('common');
  return (
    <div role="status" aria-label={t('loading')} className={classes.list}>
      {['a', 'b', 'c'].map((row) => (
        <Skeleton key={row} height={220} radius="lg" />
      ))}
    </div>
  );
}
