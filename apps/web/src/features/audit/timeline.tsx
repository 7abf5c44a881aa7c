/** The rows of the audit log as a timeline: days, and in each the moments with the faces of the people concerned. */
import type { AuditEntry } from '@haris/contract/objects';
import { Skeleton, Stack, Title } from '@mantine/core';
import { IconListSearch } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../calls/failure.ts';
import { momentFormat } from '../../i18n/locale.ts';
import { LoadMore } from '../../ui/load-more.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import classes from './audit.module.css';
import { groupEntries } from './group-entries.ts';
import { MomentRow } from './moment-row.tsx';
import type { AuditQuestion, useAudit } from './queries.ts';

const NONE: readonly AuditEntry[] = [];

interface TimelineProps {
  audit: ReturnType<typeof useAudit>;
  question: AuditQuestion;
  onFollow: (by: Partial<AuditQuestion>) => void;
}

export function Timeline({ audit, question, onFollow }: TimelineProps) {
  const { t, i18n } = useTranslation('audit');
  const dayFormat = momentFormat(i18n.language, { dateStyle: 'full' });
  const pages = audit.data?.pages;
  const entries = useMemo(() => pages?.flatMap((page) => page.entries) ?? NONE, [pages]);
  const days = useMemo(
    () => groupEntries(entries, (at) => dayFormat.format(new Date(at))),
    [entries, dayFormat],
  );
  if (pages === undefined)
    return audit.isError ? (
      <ErrorState
        text={failureText(audit.error, t('error'))}
        onRetry={() => void audit.refetch()}
        busy={audit.isRefetching}
      />
    ) : (
      <LogSkeleton />
    );
  if (entries.length === 0)
    return <EmptyState icon={<IconListSearch size={28} />} text={t('empty')} hint={t('emptyHint')} />;
  return (
    <>
      {days.map(({ day, moments }) => (
        <section key={day} className={classes.section} data-stale={audit.isPlaceholderData || undefined}>
          <Title order={2} className={classes.date ?? ''}>
            {day}
          </Title>
          <ol className={classes.list} aria-label={t('listOf', { day })}>
            {moments.map((moment) => (
              <MomentRow key={moment[0].seq} moment={moment} question={question} onFollow={onFollow} />
            ))}
          </ol>
        </section>
      ))}
      <LoadMore list={audit} label={t('loadMore')} busyLabel={t('loadingMore')} errorText={t('errorMore')} />
    </>
  );
}

/** Placeholder rows while the log loads. */
function LogSkeleton() {
  const { t } = useTranslation('common');
  return (
    <Stack gap="xs" role="status" aria-label={t('loading')}>
      {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((row) => (
        <Skeleton key={row} height={48} />
      ))}
    </Stack>
  );
}
