/** The photos of a child's face: how many there are, one more, and the removal of a further one. */
import { PHOTOS_PER_CHILD } from '@haris/contract/constants';
import { sheetRoutes } from '@haris/contract/http/sheets';
import type { Child } from '@haris/contract/objects';
import { ActionIcon, Button, Text } from '@mantine/core';
import { IconCameraPlus, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { keys } from '../../../calls/query-client.ts';
import { momentFormat } from '../../../i18n/locale.ts';
import { useMay } from '../../../session/may.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { notifySuccess } from '../../../ui/toast.ts';
import { Section } from './section.tsx';
import classes from './sheet.module.css';

export interface FacePhoto {
  readonly _id: string;
  readonly addedAt: string;
}

export interface PhotosPartProps {
  child: Child;
  /** Oldest first: the first is the displayed one. */
  photos: readonly FacePhoto[];
  onAdd: () => void;
}

export function PhotosPart({ child, photos, onAdd }: PhotosPartProps) {
  const { t, i18n } = useTranslation('child');
  const day = momentFormat(i18n.language, { dateStyle: 'medium' });
  const client = useQueryClient();
  const mayEdit = useMay()('families.edit');
  const [doomed, setDoomed] = useState<FacePhoto | null>(null);
  const remove = useMutation({
    mutationFn: (photo: FacePhoto) =>
      call(sheetRoutes.removeChildPhoto, { params: { id: child._id, photoId: photo._id } }),
    onSuccess: () => notifySuccess(t('photos.removed')),
    onError: (error) => showFailure(error),
    onSettled: () => {
      setDoomed(null);
      void client.invalidateQueries({ queryKey: [keys.children] });
    },
  });
  return (
    <Section
      title={t('photos.title', { present: photos.length, most: PHOTOS_PER_CHILD })}
      action={
        mayEdit && photos.length < PHOTOS_PER_CHILD ? (
          <Button
            size="compact-md"
            fz="sm"
            variant="light"
            leftSection={<IconCameraPlus size={17} aria-hidden />}
            onClick={onAdd}
          >
            {t('photos.add')}
          </Button>
        ) : null
      }
    >
      <Text size="xs" c="dimmed">
        {t('photos.hint')}
      </Text>
      {photos.length < 2 ? null : (
        <ul className={classes.list}>
          {photos.slice(1).map((photo) => (
            <li key={photo._id} className={classes.person}>
              <Text size="sm" className={classes.who}>
                {t('photos.addedOn', { date: day.format(new Date(photo.addedAt)) })}
              </Text>
              {mayEdit ? (
                <ActionIcon
                  size={36}
                  variant="subtle"
                  color="clay"
                  aria-label={t('photos.removeOf', { date: day.format(new Date(photo.addedAt)) })}
                  onClick={() => setDoomed(photo)}
                >
                  <IconTrash size={18} aria-hidden />
                </ActionIcon>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      <ConfirmDialog
        opened={doomed !== null}
        onClose={() => setDoomed(null)}
        onConfirm={() => doomed !== null && remove.mutate(doomed)}
        title={t('photos.removeTitle')}
        confirmLabel={t('photos.remove')}
        busy={remove.isPending}
        dangerous
      >
        {t('photos.removeText')}
      </ConfirmDialog>
    </Section>
  );
}
