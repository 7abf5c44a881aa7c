/** The photo of somebody who may pick up a child. */
import { type Collector, collectorRoutes } from '@haris/contract/http/collectors';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../calls/http.ts';
import { PersonPhotoDialog } from '../photos/person-photo-dialog.tsx';
import { refreshCollectors } from './queries.ts';

export interface CollectorPhotoDialogProps {
  /** Null while the dialog is closed. */
  collector: Collector | null;
  opened: boolean;
  onClose: () => void;
}

export function CollectorPhotoDialog({ collector, ...dialog }: CollectorPhotoDialogProps) {
  const { t } = useTranslation('collectors');
  const client = useQueryClient();
  return (
    <PersonPhotoDialog
      {...dialog}
      person={collector}
      title={t('photo.title', { name: collector?.name ?? '' })}
      hint={t('photo.hint')}
      effect={t('photo.reset')}
      onSet={(id, form) => call(collectorRoutes.setCollectorPhoto, { params: { id }, form })}
      onRemove={(id) => call(collectorRoutes.removeCollectorPhoto, { params: { id } })}
      onSettled={() => refreshCollectors(client)}
    />
  );
}
