/** "Let the cameras recognise me": the switch, its explanation, and help with unusable photos. */
import { PHOTO_MAX_BYTES } from '@haris/contract/constants';
import type { ErrorCode } from '@haris/contract/errors';
import { type Recognition, recognitionProblemSchema } from '@haris/contract/http/recognition';
import { Alert, Button, FileButton, Group, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { IconAlertCircle, IconClock, IconPhotoPlus } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../calls/api-error.ts';
import { failureText, showFailure } from '../../calls/failure.ts';
import { ErrorState } from '../../ui/states.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import styles from './recognition.module.css';

/** State and calls of one account's recognition. A refused call rejects. */
export interface RecognitionAccount {
  state: UseQueryResult<{ recognition: Recognition }>;
  isBusy: boolean;
  /** Turns recognition on with the given photo, or with the account's own photo for null. */
  start: (photo: File | null) => Promise<unknown>;
  /** Replaces the photo while recognition is on. */
  replace: (photo: File) => Promise<unknown>;
  stop: () => Promise<unknown>;
  /** Path of the account's photo; null if it has none. */
  photo: string | null;
}

export interface RecognitionPanelProps {
  account: RecognitionAccount;
  kind: 'guardian' | 'staff';
  /** The photo used for recognition, if the account stores one. */
  picture?: ReactNode | undefined;
}

const PROBLEMS = [
  ...recognitionProblemSchema.options,
  'no_photo',
  'payload_too_large',
  'unsupported_media_type',
] as const satisfies readonly ErrorCode[];
type Problem = (typeof PROBLEMS)[number];

function problemOf(error: unknown): Problem | null {
  return error instanceof ApiError ? (PROBLEMS.find((code) => code === error.code) ?? null) : null;
}

/** Starts, replaces and stops recognition; keeps the problem of the last attempt. */
function useSwitch(account: RecognitionAccount, kind: RecognitionPanelProps['kind']) {
  const { t } = useTranslation('recognition');
  const [refused, setRefused] = useState<Problem | null>(null);
  const recognition = account.state.data?.recognition;
  const isAsked = recognition !== undefined && (recognition.on || recognition.pending);

  async function attempt(work: Promise<unknown>, done: string) {
    setRefused(null);
    try {
      await work;
      notifySuccess(done);
    } catch (error) {
      const problem = problemOf(error);
      setRefused(problem);
      if (problem === null) showFailure(error);
    }
  }
  function begin(photo: File | null) {
    if (photo === null && account.photo === null) return setRefused('no_photo');
    void attempt(account.start(photo), t(kind === 'guardian' ? 'asked' : 'switchedOn'));
  }
  return {
    refused,
    /** Recognition is on, or waits for confirmation by staff. */
    isAsked,
    toggle() {
      if (isAsked) void attempt(account.stop(), t(recognition.on ? 'switchedOff' : 'takenBack'));
      else begin(null);
    },
    choose(photo: File) {
      if (photo.size > PHOTO_MAX_BYTES) return setRefused('payload_too_large');
      if (isAsked) void attempt(account.replace(photo), t('photoReplaced'));
      else begin(photo);
    },
  };
}

export function RecognitionPanel({ account, kind, picture }: RecognitionPanelProps) {
  const { t } = useTranslation('recognition');
  const { state, isBusy } = account;
  const recognition = state.data?.recognition;
  const { refused, isAsked, toggle, choose } = useSwitch(account, kind);
  const facts = useId();
  if (recognition === undefined)
    return state.isError ? (
      <ErrorState
        text={failureText(state.error)}
        onRetry={() => void state.refetch()}
        busy={state.isRefetching}
      />
    ) : (
      <Skeleton height={96} mt="md" role="status" aria-label={t('loading')} />
    );

  const needsPhoto = kind === 'staff' && !recognition.on;
  const problem = refused ?? recognition.problem;
  const canReplace = isAsked && problem === null;
  const photo = { isBusy, onChoose: choose };
  return (
    <Stack gap="md">
      {needsPhoto ? (
        <div>
          <Text fw={500}>{t('switch')}</Text>
          <Text size="sm" c="dimmed" mb="md">
            {t('staff.seen')}
          </Text>
          <ChoosePhoto {...photo} label={t('staff.start')} describedBy={facts} isMain />
        </div>
      ) : (
        <Switch
          size="md"
          label={t('switch')}
          description={t(`${kind}.seen`)}
          checked={isAsked}
          disabled={isBusy}
          onChange={toggle}
        />
      )}
      {recognition.pending ? <WaitingForStaff /> : null}
      {problem === null ? null : (
        <PhotoProblem problem={problem} isRefused={refused !== null} isOn={recognition.on} photo={photo} />
      )}
      {picture !== undefined || canReplace ? (
        <Group gap="md">
          {picture}
          {canReplace ? <ChoosePhoto {...photo} label={t('replacePhoto')} /> : null}
        </Group>
      ) : null}
      <div className={styles.facts} id={facts}>
        <p>{t(`${kind}.made`)}</p>
        <p>{t(`${kind}.who`)}</p>
        <p>{t('facts.where')}</p>
        <p>{t('facts.off')}</p>
      </div>
    </Stack>
  );
}

function WaitingForStaff() {
  const { t } = useTranslation('recognition');
  return (
    <Alert
      color="pine"
      variant="light"
      icon={<IconClock size={20} aria-hidden />}
      title={t('waiting')}
      role="status"
    >
      <Text size="sm">{t('waitingHint')}</Text>
    </Alert>
  );
}

interface PhotoProblemProps {
  problem: Problem;
  /** True if the last attempt was refused; false if the server could not process an earlier photo. */
  isRefused: boolean;
  isOn: boolean;
  photo: Pick<ChoosePhotoProps, 'isBusy' | 'onChoose'>;
}

/** The reason why a photo is unusable, and a button to choose another. */
function PhotoProblem({ problem, isRefused, isOn, photo }: PhotoProblemProps) {
  const { t } = useTranslation('recognition');
  const refusal = t(isOn ? 'notReplaced' : 'notSwitchedOn');
  return (
    <Alert
      color="saffron"
      variant="light"
      role="alert"
      icon={<IconAlertCircle size={20} aria-hidden />}
      title={isRefused ? refusal : t('wasSwitchedOff')}
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{t(`problems.${problem}`)}</Text>
        <ChoosePhoto {...photo} label={problem === 'no_photo' ? t('choosePhoto') : t('otherPhoto')} />
      </Stack>
    </Alert>
  );
}

interface ChoosePhotoProps {
  label: string;
  isBusy: boolean;
  onChoose: (photo: File) => void;
  describedBy?: string;
  isMain?: boolean;
}

/** A phone offers its camera as well as its pictures. */
function ChoosePhoto({ label, isBusy, onChoose, describedBy, isMain = false }: ChoosePhotoProps) {
  const clearInput = useRef<() => void>(null);
  return (
    <FileButton
      accept="image/png,image/jpeg,image/webp"
      resetRef={clearInput}
      onChange={(file) => {
        if (file !== null) onChoose(file);
        // Allows choosing the same file again.
        clearInput.current?.();
      }}
    >
      {(props) => (
        <Button
          {...props}
          variant={isMain ? 'filled' : 'light'}
          loading={isBusy}
          leftSection={<IconPhotoPlus size={18} aria-hidden />}
          {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
        >
          {label}
        </Button>
      )}
    </FileButton>
  );
}
