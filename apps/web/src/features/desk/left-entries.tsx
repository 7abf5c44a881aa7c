/** Says on a tablet that is not paired any more that it still has entries: only a new pairing delivers them. */
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useWaitingEntries } from '../../desk-entries/use-entries.ts';
import { loadWritten } from '../../desk-entries/written.ts';
import tablet from '../../tablet/tablet.module.css';

/** Renders nothing if the server has all of them. */
export function LeftEntries() {
  const { t } = useTranslation('desk');
  const { count, refused } = useWaitingEntries();
  useEffect(() => {
    // Where the browser refuses, none were written.
    void loadWritten().catch(() => {});
  }, []);
  const left = count + refused;
  return left === 0 ? null : (
    <p role="status" className={tablet.lead}>
      {t('entries.left', { count: left })}
    </p>
  );
}
