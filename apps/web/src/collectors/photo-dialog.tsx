/** The photo of somebody who may pick up a child: taken with the camera or chosen, replaced, or removed. */
import { PHOTO_MAX_BYTES } from '@haris/contract/constants';
import { type Collector, collectorRoutes } from '@haris/contract/http/collectors';
import { Button, Stack, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../calls/failure.ts';
import { call } from '../calls/http.ts';
import { PhotoField } from '../forms/photo-field.tsx';
import { Photo } from '../photos/photo.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormButtons } from '../ui/form-buttons.tsx';
import { notifySuccess } from '../ui/toast.ts';
import { refreshCollectors } from './queries.ts';

export interface CollectorPhotoDialogProps {
  /** Null while the dialog is closed. */
  collector: Collector | null;
  opened: boolean;
  onClose: () => void;
}

export function CollectorPhotoDialog({ collector, opened, onClose }: CollectorPhotoDialogProps) {
  const { t } = useTranslation('collectors');
  return (
    <Dialog
      opened={opened && collector !== null}
      onClose={onClose}
      title={t('photo.title', { name: collector?.name ?? '' })}
    >
      {collector === null ? null : <PhotoForm key={collector._id} collector={collector} onDone={onClose} />}
    </Dialog>
  );
}

function PhotoForm({ collector, onDone }: { collector: Collector; onDone: () => void }) {
  const { t } = useTranslation(['collectors', 'common']);
  const client = useQueryClient();
  const [photo, setPhoto] = useState<File | null>(null);
  const { _id: id, name } = collector;
  const change = useMutation({
    mutationFn: (next: File | null) => {
      if (next === null) return call(collectorRoutes.removeCollectorPhoto, { params: { id } });
      const form = new FormData();
      form.append('photo', next);
      return call(collectorRoutes.setCollectorPhoto, { params: { id }, form });
    },
    onSuccess: (_, next) => {
      notifySuccess(t(next === null ? 'photo.removed' : 'saved'));
      onDone();
    },
    onError: (error) => showFailure(error),
    onSettled: () => refreshCollectors(client),
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (change.isPending) return;
        if (photo === null) onDone();
        else change.mutate(photo);
      }}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('photo.hint')}
        </Text>
        <PhotoField
          photo={photo}
          onChange={setPhoto}
          label={t('photo.label')}
          current={
            collector.photo === null ? null : (
              <span aria-hidden="true">
                <Photo path={collector.photo} name={name} size={64} isEager />
              </span>
            )
          }
          maxBytes={PHOTO_MAX_BYTES}
          hasCamera
        />
        {collector.photo === null ? null : (
          <div data-wraps>
            <Button
              variant="subtle"
              color="clay"
              leftSection={<IconTrash size={18} aria-hidden />}
              disabled={change.isPending}
              onClick={() => change.mutate(null)}
            >
              {t('photo.remove')}
            </Button>
          </div>
        )}
        <Text size="sm" c="dimmed">
          {t('photo.reset')}
        </Text>
        <FormButtons
          cancel={t('common:cancel')}
          submit={t('form.save')}
          onCancel={onDone}
          isBusy={change.isPending}
        />
      </Stack>
    </form>
  );
}
