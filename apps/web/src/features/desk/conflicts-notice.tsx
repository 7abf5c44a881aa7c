/** Says that what this desk tablet told later does not fit, and where staff settle it. The caller gives the live region. */
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { forgetConflicts, useEntryConflicts } from '../../desk-entries/conflicts.ts';
import { useMay } from '../../session/may.ts';

/** Renders nothing while all fits, and once somebody has closed it. */
export function ConflictsNotice() {
  const { t } = useTranslation('desk');
  const count = useEntryConflicts();
  const maySettle = useMay()('children.check_in');
  if (count === 0) return null;
  return (
    <>
      <span>{t('entries.conflicts', { count })}</span>
      {maySettle ? (
        <Link to="/deskConflicts" onClick={forgetConflicts}>
          {t('entries.settle')}
        </Link>
      ) : (
        <span>{t('entries.ask')}</span>
      )}
      <Button size="compact-md" variant="default" onClick={forgetConflicts}>
        {t('entries.seen')}
      </Button>
    </>
  );
}
