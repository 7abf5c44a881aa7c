/** Offers further photos of a new child, each from another angle: with several photos cameras know a child better. */
import { Button, CloseButton, Group, Stack, Text } from '@mantine/core';
import { IconCameraPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './more-angles.module.css';
import { PhotoStep } from './photo-step.tsx';
import type { Photo } from './picture.ts';

/** What the person is asked for, in this order. */
const ANGLES = ['left', 'right'] as const;

export interface MoreAnglesProps {
  photos: readonly Photo[];
  onAdd: (photo: Photo) => void;
  onDrop: (photo: Photo) => void;
  /** True while the child is being saved; disables all changes. */
  isLocked: boolean;
}

export function MoreAngles({ photos, onAdd, onDrop, isLocked }: MoreAnglesProps) {
  const { t } = useTranslation('add-child');
  const [isOpen, setOpen] = useState(false);
  const angle = ANGLES[photos.length];
  return (
    <Stack gap="xs" align="center">
      <Text size="sm" c="dimmed" ta="center">
        {t('angles.lead')}
      </Text>
      {photos.length === 0 ? null : (
        <ul className={styles.list}>
          {photos.map((photo, i) => (
            <li key={photo.url} className={styles.taken}>
              <img src={photo.url} alt={t('angles.taken', { number: i + 1 })} className={styles.picture} />
              <CloseButton
                className={styles.drop ?? ''}
                radius="xl"
                variant="default"
                aria-label={t('angles.drop', { number: i + 1 })}
                onClick={() => onDrop(photo)}
                disabled={isLocked}
              />
            </li>
          ))}
        </ul>
      )}
      {angle === undefined ? null : (
        <Button
          variant="light"
          leftSection={<IconCameraPlus size={18} aria-hidden />}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
          disabled={isLocked}
        >
          {t('angles.add')}
        </Button>
      )}
      <Dialog
        opened={isOpen && angle !== undefined}
        onClose={() => setOpen(false)}
        title={t('angles.add')}
        size="lg"
      >
        {angle === undefined ? null : (
          <AngleForm
            lead={t(`angles.${angle}`)}
            onUse={(photo) => {
              onAdd(photo);
              setOpen(false);
            }}
          />
        )}
      </Dialog>
    </Stack>
  );
}

function AngleForm({ lead, onUse }: { lead: string; onUse: (photo: Photo) => void }) {
  const { t } = useTranslation('add-child');
  const [photo, setPhoto] = useState<Photo | null>(null);
  return (
    <Stack gap="md">
      <Text>{lead}</Text>
      <PhotoStep
        photo={photo}
        onPhoto={(next) => {
          if (photo !== null) URL.revokeObjectURL(photo.url);
          setPhoto(next);
        }}
        refusal={null}
        isLocked={false}
      />
      <Group justify="flex-end">
        <Button disabled={photo === null} onClick={() => photo !== null && onUse(photo)}>
          {t('angles.use')}
        </Button>
      </Group>
    </Stack>
  );
}
