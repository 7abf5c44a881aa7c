/**
 * Takes a photo of a registered child: staff a new one instead of the displayed photo, or a further one of the face; a
 * parent either, which waits for staff.
 */
import type { AdultCandidate, FaceCandidate } from '@haris/contract/errors';
import { childRoutes } from '@haris/contract/http/children';
import type { Child } from '@haris/contract/objects';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../calls/api-error.ts';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys, refetchStale } from '../../calls/query-client.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { useLock } from '../../ui/use-lock.ts';
import { photoRefusalOf } from './about-photo.ts';
import { CandidatesDialog } from './candidates-dialog.tsx';
import { PhotoStep } from './photo-step.tsx';
import type { Photo } from './picture.ts';
import { usePhoto } from './use-photo.ts';

/** Timeout that allows for uploading a photo from a phone. Milliseconds. */
const UPLOAD_TIMEOUT_MS = 60_000;

export interface ChildPhotoDialogProps {
  opened: boolean;
  child: Child;
  /**
   * `replace`: staff replace the displayed photo, which drops all others; `add`: one more photo of the face; `send`: a
   * parent sends a photo of the own child; `further`: a parent sends one more photo.
   */
  purpose: 'replace' | 'add' | 'send' | 'further';
  /** Called once the photo is stored, before `onClose`. */
  onSaved?: () => void;
  onClose: () => void;
}

function send(child: Child, purpose: ChildPhotoDialogProps['purpose'], photo: Photo, confirm: boolean) {
  const form = new FormData();
  if (confirm) form.append('confirm', 'true');
  // Staff who photograph the child know who it is, which confirms the name that they see.
  if (purpose === 'replace' && child.unconfirmed?.includes('name')) form.append('name', child.name);
  // The photo goes last, so that the server has parsed the fields when the file begins.
  form.append('photo', photo.blob, photo.fileName);
  const input = { params: { id: child._id }, form, timeoutMs: UPLOAD_TIMEOUT_MS };
  return purpose === 'add' || purpose === 'further'
    ? call(childRoutes.addChildPhoto, input)
    : call(childRoutes.updateChild, input);
}

export function ChildPhotoDialog({ opened, ...form }: ChildPhotoDialogProps) {
  const { t } = useTranslation('child');
  return (
    <Dialog opened={opened} onClose={form.onClose} title={t(`photo.${form.purpose}`)} size="lg">
      <ChildPhotoForm {...form} />
    </Dialog>
  );
}

function ChildPhotoForm({ child, purpose, onSaved, onClose }: Omit<ChildPhotoDialogProps, 'opened'>) {
  const { t } = useTranslation(['child', 'common']);
  const client = useQueryClient();
  const lock = useLock();
  const [photo, setPhoto] = usePhoto();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [alike, setAlike] = useState<{
    candidates: readonly FaceCandidate[];
    adults: readonly AdultCandidate[];
  } | null>(null);
  const save = useMutation({
    mutationFn: ({ taken, confirm }: { taken: Photo; confirm: boolean }) =>
      send(child, purpose, taken, confirm),
    onSuccess: () => {
      notifySuccess(t(`photo.${purpose}Done`));
      void refetchStale(client, [keys.session, keys.children, keys.parents]);
      onSaved?.();
      onClose();
    },
    onError: (error) => {
      if (error instanceof ApiError && error.candidates.length + error.adults.length > 0)
        return setAlike({ candidates: error.candidates, adults: error.adults });
      setAlike(null);
      showFailure(error);
      setRefusal(photoRefusalOf(error));
    },
    onSettled: lock.release,
  });

  function submit(confirm: boolean) {
    if (photo !== null && lock.take()) save.mutate({ taken: photo, confirm });
  }

  return (
    <Stack gap="md">
      <Text size="sm">{t(`photo.${purpose}Lead`, { name: child.name })}</Text>
      <PhotoStep
        photo={photo}
        onPhoto={(next) => {
          setPhoto(next);
          setRefusal(null);
        }}
        refusal={refusal}
        isLocked={save.isPending}
      />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose} disabled={save.isPending}>
          {t('common:cancel')}
        </Button>
        <Button
          onClick={() => submit(false)}
          disabled={photo === null || refusal !== null}
          loading={save.isPending}
        >
          {t('photo.save')}
        </Button>
      </Group>
      <CandidatesDialog
        question={{
          title: t('photo.alikeTitle'),
          text: t('photo.alikeText'),
          confirm: t('photo.alikeConfirm'),
        }}
        candidates={alike?.candidates ?? null}
        adults={alike?.adults ?? []}
        name={child.name}
        photoUrl={photo?.url}
        isBusy={save.isPending}
        onCancel={() => setAlike(null)}
        onConfirm={() => submit(true)}
      />
    </Stack>
  );
}
