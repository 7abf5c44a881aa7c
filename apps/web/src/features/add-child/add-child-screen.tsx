/** "Add Child": a name, a photo of the face, save (spec §2, §4, §7). */

import type { AdultCandidate, FaceCandidate } from '@haris/contract/errors';
import { nameSchema } from '@haris/contract/fields';
import { Box, Button, Stack, TextInput } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { ApiError } from '../../client/api-error.ts';
import { failureText, localizeSentence, showFailure } from '../../client/failure.ts';
import { homePath } from '../../client/paths.ts';
import { useSession } from '../../client/session.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { useLock } from '../../ui/use-lock.ts';
import styles from './add-child.module.css';
import { useSaveChild } from './api.ts';
import { CandidatesDialog, LookalikesDialog } from './candidates-dialog.tsx';
import { FirstChildNotice } from './first-child-notice.tsx';
import { PhotoStep } from './photo-step.tsx';
import type { Photo } from './picture.ts';

/** Whose child it will be: the parent that the query names, else the signed-in parent's own. */
function useTargetParent(): { id: string; name: string | null } {
  const [query] = useSearchParams();
  const { parent } = useSession();
  const { state } = useLocation();
  const given: unknown = state?.parentName;
  return {
    id: query.get('parentId') ?? parent.identity?._id ?? '',
    name: typeof given === 'string' ? given : null,
  };
}

/** Back to where the person came from, or home when this page was opened by its address. */
function useGoBack(): () => void {
  const navigate = useNavigate();
  const { admin } = useSession();
  return () => {
    const cameFromHere = Number(history.state?.idx ?? 0) > 0;
    void (cameFromHere ? navigate(-1) : navigate(homePath(admin.isAuthenticated ? 'admin' : 'parent')));
  };
}

/** The photo, whose memory is given back when it is replaced or the screen is left. */
function usePhoto() {
  const [photo, setPhoto] = useState<Photo | null>(null);
  useEffect(() => () => URL.revokeObjectURL(photo?.url ?? ''), [photo]);
  return [photo, setPhoto] as const;
}

/** Failures that a new photo can solve are shown at the photo. */
function isAboutPhoto(error: ApiError): boolean {
  return error.status === 422 || error.status === 415 || error.status === 413;
}

export default function AddChildScreen() {
  const { t } = useTranslation('add-child');
  const target = useTargetParent();
  const { admin } = useSession();
  const goBack = useGoBack();
  const save = useSaveChild();
  const lock = useLock();
  const [name, setName] = useState('');
  const [nameError, setNameError] = useState<string | null>(null);
  const [photo, setPhoto] = usePhoto();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [candidates, setCandidates] = useState<readonly FaceCandidate[] | null>(null);
  const [adults, setAdults] = useState<readonly AdultCandidate[]>([]);
  const [lookalikes, setLookalikes] = useState<readonly FaceCandidate[] | null>(null);
  // After success the button stays shut until the screen is gone: a double tap must not make two children.
  const isLocked = save.isPending || save.isSuccess;
  const canSave = name.trim() !== '' && photo !== null && !isLocked;

  const takePhoto = (next: Photo | null) => {
    setPhoto(next);
    setRefusal(null);
  };

  const onFailure = (error: Error) => {
    lock.release();
    if (error instanceof ApiError && error.candidates.length + error.adults.length > 0) {
      setAdults(error.adults);
      return setCandidates(error.candidates);
    }
    showFailure(error);
    setCandidates(null);
    if (!(error instanceof ApiError)) return;
    if (isAboutPhoto(error)) setRefusal(failureText(error));
    const { name: ofName, childName: ofChildName } = error.fields;
    const atName = ofName ?? ofChildName;
    if (atName !== undefined) setNameError(localizeSentence(atName));
  };

  const submit = (confirm: boolean) => {
    const checked = nameSchema.safeParse(name);
    if (!checked.success) {
      setNameError(localizeSentence(checked.error.issues[0]?.message ?? ''));
      return;
    }
    if (photo === null || !lock.take()) return;
    save.mutate(
      { parentId: target.id, name: checked.data, photo, confirm },
      {
        onSuccess: (saved) => {
          notifySuccess(t('success'));
          setCandidates(null);
          if (saved.lookalikes === undefined || saved.lookalikes.length === 0) goBack();
          else setLookalikes(saved.lookalikes);
        },
        onError: onFailure,
      },
    );
  };

  return (
    <Page
      title={t('title')}
      description={target.name === null ? t('lead') : t('leadFor', { name: target.name })}
      size={760}
    >
      {admin.isAuthenticated && target.id !== '' ? (
        <FirstChildNotice parentId={target.id} name={target.name} />
      ) : null}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (canSave) submit(false);
        }}
      >
        <Card>
          <Stack gap="lg">
            <TextInput
              label={t('name')}
              autoComplete="off"
              dir="auto"
              value={name}
              error={nameError}
              onChange={(event) => {
                setName(event.currentTarget.value);
                setNameError(null);
              }}
            />
            <PhotoStep photo={photo} onPhoto={takePhoto} refusal={refusal} isLocked={isLocked} />
          </Stack>
        </Card>
        <Box className={styles.actions} data-bottom-bar={photo !== null || undefined}>
          <Button
            variant="subtle"
            color="gray"
            c="dimmed"
            onClick={goBack}
            className={styles.back}
            leftSection={<IconArrowLeft size={18} className={styles.arrow} aria-hidden />}
          >
            {t('back')}
          </Button>
          <Button type="submit" disabled={!canSave} className={styles.save} size="md">
            {save.isPending ? t('saving') : t('save')}
          </Button>
        </Box>
      </form>
      <CandidatesDialog
        candidates={candidates}
        adults={adults}
        name={name.trim()}
        photoUrl={photo?.url}
        isBusy={save.isPending}
        onCancel={() => setCandidates(null)}
        onConfirm={() => submit(true)}
      />
      <LookalikesDialog lookalikes={lookalikes} onClose={goBack} />
    </Page>
  );
}
