/** The whole care log of a child for staff, and the log of a day on paper. */
import type { CareLogEntry } from '@haris/contract/http/care-log';
import type { Child } from '@haris/contract/objects';
import { Button } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../calls/failure.ts';
import { Dialog } from '../ui/dialog.tsx';
import classes from './care-log.module.css';
import { CorrectButton } from './correct-button.tsx';
import { useDayWords } from './day-words.ts';
import { EntryList } from './entry-list.tsx';
import { readDay } from './queries.ts';
import { WholeLog } from './whole-log.tsx';

export interface LogDialogProps {
  opened: boolean;
  onClose: () => void;
  child: Child;
  onCorrect?: (entry: CareLogEntry) => void;
}

export function LogDialog({ opened, onClose, child, onCorrect }: LogDialogProps) {
  const { t } = useTranslation('care-log');
  return (
    <Dialog opened={opened} onClose={onClose} title={t('titleOf', { name: child.name })} size="lg">
      {opened ? <LogWithPrint child={child} {...(onCorrect ? { onCorrect } : {})} /> : null}
    </Dialog>
  );
}

interface Paper {
  readonly day: string;
  readonly entries: readonly CareLogEntry[];
}

function LogWithPrint({ child, onCorrect }: Pick<LogDialogProps, 'child' | 'onCorrect'>) {
  const { t } = useTranslation('care-log');
  const dayWords = useDayWords();
  const [paper, setPaper] = useState<Paper | null>(null);
  // A day may lie on two pages of the list.
  const read = useMutation({
    mutationFn: async (day: string) => ({ day, entries: await readDay(child._id, day) }),
    onSuccess: setPaper,
    onError: (error) => showFailure(error),
  });
  useEffect(() => {
    if (paper !== null) print();
  }, [paper]);
  return (
    <>
      <WholeLog
        childId={child._id}
        {...(onCorrect
          ? { renderAction: (entry) => <CorrectButton entry={entry} onCorrect={onCorrect} /> }
          : {})}
        renderDay={(day) => (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPrinter size={16} aria-hidden />}
            aria-label={t('printDay', { day: dayWords(day) })}
            loading={read.isPending && read.variables === day}
            onClick={() => read.mutate(day)}
          >
            {t('print')}
          </Button>
        )}
      />
      {paper === null
        ? null
        : createPortal(
            <div className={classes.sheet} data-print-sheet aria-hidden="true">
              <h1>
                <bdi>{child.name}</bdi>
              </h1>
              <p>
                {t('title')} · {dayWords(paper.day)}
              </p>
              <EntryList entries={paper.entries} label={dayWords(paper.day)} />
            </div>,
            document.body,
          )}
    </>
  );
}
