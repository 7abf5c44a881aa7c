/** Source of the families: a chosen or dropped file, or cells pasted from a spreadsheet. */
import { IMPORT_ROWS_MAX } from '@haris/contract/constants';
import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconClipboardText, IconFileSpreadsheet, IconFileTypeCsv } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../ui/card.tsx';
import classes from './imports.module.css';
import {
  decodeText,
  type Encoding,
  parseSheet,
  type Sheet,
  templateFile,
  UnreadableFile,
} from './read-csv.ts';

/** The parsed table and its origin. */
export interface Source {
  readonly sheet: Sheet;
  /** Null for pasted cells. */
  readonly fileName: string | null;
  readonly encoding: Encoding;
}

/** Downloads an empty sheet with the right columns. */
function saveTemplate(columns: [string, string, string]) {
  const url = URL.createObjectURL(templateFile(columns));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'haris-families.csv';
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export function SourceStep({ onRead }: { onRead: (source: Source) => void }) {
  const { t } = useTranslation('imports');
  const [problem, setProblem] = useState<string | null>(null);

  function tryTo(read: () => Source) {
    try {
      const source = read();
      setProblem(null);
      onRead(source);
    } catch (error) {
      setProblem(
        error instanceof UnreadableFile
          ? t(`unreadable.${error.reason}`, { max: IMPORT_ROWS_MAX })
          : t('unreadable.not_text'),
      );
    }
  }
  async function readFile(file: File) {
    const bytes = await file.arrayBuffer().catch(() => null);
    tryTo(() => {
      if (bytes === null) throw new UnreadableFile('not_text');
      const { text, encoding } = decodeText(new Uint8Array(bytes));
      return { sheet: parseSheet(text), fileName: file.name, encoding };
    });
  }

  return (
    <Stack gap="lg">
      {problem === null ? null : (
        <Text role="alert" c="var(--mantine-color-error)" fw={500}>
          {problem}
        </Text>
      )}
      <FileCard onFile={(file) => void readFile(file)} />
      <PasteCard
        onText={(text) => tryTo(() => ({ sheet: parseSheet(text), fileName: null, encoding: 'utf-8' }))}
      />
    </Stack>
  );
}

/** A file, chosen or dropped, and the template. */
function FileCard({ onFile }: { onFile: (file: File) => void }) {
  const { t } = useTranslation('imports');
  const [isOver, setOver] = useState(false);
  const reset = useRef<() => void>(null);
  function take(file: File | null | undefined) {
    // Clears the input, so that the same file can be chosen again after a correction.
    reset.current?.();
    if (file) onFile(file);
  }
  return (
    <Card
      component="section"
      aria-label={t('file.title')}
      className={classes.drop ?? ''}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files[0]);
      }}
    >
      <Stack align="center" gap="sm" ta="center">
        <IconFileTypeCsv size={40} aria-hidden />
        <FileButton
          onChange={take}
          accept=".csv,.txt,.tsv,text/csv,text/plain,text/tab-separated-values"
          resetRef={reset}
          inputProps={{ 'aria-label': t('file.choose') }}
        >
          {(props) => <Button {...props}>{t('file.choose')}</Button>}
        </FileButton>
        <Text size="sm" c="dimmed">
          {t('file.hint', { max: IMPORT_ROWS_MAX })}
        </Text>
        <Button
          variant="subtle"
          size="sm"
          leftSection={<IconFileSpreadsheet size={18} aria-hidden />}
          onClick={() => saveTemplate([t('fields.name'), t('fields.email'), t('fields.phone')])}
        >
          {t('file.template')}
        </Button>
      </Stack>
    </Card>
  );
}

/** Cells pasted from a spreadsheet. */
function PasteCard({ onText }: { onText: (text: string) => void }) {
  const { t } = useTranslation('imports');
  const [pasted, setPasted] = useState('');
  return (
    <Card component="section" aria-label={t('paste.title')}>
      <Textarea
        size="md"
        label={t('paste.title')}
        description={t('paste.hint')}
        placeholder={`${t('fields.name')}\t${t('fields.email')}\t${t('fields.phone')}`}
        value={pasted}
        onChange={(event) => setPasted(event.currentTarget.value)}
        autosize
        minRows={3}
        maxRows={10}
        // The empty field has the page's direction, for its hint; pasted text sets its own.
        {...(pasted === '' ? {} : { dir: 'auto' as const })}
        spellCheck={false}
        autoComplete="off"
      />
      <Group justify="flex-end" mt="sm">
        <Button
          variant="default"
          leftSection={<IconClipboardText size={18} aria-hidden />}
          disabled={pasted.trim() === ''}
          onClick={() => onText(pasted)}
        >
          {t('paste.read')}
        </Button>
      </Group>
    </Card>
  );
}
