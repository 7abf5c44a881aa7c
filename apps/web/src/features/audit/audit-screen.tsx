/** The audit log: search, filters by kind, day, person and record, and export as CSV. */
import { AUDIT_FILTERS, type AuditFilterKind } from '@haris/contract/audit';
import { operationRoutes } from '@haris/contract/http/operations';
import type { AuditEntry } from '@haris/contract/objects';
import { Button, Group, NativeSelect, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { CsvButton } from '../../downloads/csv-button.tsx';
import { Allowed } from '../../session/allowed.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import classes from './audit.module.css';
import { type AuditQuestion, useAudit } from './queries.ts';
import { Timeline } from './timeline.tsx';
import { useQuestion } from './use-question.ts';

const SEARCH_DELAY_MS = 400;

export default function AuditScreen() {
  const { t, i18n } = useTranslation('audit');
  const { question, change } = useQuestion();
  const [search] = useDebouncedValue(question.search.trim(), SEARCH_DELAY_MS);
  const asked = { ...question, search };
  const audit = useAudit(asked);
  const total = audit.data?.pages.at(-1)?.total;

  return (
    <Page title={t('title')} size="lg" description={t('lead')}>
      <Group gap="sm" align="flex-end" mb="sm">
        <SearchBox
          className={classes.search ?? ''}
          typed={question.search}
          onType={(text) => change({ search: text })}
          isBusy={audit.isPlaceholderData}
          label={t('search')}
          placeholder={t('searchPlaceholder')}
          clearLabel={t('clearSearch')}
        />
        <NativeSelect
          size="md"
          className={classes.kind ?? ''}
          label={t('kind')}
          value={question.kind ?? ''}
          onChange={({ currentTarget: { value } }) => change({ kind: value as AuditFilterKind })}
          data={[
            { value: '', label: t('kinds.all') },
            ...AUDIT_FILTERS.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) })),
          ]}
        />
        {(['from', 'to'] as const).map((end) => (
          <TextInput
            key={end}
            type="date"
            className={classes.day ?? ''}
            label={t(end)}
            min="2000-01-01"
            max="2199-12-31"
            value={question[end] ?? ''}
            onChange={({ currentTarget: { value } }) => change({ [end]: value })}
          />
        ))}
        <Allowed to="audit.export">
          <CsvButton
            route={operationRoutes.exportAudit}
            // Export what the search field contains, even if the list has not caught up yet.
            query={{ ...question, search: question.search.trim(), language: i18n.language }}
            disabled={total === undefined || total === 0}
          />
        </Allowed>
      </Group>
      <Group gap="sm" mb="md" mih={30}>
        <Text size="sm" c="dimmed" role="status">
          {total === undefined ? '' : t('found', { count: total })}
        </Text>
        <Followed
          question={question}
          entries={audit.data?.pages.flatMap((page) => page.entries) ?? []}
          onClear={change}
        />
      </Group>
      <Timeline audit={audit} question={asked} onFollow={change} />
    </Page>
  );
}

interface FollowedProps {
  question: AuditQuestion;
  entries: readonly AuditEntry[];
  onClear: (by: Partial<AuditQuestion>) => void;
}

/** The person and the record that the log is filtered by, each with its name if a row has it. */
function Followed({ question, entries, onClear }: FollowedProps) {
  const { t } = useTranslation('audit');
  return (['actor', 'subject'] as const).map((role) => {
    const id = question[role];
    if (id === undefined) return null;
    const name = entries.find((entry) => entry[role]?.id === id)?.[role]?.name;
    return (
      <Button
        key={role}
        size="compact-sm"
        variant="light"
        rightSection={<IconX size={14} aria-hidden />}
        onClick={() => onClear({ [role]: undefined })}
      >
        <bdi>{name ?? id.slice(0, 8)}</bdi>{' '}
        <VisuallyHidden>{t(role === 'actor' ? 'notActor' : 'notSubject')}</VisuallyHidden>
      </Button>
    );
  });
}
