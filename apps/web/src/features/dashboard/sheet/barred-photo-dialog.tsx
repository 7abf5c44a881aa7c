/** The photo of somebody who must not pick up the child. */
import { type BarredAdult, barredRoutes } from '@haris/contract/http/barred';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../calls/http.ts';
import { keys, refetchStale } from '../../../calls/query-client.ts';
import { PersonPhotoDialog } from '../../../photos/person-photo-dialog.tsx';

export interface BarredPhotoDialogProps {
  adult: BarredAdult;
  opened: boolean;
  onClose: () => void;
}

export function BarredPhotoDialog({ adult, ...dialog }: BarredPhotoDialogProps) {
  const { t } = useTranslation('barred');
  const client = useQueryClient();
  return (
    <PersonPhotoDialog
      {...dialog}
      person={adult}
      title={t('photo.title', { name: adult.name })}
      hint={t('photo.hint')}
      effect={t('photo.effect')}
      onSet={(id, form) => call(barredRoutes.setBarredPhoto, { params: { id }, form })}
      onRemove={(id) => call(barredRoutes.removeBarredPhoto, { params: { id } })}
      onSettled={() => refetchStale(client, [keys.barred])}
    />
  );
}
