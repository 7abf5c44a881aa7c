/** "Add Child": a name, perhaps the birth date, a photo of the face, save (spec §2, §4, §7). */

import type { AdultCandidate, FaceCandidate } from '@haris/contract/errors';
import { birthDateSchema, nameSchema } from '@haris/contract/fields';
import { Box, Button, Stack, TextInput } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import * as z from 'zod/mini';
import { ApiError } from '../../calls/api-error.ts';
import { failureText, localizeSentence, showFailure } from '../../calls/failure.ts';
import { useDraft, useUnkeptInput } from '../../forms/use-draft.ts';
import { homePath } from '../../session/paths.ts';
import { useSession } from '../../session/session.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { notifyError, notifySuccess } from '../../ui/toast.ts';
import { useLock } from '../../ui/use-lock.ts';
import { photoRefusalOf } from './about-photo.ts';
import styles from './add-child.module.css';
import { useSaveChild } from './api.ts';
import { CandidatesDialog, LookalikesDialog } from './candidates-dialog.tsx';
import { useFacilityOfChild } from './facility-choice.tsx';
import { FirstChildHint } from './first-child-hint.tsx';
import { MoreAngles } from './more-angles.tsx';
import { PhotoStep } from './photo-step.tsx';
import type { Photo } from './picture.ts';
import { usePhoto } from './use-photo.ts';
import { usePhotos } from './use-photos.ts';

/** Parent of the new child: the one in the address, else the signed-in parent. */
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

/** Goes back to the previous page, or home when this page was opened by its address. */
function useGoBack(): () => void {
  const navigate = useNavigate();
  const { admin } = useSession();
  return () => {
    const cameFromHere = Number(history.state?.idx ?? 0) > 0;
    void (cameFromHere ? navigate(-1) : navigate(homePath(admin.isAuthenticated ? 'admin' : 'parent')));
  };
}

