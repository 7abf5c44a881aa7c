/** The whole care log of a child, by day, the newest first. */
import type { CareLogEntry } from '@haris/contract/http/care-log';
import { Button, Skeleton, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../calls/failure.ts';
import { uniqueById } from '../calls/paged.ts';
import { ErrorState } from '../ui/states.tsx';
import classes from './care-log.module.css';
import { useDayWords } from './day-words.ts';
import { EntryList } from './entry-list.tsx';
import { wholeLogQuery } from './queries.ts';

export interface WholeLogProps {
  childId: string;
  isFamily?: boolean;
  renderAction?: (entry: CareLogEntry) => ReactNode;
  /** Beside the heading of a day. */
  renderDay?: (day: string) => ReactNode;
}

export function WholeLog({ childId, isFamily = false, renderAction, renderDay }: WholeLogProps) {
  const { t } = useTranslation('care-log');
  const dayWords = useDayWords();
  const log = useInfiniteQuery(wholeLogQuery(childId));
  if (log.data === undefined)
    return log.isError ? (
      <ErrorState text={failureText(log.error)} onRetry={() => void log.refetch()} busy={log.isRefetching} />
    ) : (
      <Skeleton height={120} role="status" aria-label={t('loading')} />
    );
  const days = Map.groupBy(uniqueById(log.data.pages.flatMap(({ entries }) => entries)), ({ day }) => day);
  if (days.size === 0) return <Text c="dimmed">{t('empty')}</Text>;
  return (
    <>
      {[...days].map(([day, entries]) => (
        <section key={day}>
          <div className={classes.day}>
            <h3>{dayWords(day)}</h3>
            {renderDay?.(day)}
          </div>
          <EntryList
            entries={entries}
            label={dayWords(day)}
            isFamily={isFamily}
            {...(renderAction === undefined ? {} : { renderAction })}
          />
        </section>
      ))}
      {log.hasNextPage ? (
        <Button
          mt="xs"
          size="compact-md"
          fz="sm"
          variant="subtle"
          loading={log.isFetchingNextPage}
          onClick={() => void log.fetchNextPage()}
        >
          {t('more')}
        </Button>
      ) : null}
    </>
  );
}
