/** How many entries of this desk tablet wait to be sent, or are being sent. The caller gives the live region. */
import { useTranslation } from 'react-i18next';
import { useWaitingEntries } from '../../desk-entries/use-entries.ts';

/** Renders nothing once all are sent. */
export function EntriesWords({ isCut }: { isCut: boolean }) {
  const { t } = useTranslation('desk');
  const { count, refused } = useWaitingEntries();
  return (
    <>
      {count === 0 ? null : (
        <span>{isCut ? t('entries.waiting', { count }) : t('entries.sending', { count })}</span>
      )}
      {refused === 0 ? null : <span>{t('entries.refused', { count: refused })}</span>}
    </>
  );
}