/** State of the new child: name, photo, saving, and the dialogs before and after. */
function useNewChild(parentId: string, goBack: () => void) {
  const { t } = useTranslation('add-child');
  const save = useSaveChild();
  const facility = useFacilityOfChild();
  const lock = useLock();
  const [name, setName] = useState('');
  const [nameError, setNameError] = useState<string | null>(null);
  const [birthDate, setBirthDate] = useState('');
  const [birthDateError, setBirthDateError] = useState<string | null>(null);
  const [photo, setPhoto] = usePhoto();
  const more = usePhotos();
  useDraft(
    { key: `add-child:${parentId}`, fields: { name: z.string(), birthDate: z.string() } },
    {
      now: () => ({ name, birthDate }),
      before: () => ({ name: '', birthDate: '' }),
      restore(typed) {
        if (typed.name !== undefined) setName(typed.name);
        if (typed.birthDate !== undefined) setBirthDate(typed.birthDate);
      },
    },
  );
  useUnkeptInput(photo !== null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [candidates, setCandidates] = useState<readonly FaceCandidate[] | null>(null);
  const [adults, setAdults] = useState<readonly AdultCandidate[]>([]);
  const [lookalikes, setLookalikes] = useState<readonly FaceCandidate[] | null>(null);
  // After a success the button stays disabled until the screen is gone, so that a double tap cannot create two
  // children.
  const isLocked = save.isPending || save.isSuccess;

  const onFailure = (error: Error) => {
    lock.release();
    if (error instanceof ApiError && error.candidates.length + error.adults.length > 0) {
      setAdults(error.adults);
      return setCandidates(error.candidates);
    }
    setCandidates(null);
    // The notice is the specification's; it is gone after seconds, the sentence at the photo stays.
    showFailure(error);
    setRefusal(photoRefusalOf(error));
    if (!(error instanceof ApiError)) return;
    const { name: ofName, childName: ofChildName, birthDate: ofBirthDate } = error.fields;
    const atName = ofName ?? ofChildName;
    if (atName !== undefined) setNameError(localizeSentence(atName));
    if (ofBirthDate !== undefined) setBirthDateError(localizeSentence(ofBirthDate));
  };

  /** Saves the child; `confirm` saves even though the face resembles a known one. */
  const submit = (confirm: boolean) => {
    const checked = nameSchema.safeParse(name);
    const born = birthDateSchema.safeParse(birthDate);
    if (!checked.success) setNameError(localizeSentence(checked.error.issues[0]?.message ?? ''));
    if (!born.success) setBirthDateError(localizeSentence(born.error.issues[0]?.message ?? ''));
    if (!checked.success || !born.success) return;
    if (photo === null || !lock.take()) return;
    save.mutate(
      {
        parentId,
        name: checked.data,
        birthDate: born.data,
        photo,
        more: more.photos,
        facilityId: facility.chosen,
        confirm,
      },
      {
        onSuccess: (saved) => {
          notifySuccess(t('success'));
          for (const failure of saved.failures)
            notifyError(t('angles.notAdded', { reason: failureText(failure) }));
          setCandidates(null);
          if (saved.lookalikes === undefined || saved.lookalikes.length === 0) goBack();
          else setLookalikes(saved.lookalikes);
        },
        onError: onFailure,
      },
    );
  };

  return {
    name,
    nameError,
    changeName(next: string) {
      setName(next);
      setNameError(null);
    },
    birthDate,
    birthDateError,
    changeBirthDate(next: string) {
      setBirthDate(next);
      setBirthDateError(null);
    },
    photo,
    more,
    /** The server's reason for refusing the photo. */
    refusal,
    takePhoto(next: Photo | null) {
      setPhoto(next);
      setRefusal(null);
      // They may show the child that was before the camera first.
      more.clear();
    },
    candidates,
    adults,
    lookalikes,
    forgetCandidates: () => setCandidates(null),
    isSaving: save.isPending,
    isLocked,
    facilityChoice: facility.choice,
    canSave: name.trim() !== '' && photo !== null && refusal === null && !facility.isMissing && !isLocked,
    submit,
  };
}

export default function AddChildScreen() {
  const { t } = useTranslation('add-child');
  const target = useTargetParent();
  const { admin } = useSession();
  const goBack = useGoBack();
  const child = useNewChild(target.id, goBack);
  const { photo } = child;
  const formId = useId();

  return (
    <Page
      title={t('title')}
      description={target.name === null ? t('lead') : t('leadFor', { name: target.name })}
      size={760}
    >
      <form
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (child.canSave) child.submit(false);
        }}
      >
        <Card>
          <Stack gap="lg">
            <TextInput
              label={t('name')}
              autoComplete="off"
              dir="auto"
              value={child.name}
              error={child.nameError}
              onChange={(event) => child.changeName(event.currentTarget.value)}
            />
            <TextInput
              type="date"
              label={t('birthDate')}
              description={t('birthDateHint')}
              autoComplete="off"
              value={child.birthDate}
              error={child.birthDateError}
              onChange={(event) => child.changeBirthDate(event.currentTarget.value)}
            />
            {child.facilityChoice}
            <PhotoStep
              photo={photo}
              onPhoto={child.takePhoto}
              refusal={child.refusal}
              isLocked={child.isLocked}
            />
            {photo === null ? null : (
              <MoreAngles
                photos={child.more.photos}
                onAdd={child.more.add}
                onDrop={child.more.drop}
                isLocked={child.isLocked}
              />
            )}
          </Stack>
        </Card>
      </form>
      {/* Below the camera, and outside the form, because it has one of its own. */}
      {admin.isAuthenticated && target.id !== '' ? <FirstChildHint parentId={target.id} /> : null}
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
        <Button type="submit" form={formId} disabled={!child.canSave} className={styles.save} size="md">
          {child.isSaving ? t('saving') : t('save')}
        </Button>
      </Box>
      <CandidatesDialog
        candidates={child.candidates}
        adults={child.adults}
        name={child.name.trim()}
        photoUrl={photo?.url}
        isBusy={child.isSaving}
        onCancel={child.forgetCandidates}
        onConfirm={() => child.submit(true)}
      />
      <LookalikesDialog lookalikes={child.lookalikes} onClose={goBack} />
    </Page>
  );
}
