/** Printing of a report. */
import { Button } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../calls/failure.ts';
import { serverNow } from '../../calls/server-clock.ts';
import { momentFormat } from '../../i18n/locale.ts';
import type { Attendance } from './queries.ts';
import classes from './reports.module.css';

/** Above this number of stays, only the totals are printed, to avoid hundreds of pages. */
export const PRINTED_STAYS_MAX = 2000;
/** Time of printing, visible only on paper. */
export function PrintedAt() {
  const { t, i18n } = useTranslation('reports');
  const now = momentFormat(i18n.language, { dateStyle: 'long', timeStyle: 'short' });
  return <p className={classes.paperOnly}>{t('printedAt', { time: now.format(serverNow()) })}</p>;
}

/** Loads all remaining pages, then prints. */
export function PrintButton({ attendance, visits }: { attendance: Attendance; visits: number }) {
  const { t } = useTranslation('reports');
  const [isPreparing, setPreparing] = useState(false);
  async function print() {
    setPreparing(true);
    let hasMore = attendance.hasNextPage && visits <= PRINTED_STAYS_MAX;
    let failure: unknown = null;
    while (hasMore && failure === null) {
      const { hasNextPage, isFetchNextPageError, error } = await attendance.fetchNextPage();
      hasMore = hasNextPage;
      if (isFetchNextPageError) failure = error;
    }
    flushSync(() => setPreparing(false));
    if (failure === null) window.print();
    else showFailure(failure, t('errorMore'));
  }
  return (
    <Button
      leftSection={<IconPrinter size={18} aria-hidden />}
      onClick={() => void print()}
      loading={isPreparing}
      disabled={visits === 0 || attendance.data === undefined}
    >
      {t('print')}
    </Button>
  );
}
