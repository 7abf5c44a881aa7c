/** The audit log: who did what, when and from where; searched, followed by person and subject, and taken away as CSV. */
import { AUDIT_SUBJECTS, type AuditSubjectKind } from '@haris/contract/audit';
import { operationRoutes } from '@haris/contract/http/operations';
import type { AuditEntry } from '@haris/contract/objects';
import { Badge, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconListSearch, IconX } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CsvButton } from '../../client/csv-button.tsx';
import { failureText } from '../../client/failure.ts';
import { localeOf } from '../../i18n/locale.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { actionKey } from './action-key.ts';
import classes from './audit.module.css';
import { type AuditQuestion, EVERYTHING, useAudit, useTimeZone } from './queries.ts';

const SEARCH_DELAY_MS = 400;

export default function AuditScreen() {
  const { t, i18n } = useTranslation('audit');
  const [question, setQuestion] = useState<AuditQuestion>(EVERYTHING);
  const [search] = useDebouncedValue(question.search.trim(), SEARCH_DELAY_MS);
  const asked = { ...question, search };
  const audit = useAudit(asked);
  const total = audit.data?.pages.at(-1)?.total;
  const change = (next: Partial<AuditQuestion>) => setQuestion((old) => ({ ...old, ...next }));
  const followed = question.actor !== '' || question.subject !== '';

  return (
    <Page
      title={t('title')}
      size="xl"
      description={t('lead')}
      actions={<BackLink to="/adminDashboard">{t('back')}</BackLink>}
    >
      <Group gap="md" align="flex-end" mb="sm">
        <SearchBox
          className={classes.search ?? ''}
          typed={question.search}
          onType={(text) => change({ search: text })}
          isBusy={audit.isPlaceholderData}
          label={t('search')}
          placeholder={t('searchPlaceholder')}
          clearLabel={t('clearSearch')}
        />
        {(['from', 'to'] as const).map((end) => (
          <TextInput
            key={end}
            type="date"
            className={classes.day ?? ''}
            label={t(end)}
            min="2000-01-01"
            max="2199-12-31"
            value={question[end]}
            onChange={({ currentTarget: { value } }) => change({ [end]: value })}
          />
        ))}
        <CsvButton
          route={operationRoutes.exportAudit}
          query={{ ...asked, language: i18n.language }}
          disabled={total === undefined || total === 0}
        />
      </Group>
      <Group gap="sm" mb="md">
        <Text size="sm" c="dimmed" role="status">
          {total === undefined ? '' : t('found', { count: total })}
        </Text>
        {followed ? (
          <Button
            size="compact-sm"
            variant="light"
            leftSection={<IconX size={14} aria-hidden />}
            onClick={() => change({ actor: '', subject: '' })}
          >
            {t(question.actor === '' ? 'notSubject' : 'notActor')}
          </Button>
        ) : null}
      </Group>
      <Entries audit={audit} question={asked} onFollow={change} />
    </Page>
  );
}

interface EntriesProps {
  audit: ReturnType<typeof useAudit>;
  question: AuditQuestion;
  onFollow: (by: Partial<AuditQuestion>) => void;
}

function Entries({ audit, question, onFollow }: EntriesProps) {
  const { t, i18n } = useTranslation('audit');
  const timeZone = useTimeZone();
  const clock = useMemo(
    () =>
      new Intl.DateTimeFormat(localeOf(i18n.language), {
        dateStyle: 'medium',
        timeStyle: 'medium',
        ...(timeZone === undefined ? {} : { timeZone }),
      }),
    [i18n.language, timeZone],
  );
  const pages = audit.data?.pages;
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
  const entries = pages.flatMap((page) => page.entries);
  if (entries.length === 0)
    return <EmptyState icon={<IconListSearch size={28} />} text={t('empty')} hint={t('emptyHint')} />;
  return (
    <>
      <ol className={classes.list} aria-label={t('title')} data-stale={audit.isPlaceholderData || undefined}>
        {entries.map((entry) => (
          <Entry
            key={entry.seq}
            entry={entry}
            time={clock.format(new Date(entry.at))}
            question={question}
            onFollow={onFollow}
          />
        ))}
      </ol>
      <LoadMore list={audit} label={t('loadMore')} busyLabel={t('loadingMore')} errorText={t('errorMore')} />
    </>
  );
}

