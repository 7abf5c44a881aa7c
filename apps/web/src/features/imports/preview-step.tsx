/** What will be imported: which column is what, what is wrong in which row, and the way to do it or not. */
import { type Language, languageSchema } from '@haris/contract/fields';
import {
  type ImportField,
  type ImportProblem,
  importFieldSchema,
  type RawImportRow,
} from '@haris/contract/http/imports';
import { Alert, Button, Group, Loader, Select, Stack, Table, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconArrowLeft, IconInfoCircle, IconMailForward } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../client/api-error.ts';
import { failureText, localizeSentence, showFailure } from '../../client/failure.ts';
import { currentLanguage } from '../../i18n/i18n.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { notifyError } from '../../ui/toast.ts';
import { type Imported, useImport, usePreview } from './api.ts';
import classes from './imports.module.css';
import { type Mapping, mapColumns, toImportRows } from './read-csv.ts';
import type { Source } from './source-step.tsx';

/** Rows shown of those that are right, and of those that are not; the counts are of all. */
const SAMPLE_ROWS = 10;
const PROBLEM_ROWS = 100;
const FIELDS = importFieldSchema.options;

export interface PreviewStepProps {
  source: Source;
  onBack: () => void;
  onDone: (imported: Imported) => void;
}

export function PreviewStep({ source, onBack, onDone }: PreviewStepProps) {
  const { t } = useTranslation('imports');
  const [mapping, setMapping] = useState<Mapping>(() => mapColumns(source.sheet.header));
  const [language, setLanguage] = useState<Language>(currentLanguage());
  const isMapped = mapping.name !== null && mapping.email !== null;
  const rows = useMemo(
    () => (isMapped ? toImportRows(source.sheet, mapping) : null),
    [source, mapping, isMapped],
  );
  // Names these rows, and what is asked for with them: another attempt only where one of the two is another.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows and the language are what it stands for
  const attempt = useMemo(() => crypto.randomUUID(), [rows, language]);
  const preview = usePreview(rows, attempt);
  const add = useImport();
  const problems = preview.data?.problems;
  const isReady = rows !== null && problems?.length === 0;

  function submit() {
    if (!isReady || add.isPending) return;
    add.mutate(
      { rows, language, key: attempt },
      {
        onSuccess: onDone,
        onError: (error) => {
          if (error instanceof ApiError && error.isNetworkError) return notifyError(t('noAnswer'));
          showFailure(error);
          // Pressing again continues the import. A new preview would refuse the rows that it has already added.
          if (error instanceof ApiError && error.code === 'import_unfinished') return;
          // The server has looked again, and it is otherwise now.
          void preview.refetch();
        },
      },
    );
  }

  return (
    <Stack gap="lg">
      <Text>
        {source.fileName === null
          ? t('read.pasted', { count: source.sheet.rows.length })
          : t('read.file', { name: source.fileName, count: source.sheet.rows.length })}
      </Text>
      {source.encoding === 'windows-1256' ? (
        <Alert icon={<IconInfoCircle aria-hidden />} color="saffron" title={t('codePage.title')}>
          {t('codePage.text')}
        </Alert>
      ) : null}
      <Card component="section" aria-labelledby="import-columns">
        <Title order={2} fz="h4" mb="sm" id="import-columns">
          {t('columns')}
        </Title>
        <Group gap="md" align="flex-start">
          {FIELDS.map((field) => (
            <ColumnChoice
              key={field}
              field={field}
              header={source.sheet.header}
              mapping={mapping}
              onChange={setMapping}
            />
          ))}
        </Group>
      </Card>
      {rows === null ? null : preview.isPending ? (
        <Group role="status">
          <Loader size={20} aria-hidden />
          <Text>{t('checking')}</Text>
        </Group>
      ) : problems === undefined ? (
        <ErrorState
          text={failureText(preview.error, t('checkFailed'))}
          onRetry={() => void preview.refetch()}
          busy={preview.isRefetching}
        />
      ) : (
        <Verdict rows={rows} problems={problems} />
      )}
      <Card component="section" aria-label={t('mails.title')}>
        <Stack gap="sm">
          <Group gap="sm" wrap="nowrap" align="flex-start">
            <IconMailForward size={22} style={{ flexShrink: 0 }} aria-hidden />
            <Text size="sm">{t('mails.text')}</Text>
          </Group>
          <Select
            label={t('mails.language')}
            data={languageSchema.options.map((value) => ({ value, label: t(`languages.${value}`) }))}
            value={language}
            onChange={(value) => setLanguage(languageSchema.catch(language).parse(value))}
            allowDeselect={false}
            maw={260}
          />
          <Text size="sm" c="dimmed">
            {t('childrenLater')}
          </Text>
        </Stack>
      </Card>
      <Group justify="space-between" gap="sm">
        <Button
          variant="default"
          onClick={onBack}
          disabled={add.isPending}
          leftSection={<IconArrowLeft size={18} className={classes.mirror ?? ''} aria-hidden />}
        >
          {t('another')}
        </Button>
        <Button onClick={submit} disabled={!isReady} loading={add.isPending}>
          {t('submit', { count: source.sheet.rows.length })}
        </Button>
      </Group>
    </Stack>
  );
}

