/** Head counts that go on, and the start of one: from which room a group has arrived in which. */
import type { HeadCount } from '@haris/contract/http/head-counts';
import type { Room } from '@haris/contract/http/rooms';
import { Button, Checkbox, NativeSelect, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconListCheck, IconUsersGroup } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { failureText } from '../../calls/failure.ts';
import { useRooms } from '../../calls/rooms.ts';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { useMay } from '../../session/may.ts';
import { useSession } from '../../session/session.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { useHeadCounts, useInside, useStartHeadCount } from './api.ts';
import { numbersOf, rowsOf } from './counted.ts';
import classes from './head-counts.module.css';
import { useRoomName } from './use-room-name.ts';

export default function HeadCountsScreen() {
  const { t } = useTranslation(['head-counts', 'common']);
  const counts = useHeadCounts();
  const rooms = useRooms();
  const maySeeRooms = useMay()('rooms.view');
  const failed = [counts, rooms].find(({ isError, data }) => isError && data === undefined);
  const isKnown = counts.data !== undefined && (rooms.data !== undefined || !maySeeRooms);
  return (
    <Page title={t('title')} description={t('about')} size="md">
      {failed !== undefined ? (
        <ErrorState
          text={failureText(failed.error, t('error'))}
          onRetry={() => void Promise.all([counts.refetch(), maySeeRooms ? rooms.refetch() : null])}
          busy={counts.isRefetching || rooms.isRefetching}
        />
      ) : !isKnown ? (
        <Stack role="status" aria-label={t('common:loading')}>
          <Skeleton height={90} radius="lg" />
          <Skeleton height={220} radius="lg" />
        </Stack>
      ) : (
        <Stack gap="lg">
          {counts.data.length === 0 ? null : <Running counts={counts.data} />}
          {rooms.data === undefined ? <NoStart reason="noRooms" /> : <Start rooms={rooms.data} />}
        </Stack>
      )}
    </Page>
  );
}

function Running({ counts }: { counts: readonly HeadCount[] }) {
  const { t } = useTranslation('head-counts');
  const format = useClockFormat();
  const nameOf = useRoomName();
  return (
    <section aria-label={t('running.title')}>
      <Title order={2} fz="lg" mb="xs">
        {t('running.title')}
      </Title>
      <ul className={classes.running}>
        {counts.map((count) => {
          const { here, awaited, sought } = numbersOf(rowsOf(count));
          const title = t('count.title', { from: nameOf(count.from), to: nameOf(count.to) });
          return (
            <Card component="li" key={count._id} className={classes.one}>
              <div className={classes.who}>
                <Text fw={600}>{title}</Text>
                <Text size="sm">
                  {t('count.here', { count: here, all: awaited })}
                  {sought > 0 ? ` · ${t('count.sought', { count: sought })}` : ''}
                </Text>
                <Text size="sm" c="dimmed">
                  {count.startedBy === null
                    ? t('running.since', { time: format.timeOfDay(count.startedAt) })
                    : t('running.sinceBy', {
                        time: format.timeOfDay(count.startedAt),
                        name: `\u2068${count.startedBy.name}\u2069`,
                      })}
                </Text>
              </div>
              <Button
                component={Link}
                to={`/headCounts/${count._id}`}
                size="md"
                aria-label={t('running.openOf', { title })}
              >
                {t('running.open')}
              </Button>
            </Card>
          );
        })}
      </ul>
    </section>
  );
}

function NoStart({ reason }: { reason: 'noRooms' | 'oneRoom' | 'nobody' }) {
  const { t } = useTranslation('head-counts');
  return (
    <Card>
      <EmptyState
        icon={<IconUsersGroup size={30} />}
        text={t(`start.${reason}`)}
        hint={t(`start.${reason}Hint`)}
      />
    </Card>
  );
}

/** The room that the person is in, if any: that is where the group has arrived. */
function useOwnRoom(rooms: readonly Room[]): string | undefined {
  const own = useSession().admin.identity?._id;
  return rooms.find(({ staff }) => staff.some(({ _id }) => _id === own))?._id;
}

