/** The child's stays, newest first: ten at once, and more on request. */
import { type PastStay, stayRoutes } from '@haris/contract/http/stays';
import type { Child } from '@haris/contract/objects';
import { Button, Skeleton, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { pagedQuery } from '../../../calls/paged.ts';
import { keys } from '../../../calls/query-client.ts';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { momentFormat } from '../../../i18n/locale.ts';
import { ErrorState } from '../../../ui/states.tsx';
import { Section } from './section.tsx';
import classes from './sheet.module.css';

const AT_ONCE = '10';

/** Reads again only when this child's stay has changed, because the audit log records each read. */
export function HistoryPart({ child: { _id: id, uniqueEntryId, duration } }: { child: Child }) {
  const { t } = useTranslation('child');
  const history = useInfiniteQuery({
    ...pagedQuery([keys.stays, id, uniqueEntryId, duration], (cursor, signal) =>
      call(stayRoutes.listStays, { params: { id }, query: { limit: AT_ONCE, cursor }, signal }),
    ),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const stays = history.data?.pages.flatMap((page) => page.stays);
  return (
    <Section title={t('history.title')}>
      {stays === undefined ? (
        history.isError ? (
          <ErrorState
            text={failureText(history.error)}
            onRetry={() => void history.refetch()}
            busy={history.isRefetching}
          />
        ) : (
          <Skeleton height={64} role="status" aria-label={t('history.loading')} />
        )
      ) : stays.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('history.empty')}
        </Text>
      ) : (
        <ul className={classes.list}>
          {stays.map((stay) => (
            <StayRow key={stay._id} stay={stay} />
          ))}
        </ul>
      )}
      {history.hasNextPage ? (
        <Button
          mt="xs"
          size="compact-md"
          fz="sm"
          variant="subtle"
          loading={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        >
          {t('history.more')}
        </Button>
      ) : null}
    </Section>
  );
}

function StayRow({ stay }: { stay: PastStay }) {
  const { t, i18n } = useTranslation('child');
  const format = useClockFormat();
  const day = momentFormat(i18n.language, { weekday: 'short', day: 'numeric', month: 'short' });
  const added = stay.extensions.reduce((sum, { minutes }) => sum + minutes, 0);
  return (
    <li className={classes.past} data-void={stay.isVoid || undefined}>
      <Text size="sm" fw={500}>
        <time dateTime={stay.entryTime}>{day.format(new Date(stay.entryTime))}</time>
      </Text>
      <Text size="sm">
        {stay.exitTime === null
          ? t('history.since', { from: format.timeOfDay(stay.entryTime) })
          : t('history.fromTo', {
              from: format.timeOfDay(stay.entryTime),
              to: format.timeOfDay(stay.exitTime),
            })}
      </Text>
      <Text size="xs" c="dimmed" className={classes.pastNote}>
        {stay.isVoid
          ? t('history.void')
          : added > 0
            ? t('history.bookedExtended', { booked: stay.booked, added })
            : t('history.booked', { booked: stay.booked })}
        {stay.checkedInBy === null ? null : (
          <>
            {' · '}
            <bdi>{stay.checkedInBy}</bdi>
          </>
        )}
      </Text>
    </li>
  );
}
