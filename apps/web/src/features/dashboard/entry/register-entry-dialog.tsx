/** Register Child Entry (spec §2): type two letters, tick children of the matching family, press Enter. */
import { Loader, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../ui/dialog.tsx';
import { useLoaded } from '../../../ui/load-again.ts';
import type { PhotoDialogComponent } from './photo-dialog.ts';
import type { EntryOptions } from './use-entry.ts';

async function loadForm() {
  return (await import('./register-entry-form.tsx')).RegisterEntryForm;
}

export interface RegisterEntryDialogProps extends Omit<EntryOptions, 'onDone'> {
  opened: boolean;
  onClose: () => void;
  PhotoDialog: PhotoDialogComponent | null;
}

export function RegisterEntryDialog({
  opened,
  onClose,
  start,
  onPrint,
  PhotoDialog,
}: RegisterEntryDialogProps) {
  const { t } = useTranslation(['dashboard', 'common']);
  // Loaded after the dashboard renders and before anybody opens the dialog, because the combobox is large.
  const RegisterEntryForm = useLoaded(loadForm);
  return (
    <Dialog opened={opened} onClose={onClose} title={t('entry.title')} hasFoot>
      {RegisterEntryForm === null ? (
        <Stack align="center" py="xl" role="status" aria-label={t('common:loading')}>
          <Loader />
        </Stack>
      ) : (
        <RegisterEntryForm start={start} onDone={onClose} onPrint={onPrint} PhotoDialog={PhotoDialog} />
      )}
    </Dialog>
  );
}
