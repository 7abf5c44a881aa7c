/** A head count on the phone of whoever counts: who is not here yet first, one press per name, and the end. */
import type { HeadCount } from '@haris/contract/http/head-counts';
import type { Child } from '@haris/contract/objects';
import { Button, Text, TextInput } from '@mantine/core';
import { IconCheck, IconPlus, IconX } from '@tabler/icons-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { failureText } from '../../calls/failure.ts';
import { isFull, useRooms } from '../../calls/rooms.ts';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { useAtTick } from '../../countdown/use-tick.ts';
import { useMay } from '../../session/may.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { ErrorState, PeopleSkeleton } from '../../ui/states.tsx';
import { useRowFocus } from '../../ui/use-row-focus.ts';
import { useSettled } from '../../ui/use-settled.ts';
import { useEndHeadCount, useHeadCount, useInside, usePressed, useTick } from './api.ts';
import {
  type CountedRow,
  matching,
  mayTick,
  numbersOf,
  readState,
  rowsOf,
  SECTIONS,
  sectionOf,
} from './counted.ts';
import { Row } from './counted-row.tsx';
import classes from './head-counts.module.css';
import { useRoomName } from './use-room-name.ts';

export default function HeadCountScreen() {
  const { t } = useTranslation('head-counts');
  const { id = '' } = useParams();
  const { data, error, isError, isRefetching, refetch } = useHeadCount(id);
  const nameOf = useRoomName();
  const title =
    data === undefined ? t('title') : t('count.title', { from: nameOf(data.from), to: nameOf(data.to) });
  return (
    <Page title={title} size="md" actions={<BackLink to="/headCounts">{t('count.back')}</BackLink>}>
      {data === undefined ? (
        isError ? (
          <ErrorState
            text={failureText(error, t('count.error'))}
            onRetry={() => void refetch()}
            busy={isRefetching}
          />
        ) : (
          <PeopleSkeleton rows={6} />
        )
      ) : (
        <Count key={data._id} count={data} />
      )}
    </Page>
  );
}

function Count({ count }: { count: HeadCount }) {
  const { t } = useTranslation('head-counts');
  const format = useClockFormat();
  const frame = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState('');
  const rows = useMemo(() => rowsOf(count), [count]);
  const pressed = usePressed(count._id);
  const { stateOf, mayPress } = useSettled(rows, readState);
  const rowFocus = useRowFocus(frame);
  const isOpen = count.state === 'open';
  const shown = matching(rows, typed);
  const sections = Map.groupBy(shown, (row) => sectionOf(stateOf(row)));
  return (
    <div ref={frame} {...rowFocus} className={classes.count}>
      <Head count={count} rows={rows} />
      <SearchBox
        typed={typed}
        onType={setTyped}
        isBusy={false}
        label={t('count.search')}
        placeholder={t('count.search')}
        clearLabel={t('count.clear')}
      />
      {SECTIONS.map((section) => {
        const own = sections.get(section) ?? [];
        if (own.length === 0) return null;
        const title = t(`section.${section}`);
        return (
          <section key={section} aria-label={title}>
            <h2 className={classes.group}>
              {title} <span>{format.count(own.length)}</span>
            </h2>
            <ul className={classes.rows}>
              {own.map((row) => (
                <Row
                  key={row.id}
                  countId={count._id}
                  row={row}
                  mayTick={mayTick(count, row)}
                  mayStay={isOpen && !row.isAdded}
                  pressed={pressed.get(row.id)}
                  mayPress={mayPress}
                />
              ))}
            </ul>
          </section>
        );
      })}
      {shown.length === 0 ? <Text>{t('count.nobody')}</Text> : null}
      {isOpen ? (
        <Others
          countId={count._id}
          typed={typed}
          listed={rows}
          mayPress={mayPress}
          onTicked={() => setTyped('')}
        />
      ) : null}
    </div>
  );
}

/** The numbers, the time until the alert, and the end. */
function Head({ count, rows }: { count: HeadCount; rows: readonly CountedRow[] }) {
  const { t } = useTranslation('head-counts');
  const format = useClockFormat();
  const { here, awaited, open, sought } = numbersOf(rows);
  return (
    <Card className={classes.head}>
      <output className={classes.figure} data-complete={open === 0 || undefined}>
        {t('count.here', { count: here, all: awaited })}
      </output>
      {count.state === 'open' ? (
        <>
          {open > 0 && sought < open ? <AlertIn at={count.alertsAt} open={open - sought} /> : null}
          {sought > 0 ? (
            <Text className={classes.sought ?? ''}>{t('count.sought', { count: sought })}</Text>
          ) : null}
          <Ends count={count} rows={rows} />
        </>
      ) : (
        <Text>
          {count.state === 'over'
            ? t('count.over')
            : t(`count.ended.${count.state}`, { time: format.timeOfDay(count.endedAt ?? count.startedAt) })}
          {count.state === 'moved' && open > 0 ? ` ${t('count.late')}` : ''}
        </Text>
      )}
    </Card>
  );
}

