/** Opens the correction of an entry; renders nothing for one that is corrected or withdrawn already. */
import type { CareLogEntry } from '@haris/contract/http/care-log';
import { Button } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useClockFormat } from '../countdown/use-clock-format.ts';
import { useEntryWords } from './words.ts';

export interface CorrectButtonProps {
  entry: CareLogEntry;
  onCorrect: (entry: CareLogEntry) => void;
}

export function CorrectButton({ entry, onCorrect }: CorrectButtonProps) {
  const { t } = useTranslation('care-log');
  const format = useClockFormat();
  const wordsOf = useEntryWords();
  if (entry.correctedBy !== null || entry.entry?.kind === 'withdrawn') return null;
  return (
    <div>
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconPencil size={16} aria-hidden />}
        aria-haspopup="dialog"
        aria-label={t('correctOf', {
          time: format.timeOfDay(entry.at),
          entry: wordsOf(entry.entry).title,
        })}
        onClick={() => onCorrect(entry)}
      >
        {t('correct')}
      </Button>
    </div>
  );
}
