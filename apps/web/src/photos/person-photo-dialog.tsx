/** The photo of an adult without an account: taken with the camera or chosen, replaced, or removed. */
import { PHOTO_MAX_BYTES } from '@haris/contract/constants';
import { Button, Stack, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../calls/failure.ts';
import { PhotoField } from '../forms/photo-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormButtons } from '../ui/form-buttons.tsx';
import { notifySuccess } from '../ui/toast.ts';
import { Photo } from './photo.tsx';

interface Person {
  readonly _id: string;
  readonly name: string;
  readonly photo: string | null;
}

export interface PersonPhotoDialogProps {
  /** Null while the dialog is closed. */
  person: Person | null;
  opened: boolean;
  onClose: () => void;
  title: string;
  /** Above the field: what the photo is for. */
  hint: string;
  /** Below it: what a change does. */
  effect: string;
  /** `form` has the field `photo`. */
  onSet: (id: string, form: FormData) => Promise<unknown>;
  onRemove: (id: string) => Promise<unknown>;
  /** After a change, also one that failed: reads the lists with this person again. */
  onSettled: () => Promise<void>;
}

export function PersonPhotoDialog({ person, opened, onClose, title, ...form }: PersonPhotoDialogProps) {
  return (
    <Dialog opened={opened && person !== null} onClose={onClose} title={title}>
      {person === null ? null : <PhotoForm {...form} key={person._id} person={person} onDone={onClose} />}
    </Dialog>
  );
}

interface PhotoFormProps extends Omit<PersonPhotoDialogProps, 'person' | 'opened' | 'onClose' | 'title'> {
  person: Person;
  onDone: () => void;
}

function PhotoForm({ person, hint, effect, onSet, onRemove, onSettled, onDone }: PhotoFormProps) {
  const { t } = useTranslation(['photo-field', 'common']);
  const [photo, setPhoto] = useState<File | null>(null);
  const { _id: id, name, photo: path } = person;
  const change = useMutation({
    mutationFn: (next: File | null) => {
      if (next === null) return onRemove(id);
      const form = new FormData();
      form.append('photo', next);
      return onSet(id, form);
    },
    onSuccess: (_, next) => {
      notifySuccess(t(next === null ? 'person.removed' : 'person.saved'));
      onDone();
    },
    onError: (error) => showFailure(error),
    onSettled,
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
          {hint}
        </Text>
        <PhotoField
          photo={photo}
          onChange={setPhoto}
          label={t('person.label')}
          current={
            path === null ? null : (
              <span aria-hidden="true">
                <Photo path={path} name={name} size={64} isEager />
              </span>
            )
          }
          maxBytes={PHOTO_MAX_BYTES}
          hasCamera
        />
        {path === null ? null : (
          <div data-wraps>
            <Button
              variant="subtle"
              color="clay"
              leftSection={<IconTrash size={18} aria-hidden />}
              disabled={change.isPending}
              onClick={() => change.mutate(null)}
            >
              {t('remove')}
            </Button>
          </div>
        )}
        <Text size="sm" c="dimmed">
          {effect}
        </Text>
        <FormButtons
          cancel={t('common:cancel')}
          submit={t('person.save')}
          onCancel={onDone}
          isBusy={change.isPending}
        />
      </Stack>
    </form>
  );
}