/** Seconds until everybody who is not ticked is searched for. */
function AlertIn({ at, open }: { at: string; open: number }) {
  const { t } = useTranslation('head-counts');
  const left = useAtTick(
    useCallback((now: number) => Math.max(0, Math.ceil((Date.parse(at) - now) / 1000)), [at]),
  );
  return (
    <Text className={left <= 30 ? (classes.sought ?? '') : ''}>
      {left === 0 ? t('count.alertNow', { count: open }) : t('count.alertIn', { count: left })}
    </Text>
  );
}

function Ends({ count, rows }: { count: HeadCount; rows: readonly CountedRow[] }) {
  const { t } = useTranslation('head-counts');
  const end = useEndHeadCount(count._id);
  const mayExceed = useMay()('rooms.manage');
  const target = useRooms().data?.find(({ _id }) => _id === count.to._id);
  const [asked, setAsked] = useState<'missing' | 'cancel' | null>(null);
  const [reason, setReason] = useState('');
  const nameOf = useRoomName();
  const { here, open } = numbersOf(rows);
  const coming = rows.filter(({ state, room }) => state === 'here' && room !== count.to.name).length;
  const isOver = target !== undefined && isFull(target, coming) && coming > 0;
  const names = rows.filter(({ state }) => state === 'open').map(({ name }) => `\u2068${name}\u2069`);
  const finish = () =>
    end.mutate(
      { outcome: 'moved', ...(isOver && reason.trim() !== '' ? { overCapacityReason: reason.trim() } : {}) },
      { onSettled: () => setAsked(null) },
    );
  return (
    <>
      {isOver ? (
        <Text className={classes.sought ?? ''} role="alert">
          {t('count.full', { room: nameOf(count.to) })}
        </Text>
      ) : null}
      {isOver && mayExceed ? (
        <TextInput
          label={t('count.reason')}
          autoComplete="off"
          maxLength={100}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      ) : null}
      <div className={classes.ends}>
        <Button
          size="md"
          color={open === 0 ? 'pine' : 'clay'}
          variant={open === 0 ? 'filled' : 'light'}
          leftSection={<IconCheck size={18} aria-hidden />}
          loading={end.isPending}
          disabled={(here === 0 && open === 0) || (isOver && (!mayExceed || reason.trim() === ''))}
          onClick={() => (open === 0 ? finish() : setAsked('missing'))}
        >
          {open === 0 ? t('count.finish') : t('count.finishMissing', { count: open })}
        </Button>
        <Button
          size="md"
          variant="subtle"
          color="gray"
          leftSection={<IconX size={18} aria-hidden />}
          onClick={() => setAsked('cancel')}
        >
          {t('count.cancel')}
        </Button>
      </div>
      <ConfirmDialog
        opened={asked === 'missing'}
        onClose={() => setAsked(null)}
        onConfirm={finish}
        title={t('count.askMissing', { count: open })}
        confirmLabel={t('count.confirmMissing')}
        cancelLabel={t('count.goOn')}
        busy={end.isPending}
        dangerous
      >
        <Text>{names.join(' · ')}</Text>
        <Text>{t('count.missingText')}</Text>
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'cancel'}
        onClose={() => setAsked(null)}
        onConfirm={() => end.mutate({ outcome: 'cancelled' }, { onSettled: () => setAsked(null) })}
        title={t('count.askCancel')}
        confirmLabel={t('count.confirmCancel')}
        cancelLabel={t('count.goOn')}
        busy={end.isPending}
        dangerous
      >
        {t('count.cancelText')}
      </ConfirmDialog>
    </>
  );
}

interface OtherProps {
  countId: string;
  mayPress: () => boolean;
  onTicked: () => void;
}

interface OthersProps extends OtherProps {
  typed: string;
  listed: readonly CountedRow[];
}

/** Children inside who are not on the list, once somebody looks for one. */
function Others({ typed, listed, ...row }: OthersProps) {
  const { t } = useTranslation('head-counts');
  const inside = useInside().data ?? [];
  // Who was picked up and brought again is inside, and may stand there.
  const known = new Set(listed.filter(({ state }) => state !== 'left').map(({ id }) => id));
  const found =
    typed.trim() === ''
      ? []
      : matching(
          inside.filter(({ _id }) => !known.has(_id)),
          typed,
        );
  if (found.length === 0) return null;
  return (
    <section aria-label={t('others.title')}>
      <h2 className={classes.group}>{t('others.title')}</h2>
      <ul className={classes.rows}>
        {found.map((child) => (
          <Other key={child._id} child={child} {...row} />
        ))}
      </ul>
    </section>
  );
}

function Other({ countId, child, mayPress, onTicked }: OtherProps & { child: Child }) {
  const { t } = useTranslation('head-counts');
  const { _id, name, room } = child;
  const { mutate } = useTick(countId, _id);
  return (
    <li className={classes.row}>
      <span className={classes.other}>
        <bdi className={classes.name}>{name}</bdi>
        {room === null ? null : <bdi className={classes.below}>{room}</bdi>}
      </span>
      <Button
        size="md"
        variant="light"
        leftSection={<IconPlus size={18} aria-hidden />}
        aria-label={t('others.addOf', { name })}
        onClick={() => {
          if (!mayPress()) return;
          mutate({ childId: _id, state: 'here' });
          onTicked();
        }}
      >
        {t('others.add')}
      </Button>
    </li>
  );
}