interface EntryProps {
  entry: AuditEntry;
  time: string;
  question: AuditQuestion;
  onFollow: (by: Partial<AuditQuestion>) => void;
}

function isNamed(kind: string): kind is AuditSubjectKind {
  return AUDIT_SUBJECTS.some((named) => named === kind);
}

/** Actions that this version has words for; a newer server may know more, which stand there by their code. */
function useActionName(): (action: string) => string {
  const { t, i18n } = useTranslation('audit');
  return (action) => {
    const key = `actions.${actionKey(action)}`;
    return i18n.exists(key, { ns: 'audit' }) ? t(key as 'actions.audit_read') : action;
  };
}

function Entry({ entry, time, question, onFollow }: EntryProps) {
  const { t } = useTranslation('audit');
  const nameOf = useActionName();
  const { actor, subject } = entry;
  const details = Object.entries(entry.details);
  return (
    <li className={classes.entry}>
      <div className={classes.what}>
        <Text fw={600}>{nameOf(entry.action)}</Text>
        {entry.action.endsWith('_failed') ? (
          <Badge tt="none" color="clay" variant="light">
            {t('failed')}
          </Badge>
        ) : null}
        <Text size="sm" c="dimmed" className={classes.when}>
          {t('row', { seq: entry.seq })} · <time dateTime={entry.at}>{time}</time>
        </Text>
      </div>
      <dl className={classes.facts}>
        <dt>{t('by')}</dt>
        <dd>
          {actor === null ? (
            // Something came from outside, but nobody was signed in.
            t(entry.from === null ? 'system' : 'nobody')
          ) : (
            <>
              <bdi>{actor.name ?? t(actor.kind === 'admin' ? 'staff' : 'parent')}</bdi>
              {question.actor === actor.id ? null : (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  onClick={() => onFollow({ actor: actor.id, subject: '' })}
                  aria-label={t('onlyActorOf', { seq: entry.seq })}
                >
                  {t('onlyActor')}
                </Button>
              )}
            </>
          )}
        </dd>
        {subject === null ? null : (
          <>
            <dt>{t('about')}</dt>
            <dd>
              {subjectName(subject.kind)} <code>{subject.id.slice(0, 8)}</code>
              {question.subject === subject.id ? null : (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  onClick={() => onFollow({ subject: subject.id, actor: '' })}
                  aria-label={t('onlySubjectOf', { seq: entry.seq })}
                >
                  {t('onlySubject')}
                </Button>
              )}
            </dd>
          </>
        )}
        {entry.from === null ? null : (
          <>
            <dt>{t('from_address')}</dt>
            <dd dir="ltr" className={classes.start}>
              {entry.from}
            </dd>
          </>
        )}
        {details.length === 0 ? null : (
          <>
            <dt>{t('details')}</dt>
            <dd dir="ltr" className={classes.start}>
              {details.map(([name, value]) => (
                <code key={name} className={classes.detail}>
                  {name}: {typeof value === 'string' ? value : JSON.stringify(value)}
                </code>
              ))}
            </dd>
          </>
        )}
      </dl>
    </li>
  );

  function subjectName(kind: string): string {
    return isNamed(kind) ? t(`subjects.${kind}`) : kind;
  }
}

/** Rows in the shape of what comes. */
function LogSkeleton() {
  const { t } = useTranslation('common');
  return (
    <Stack gap="md" role="status" aria-label={t('loading')}>
      {['a', 'b', 'c', 'd', 'e'].map((row) => (
        <Skeleton key={row} height={84} />
      ))}
    </Stack>
  );
}