/** The group to be counted: the rooms that are chosen, and who comes along. */
function useGroup(rooms: readonly Room[]) {
  const [asked] = useSearchParams();
  const ownRoom = useOwnRoom(rooms);
  const idOf = (wanted: string | null | undefined) => rooms.find(({ _id }) => _id === wanted)?._id;
  const [chosenTo, setTo] = useState<string | null>(null);
  const [chosenFrom, setFrom] = useState<string | null>(null);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const to = idOf(chosenTo ?? asked.get('to') ?? ownRoom) ?? '';
  const full = rooms.filter(({ _id, children }) => children > 0 && _id !== to);
  const from =
    full.find(({ _id }) => _id === chosenFrom)?._id ?? (full.length === 1 ? full[0]?._id : '') ?? '';
  const inside = (useInside().data ?? []).filter(({ roomId }) => from !== '' && roomId === from);
  const chosen = inside.filter(({ _id }) => !left.has(_id));
  return {
    /** '' if no room is chosen. */
    to,
    setTo,
    /** Rooms from which a group can come. */
    full,
    /** '' if no room is chosen. */
    from,
    changeFrom(next: string) {
      setFrom(next);
      setLeft(new Set());
    },
    /** The children in the room from which the group comes. */
    inside,
    /** Those of them who come along. */
    chosen,
    isAll: chosen.length === inside.length,
    /** Ids of those who do not. */
    left,
    setLeft,
  };
}

/** The children of the room that the group leaves, to take out who does not come along. */
function WhoComes({ group }: { group: ReturnType<typeof useGroup> }) {
  const { t } = useTranslation('head-counts');
  const { inside, chosen, isAll, left, setLeft } = group;
  return (
    <details>
      <summary className={classes.summary}>
        {isAll ? t('start.all', { count: inside.length }) : t('start.some', { count: chosen.length })}
      </summary>
      <div className={classes.choice}>
        {inside.map(({ _id, name }) => (
          <Checkbox
            key={_id}
            size="md"
            label={<bdi>{name}</bdi>}
            checked={!left.has(_id)}
            onChange={(event) => {
              const next = new Set(left);
              if (event.currentTarget.checked) next.delete(_id);
              else next.add(_id);
              setLeft(next);
            }}
          />
        ))}
      </div>
    </details>
  );
}

function Start({ rooms }: { rooms: readonly Room[] }) {
  const { t } = useTranslation('head-counts');
  const navigate = useNavigate();
  const start = useStartHeadCount();
  const group = useGroup(rooms);
  const { to, from, inside, chosen } = group;
  if (rooms.length < 2) return <NoStart reason="oneRoom" />;
  if (rooms.every(({ children }) => children === 0)) return <NoStart reason="nobody" />;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (from === '' || to === '') return;
    start.mutate(
      {
        fromRoomId: from,
        toRoomId: to,
        ...(group.isAll ? {} : { childIds: chosen.map(({ _id }) => _id) }),
      },
      { onSuccess: ({ headCount }) => void navigate(`/headCounts/${headCount._id}`) },
    );
  }

  return (
    <Card component="section" aria-label={t('start.title')}>
      <form noValidate onSubmit={submit}>
        <Stack gap="md">
          <Title order={2} fz="lg">
            {t('start.title')}
          </Title>
          <NativeSelect
            label={t('start.to')}
            size="md"
            value={to}
            onChange={(event) => group.setTo(event.currentTarget.value)}
            data={[
              { value: '', label: t('start.choose') },
              ...rooms.map(({ _id, name }) => ({ value: _id, label: name })),
            ]}
          />
          <NativeSelect
            label={t('start.from')}
            size="md"
            value={from}
            onChange={(event) => group.changeFrom(event.currentTarget.value)}
            data={[
              { value: '', label: t('start.choose') },
              ...group.full.map(({ _id, name, children }) => ({
                value: _id,
                label: t('start.roomOf', { name, count: children }),
              })),
            ]}
          />
          {inside.length === 0 ? null : <WhoComes group={group} />}
          <Text size="sm" c="dimmed">
            {t('start.hint')}
          </Text>
          <Button
            type="submit"
            size="md"
            leftSection={<IconListCheck size={18} aria-hidden />}
            loading={start.isPending}
            disabled={from === '' || to === '' || (inside.length > 0 && chosen.length === 0)}
          >
            {t('start.submit')}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}