interface ColumnChoiceProps {
  field: ImportField;
  header: readonly string[];
  mapping: Mapping;
  onChange: (mapping: Mapping) => void;
}

function ColumnChoice({ field, header, mapping, onChange }: ColumnChoiceProps) {
  const { t } = useTranslation('imports');
  const required = field !== 'phone';
  return (
    <Select
      label={t(`fields.${field}`)}
      required={required}
      data={header.map((title, column) => ({
        value: String(column),
        label: title === '' ? t('column', { number: column + 1 }) : title,
      }))}
      value={mapping[field] === null ? null : String(mapping[field])}
      onChange={(value) => onChange({ ...mapping, [field]: value === null ? null : Number(value) })}
      placeholder={required ? t('chooseColumn') : t('noColumn')}
      error={required && mapping[field] === null ? t('chooseColumn') : undefined}
      clearable={!required}
      clearButtonProps={{ 'aria-label': t('noColumn') }}
      allowDeselect={!required}
      w={{ base: '100%', sm: 220 }}
    />
  );
}

/** How many are right; of the others, what is wrong, by the line of the file. */
function Verdict({ rows, problems }: { rows: readonly RawImportRow[]; problems: readonly ImportProblem[] }) {
  const { t } = useTranslation('imports');
  const wrong = Map.groupBy(problems, ({ row }) => row);
  const shown = [...wrong].slice(0, PROBLEM_ROWS);
  const right = rows.flatMap((row, index) => (wrong.has(index) ? [] : [{ row, index }]));
  return (
    <Stack gap="lg">
      <div role="status">
        {wrong.size === 0 ? (
          <Text fw={600} c="var(--mantine-color-anchor)">
            {t('allRight', { count: rows.length })}
          </Text>
        ) : (
          <Alert
            icon={<IconAlertTriangle aria-hidden />}
            color="clay"
            title={t('someWrong', { count: wrong.size })}
          >
            {t('nothingHalf')}
          </Alert>
        )}
      </div>
      {wrong.size === 0 ? null : (
        <RowsTable
          label={t('wrongRows')}
          rows={shown.map(([index, found]) => ({ index, row: rows[index], found }))}
          more={wrong.size - shown.length}
        />
      )}
      {right.length === 0 ? null : (
        <RowsTable
          label={t('rightRows')}
          rows={right.slice(0, SAMPLE_ROWS).map(({ row, index }) => ({ index, row, found: [] }))}
          more={Math.max(0, right.length - SAMPLE_ROWS)}
        />
      )}
    </Stack>
  );
}

interface RowsTableProps {
  label: string;
  rows: readonly { index: number; row: RawImportRow | undefined; found: readonly ImportProblem[] }[];
  /** Rows that are not shown. */
  more: number;
}

function RowsTable({ label, rows, more }: RowsTableProps) {
  const { t } = useTranslation('imports');
  return (
    <div>
      <Title order={2} fz="h4" mb="xs">
        {label}
      </Title>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard */}
      <section className={classes.scrolling} aria-label={label} tabIndex={0}>
        <Table verticalSpacing="xs" className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('row')}</Table.Th>
              {FIELDS.map((field) => (
                <Table.Th key={field}>{t(`fields.${field}`)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ index, row, found }) => (
              <Table.Tr key={index}>
                <Table.Th scope="row">{t('number', { value: index + 1 })}</Table.Th>
                {FIELDS.map((field) => {
                  const problem = found.find((one) => one.field === field);
                  return (
                    <Table.Td key={field} data-wrong={problem !== undefined || undefined}>
                      <bdi>{row?.[field] === '' ? '–' : row?.[field]}</bdi>
                      {problem === undefined ? null : (
                        <Text size="sm" c="var(--mantine-color-error)">
                          {localizeSentence(problem.message)}
                        </Text>
                      )}
                    </Table.Td>
                  );
                })}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {more === 0 ? null : (
        <Text size="sm" c="dimmed" mt="xs">
          {t('more', { count: more })}
        </Text>
      )}
    </div>
  );
}
