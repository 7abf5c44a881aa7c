/** Preview of an import: the mapping of columns, the problems of rows, and the import button. */
import { type Language, languageSchema } from '@haris/contract/fields';
import {
  type ImportField,
  type ImportProblem,
  importFieldSchema,
  type RawImportRow,
} from '@haris/contract/http/imports';
import { Alert, Button, Group, Loader, Progress, Select, Stack, Table, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconArrowLeft, IconInfoCircle, IconMailForward } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../calls/api-error.ts';
import { failureText, localizeSentence, showFailure } from '../../calls/failure.ts';
import { randomUuid } from '../../calls/random-uuid.ts';
import { currentLanguage } from '../../i18n/i18n.ts';
import { MailNote, useSendsMail } from '../../setup/mail-note.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { notifyError } from '../../ui/toast.ts';
import { type Imported, useImport, useImportProgress, usePreview } from './api.ts';
import classes from './imports.module.css';
import { type Mapping, mapColumns, toImportRows } from './read-csv.ts';
import type { Source } from './source-step.tsx';

/** Maximum number of valid and of invalid rows shown; the counts include all. */
const SAMPLE_ROWS = 10;
const PROBLEM_ROWS = 100;
const FIELDS = importFieldSchema.options;

export interface PreviewStepProps {
  source: Source;
  onBack: () => void;
  onDone: (imported: Imported) => void;
}

/** State of the step: the mapped rows, the server's validation of them, and the import. */
function useRehearsal(source: Source, onDone: PreviewStepProps['onDone']) {
  const { t } = useTranslation('imports');
  const [mapping, setMapping] = useState<Mapping>(() => mapColumns(source.sheet.header));
  const [language, setLanguage] = useState<Language>(currentLanguage());
  const isMapped = mapping.name !== null && mapping.email !== null;
  const rows = useMemo(
    () => (isMapped ? toImportRows(source.sheet, mapping) : null),
    [source, mapping, isMapped],
  );
  // Idempotency key of the import: it changes only with the rows or the language.
  const { key } = useMemo(() => ({ rows, language, key: randomUuid() }), [rows, language]);
  const preview = usePreview(rows, key);
  const add = useImport();
  const done = useImportProgress(key, add.isPending);
  const isReady = rows !== null && preview.data?.problems.length === 0;

  function onError(error: unknown) {
    if (error instanceof ApiError && error.isNetworkError) return notifyError(t('noAnswer'));
    showFailure(error);
    // Pressing the button again continues the import; a new preview would refuse the rows already added.
    if (error instanceof ApiError && error.code === 'import_unfinished') return;
    // The server's validation has changed, so the preview is fetched again.
    void preview.refetch();
  }
  function submit() {
    if (isReady && !add.isPending) add.mutate({ rows, language, key }, { onSuccess: onDone, onError });
  }
  return {
    mapping,
    setMapping,
    language,
    setLanguage,
    rows,
    preview,
    isReady,
    isBusy: add.isPending,
    done,
    submit,
  };
}

export function PreviewStep({ source, onBack, onDone }: PreviewStepProps) {
  const { t } = useTranslation('imports');
  const { mapping, setMapping, language, setLanguage, rows, preview, isReady, isBusy, done, submit } =
    useRehearsal(source, onDone);
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
      {rows === null ? null : <Checked rows={rows} preview={preview} />}
      <MailsCard language={language} onChange={setLanguage} />
      {done === null ? null : <Running done={done} all={source.sheet.rows.length} />}
      <Group justify="space-between" gap="sm">
        <Button
          variant="default"
          onClick={onBack}
          disabled={isBusy}
          leftSection={<IconArrowLeft size={18} className={classes.mirror ?? ''} aria-hidden />}
        >
          {t('another')}
        </Button>
        <Button onClick={submit} disabled={!isReady} loading={isBusy}>
          {t('submit', { count: source.sheet.rows.length })}
        </Button>
      </Group>
    </Stack>
  );
}

/** How far the import is: with hundreds of rows it takes a while. */
function Running({ done, all }: { done: number; all: number }) {
  const { t } = useTranslation('imports');
  const text = t('progress', { done, all });
  return (
    <div>
      <Text size="sm" mb={4}>
        {text}
      </Text>
      <Progress value={(100 * done) / all} aria-label={text} />
    </div>
  );
}

interface CheckedProps {
  rows: readonly RawImportRow[];
  preview: ReturnType<typeof usePreview>;
}

/** The server's validation of the rows, or why there is none. */
function Checked({ rows, preview }: CheckedProps) {
  const { t } = useTranslation('imports');
  const problems = preview.data?.problems;
  if (preview.isPending)
    return (
      <Group role="status">
        <Loader size={20} aria-hidden />
        <Text>{t('checking')}</Text>
      </Group>
    );
  if (problems === undefined)
    return (
      <ErrorState
        text={failureText(preview.error, t('checkFailed'))}
        onRetry={() => void preview.refetch()}
        busy={preview.isRefetching}
      />
    );
  return <Verdict rows={rows} problems={problems} />;
}

interface MailsCardProps {
  language: Language;
  onChange: (language: Language) => void;
}

/** Choice of language for the mails to the families. */
function MailsCard({ language, onChange }: MailsCardProps) {
  const { t } = useTranslation('imports');
  const sendsMail = useSendsMail();
  return (
    <Card component="section" aria-label={t('mails.title')}>
      <Stack gap="sm">
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <IconMailForward size={22} style={{ flexShrink: 0 }} aria-hidden />
          {sendsMail ? <Text size="sm">{t('mails.text')}</Text> : <MailNote to="staff" />}
        </Group>
        <Select
          label={t('mails.language')}
          data={languageSchema.options.map((value) => ({ value, label: t(`languages.${value}`) }))}
          value={language}
          onChange={(value) => onChange(languageSchema.safeParse(value).data ?? language)}
          allowDeselect={false}
          maw={260}
        />
        <Text size="sm" c="dimmed">
          {t('childrenLater')}
        </Text>
      </Stack>
    </Card>
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

/** Number of valid rows, and the problems of the others by row of the file. */
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
          label={t(wrong.size === 0 ? 'rightRows' : 'otherRows')}
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
  /** Number of rows not shown. */
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
