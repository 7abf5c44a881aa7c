/** Adds somebody to the roll call by name: a visitor, or a colleague without a session. */
import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { keys } from '../../../calls/query-client.ts';
import { useOnline } from '../../../ui/use-online.ts';
import { VisitorForm } from '../../../visitors/visitor-form.tsx';
import classes from './roll-call.module.css';

export function AddPerson({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('emergency');
  const client = useQueryClient();
  const isOnline = useOnline();
  return (
    <div className={classes.adding}>
      {isOnline ? null : <Text size="sm">{t('rollCall.addOffline')}</Text>}
      <VisitorForm
        onCancel={onClose}
        onSaved={() => {
          void client.invalidateQueries({ queryKey: [keys.incidents] });
          onClose();
        }}
      />
    </div>
  );
}
