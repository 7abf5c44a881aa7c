/** Where the families come from: a file, chosen or dropped, or cells pasted from a spreadsheet. */
import { IMPORT_ROWS_MAX } from '@haris/contract/constants';
import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconClipboardText, IconFileSpreadsheet, IconFileTypeCsv } from '@tabler/icons-react';
import { type DragEvent, useRef, useState } from 'react';
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

/** What was read, and from where. */
export interface Source {
  readonly sheet: Sheet;
  /** Null: pasted. */
  readonly fileName: string | null;
  readonly encoding: Encoding;
}

export function SourceStep({ onRead }: { onRead: (source: Source) => void }) {
  const { t } = useTranslation('imports');
  const [problem, setProblem] = useState<string | null>(null);
  const [isOver, setOver] = useState(false);
  const [pasted, setPasted] = useState('');
  const reset = useRef<() => void>(null);

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
  async function readFile(file: File | null) {
    // The same file can be chosen again, once it was put right.
    reset.current?.();
    if (file === null) return;
    const bytes = await file.arrayBuffer().catch(() => null);
    tryTo(() => {
      if (bytes === null) throw new UnreadableFile('not_text');
      const { text, encoding } = decodeText(new Uint8Array(bytes));
      return { sheet: parseSheet(text), fileName: file.name, encoding };
    });
  }
  function onDrop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    void readFile(event.dataTransfer.files[0] ?? null);
  }
  function saveTemplate() {
    const url = URL.createObjectURL(templateFile([t('fields.name'), t('fields.email'), t('fields.phone')]));
    const link = document.createElement('a');
    link.href = url;
    link.download = 'haris-families.csv';
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }

  return (
    <Stack gap="lg">
      {problem === null ? null : (
        <Text role="alert" c="var(--mantine-color-error)" fw={500}>
          {problem}
        </Text>
      )}
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
        onDrop={onDrop}
      >
        <Stack align="center" gap="sm" ta="center">
          <IconFileTypeCsv size={40} aria-hidden />
          <FileButton
            onChange={(file) => void readFile(file)}
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
            onClick={saveTemplate}
          >
            {t('file.template')}
          </Button>
        </Stack>
      </Card>
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
          // The hint runs as the page does; what is pasted, as its own letters do.
          {...(pasted === '' ? {} : { dir: 'auto' as const })}
          spellCheck={false}
          autoComplete="off"
        />
        <Group justify="flex-end" mt="sm">
          <Button
            variant="default"
            leftSection={<IconClipboardText size={18} aria-hidden />}
            disabled={pasted.trim() === ''}
            onClick={() => tryTo(() => ({ sheet: parseSheet(pasted), fileName: null, encoding: 'utf-8' }))}
          >
            {t('paste.read')}
          </Button>
        </Group>
      </Card>
    </Stack>
  );
}
