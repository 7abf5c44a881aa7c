/** Button that downloads an export, with progress and a stop button. */
import type { Route } from '@haris/contract/http/route';
import { ActionIcon, Button, Group, Progress, Text } from '@mantine/core';
import { IconFileDownload, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../calls/failure.ts';
import type { RequestInput } from '../calls/request.ts';
import { notifyBlank, notifySuccess } from '../ui/toast.ts';
import styles from './csv-button.module.css';
import { type CsvProgress, saveCsv } from './save-csv.ts';

export interface CsvButtonProps {
  route: Route & { answer: 'text/csv' };
  query: RequestInput['query'];
  disabled?: boolean;
}

/**
 * Gives the focus back to the button once the download has ended, because its progress took the button's place. Not if the
 * person has moved the focus meanwhile.
 */
function useFocusAfter(isIdle: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const wasIdle = useRef(isIdle);
  useEffect(() => {
    if (isIdle === wasIdle.current) return;
    wasIdle.current = isIdle;
    const now = document.activeElement;
    const isFree = now === null || now === document.body || now.closest('[role="dialog"]') !== null;
    if (isIdle && isFree) button.current?.focus({ preventScroll: true });
  }, [isIdle]);
  return button;
}

export function CsvButton({ route, query, disabled = false }: CsvButtonProps) {
  const { t } = useTranslation('common');
  const running = useRef<AbortController | null>(null);
  const [progress, setProgress] = useState<CsvProgress | null>(null);
  const button = useFocusAfter(progress === null);
  // Leaving the screen cancels the download.
  useEffect(() => () => running.current?.abort(), []);

  async function download() {
    if (running.current !== null) return;
    const aborting = new AbortController();
    running.current = aborting;
    setProgress({ rows: 0, total: 0 });
    try {
      const count = await saveCsv(route, query, aborting.signal, setProgress);
      notifySuccess(t('csv.done', { count }));
    } catch (error) {
      if (aborting.signal.aborted) notifyBlank(t('csv.cancelled'));
      else showFailure(error, t('csv.failed'));
    } finally {
      running.current = null;
      setProgress(null);
    }
  }

  if (progress === null)
    return (
      <Button
        ref={button}
        variant="default"
        leftSection={<IconFileDownload size={18} aria-hidden />}
        onClick={() => void download()}
        disabled={disabled}
      >
        {t('csv.download')}
      </Button>
    );
  const { rows, total } = progress;
  const text = total === 0 ? t('csv.preparing') : t('csv.progress', { rows, total });
  return (
    <Group gap="xs" wrap="nowrap" className={styles.running ?? ''}>
      <div className={styles.bar}>
        <Text size="sm" aria-hidden="true">
          {text}
        </Text>
        <Progress
          value={total === 0 ? 0 : (rows / total) * 100}
          aria-label={t('csv.title')}
          size="sm"
          transitionDuration={100}
        />
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t('csv.cancel')}
        onClick={() => running.current?.abort()}
      >
        <IconX size={18} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
