/** "Add Child": a name, perhaps the birth date, a photo of the face, save (spec §2, §4, §7). */

import { Box, Button, Stack, TextInput } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { ApiError } from '../../calls/api-error.ts';
import { failureText } from '../../calls/failure.ts';
import { useUnkeptInput } from '../../forms/use-draft.ts';
import { homePath } from '../../session/paths.ts';
import { useSession } from '../../session/session.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { notifyError, notifySuccess } from '../../ui/toast.ts';
import { useLock } from '../../ui/use-lock.ts';
import styles from './add-child.module.css';
import { useSaveChild } from './api.ts';
import { CandidatesDialog, LookalikesDialog } from './candidates-dialog.tsx';
import { useFacilityOfChild } from './facility-choice.tsx';
import { FirstChildHint } from './first-child-hint.tsx';
import { MoreAngles } from './more-angles.tsx';
import { PhotoStep } from './photo-step.tsx';
import type { Photo } from './picture.ts';
import { useFindings } from './use-findings.ts';
import { usePhoto } from './use-photo.ts';
import { usePhotos } from './use-photos.ts';
import { useTypedFields } from './use-typed-fields.ts';

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
  const [photo, setPhoto] = usePhoto();
  const more = usePhotos();
  const { check, showRefused, ...typed } = useTypedFields(parentId);
  useUnkeptInput(photo !== null);
  const { refusal, candidates, adults, lookalikes, ...findings } = useFindings();
  // After a success the button stays disabled until the screen is gone, so that a double tap cannot create two
  // children.
  const isLocked = save.isPending || save.isSuccess;

  const onFailure = (error: Error) => {
    lock.release();
    if (error instanceof ApiError && error.candidates.length + error.adults.length > 0)
      return findings.ask(error);
    findings.refuse(error);
    if (error instanceof ApiError) showRefused(error.fields);
  };

  /** Saves the child; `confirm` saves even though the face resembles a known one. */
  const submit = (confirm: boolean) => {
    const checked = check();
    if (checked === null || photo === null || !lock.take()) return;
    save.mutate(
      { parentId, ...checked, photo, more: more.photos, facilityId: facility.chosen, confirm },
      {
        onSuccess: (saved) => {
          notifySuccess(t('success'));
          for (const failure of saved.failures)
            notifyError(t('angles.notAdded', { reason: failureText(failure) }));
          findings.forgetCandidates();
          if (saved.lookalikes === undefined || saved.lookalikes.length === 0) goBack();
          else findings.showLookalikes(saved.lookalikes);
        },
        onError: onFailure,
      },
    );
  };

  return {
    ...typed,
    photo,
    more,
    refusal,
    takePhoto(next: Photo | null) {
      setPhoto(next);
      findings.forgetRefusal();
      // They may show the child that was before the camera first.
      more.clear();
    },
    candidates,
    adults,
    lookalikes,
    forgetCandidates: findings.forgetCandidates,
    isSaving: save.isPending,
    isLocked,
    facilityChoice: facility.choice,
    canSave:
      typed.name.trim() !== '' && photo !== null && refusal === null && !facility.isMissing && !isLocked,
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
