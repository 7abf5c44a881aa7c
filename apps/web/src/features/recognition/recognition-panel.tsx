/** "Let the cameras recognise me": the switch, what it means, and the way on where a photo cannot be used. */
import { PHOTO_MAX_BYTES } from '@haris/contract/constants';
import type { ErrorCode } from '@haris/contract/errors';
import { type Recognition, recognitionProblemSchema } from '@haris/contract/http/recognition';
import { Alert, Button, FileButton, Group, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { IconAlertCircle, IconClock, IconPhotoPlus } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../client/api-error.ts';
import { failureText, showFailure } from '../../client/failure.ts';
import { ErrorState } from '../../ui/states.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import styles from './recognition.module.css';

/** Whose account it is, and how it is switched. What is refused rejects. */
export interface RecognitionAccount {
  state: UseQueryResult<{ recognition: Recognition }>;
  isBusy: boolean;
  /** With the photo that is to be used, or, null, the one that the account has. */
  start: (photo: File | null) => Promise<unknown>;
  /** Another photo while it is on. */
  replace: (photo: File) => Promise<unknown>;
  stop: () => Promise<unknown>;
  /** Path of the account's photo; null where it has none. */
  photo: string | null;
}

export interface RecognitionPanelProps {
  account: RecognitionAccount;
  kind: 'guardian' | 'staff';
  /** The photo by which it is done, where the account keeps one. */
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

export function RecognitionPanel({ account, kind, picture }: RecognitionPanelProps) {
  const { t } = useTranslation('recognition');
  const { state, isBusy } = account;
  const recognition = state.data?.recognition;
  const [refused, setRefused] = useState<Problem | null>(null);
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

  const isAsked = recognition.on || recognition.pending;
  const needsPhoto = kind === 'staff' && !recognition.on;
  /** Does it, and says what came of it. */
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
  function choose(photo: File) {
    if (photo.size > PHOTO_MAX_BYTES) return setRefused('payload_too_large');
    if (recognition?.on || recognition?.pending) void attempt(account.replace(photo), t('photoReplaced'));
    else begin(photo);
  }

  const problem = refused ?? recognition.problem;
  function titleOf(): string {
    if (refused === null) return t('wasSwitchedOff');
    return recognition?.on ? t('notReplaced') : t('notSwitchedOn');
  }
  return (
    <Stack gap="md">
      {needsPhoto ? (
        <div>
          <Text fw={500}>{t('switch')}</Text>
          <Text size="sm" c="dimmed" mb="md">
            {t('staff.seen')}
          </Text>
          <ChoosePhoto
            label={t('staff.start')}
            isBusy={isBusy}
            onChoose={choose}
            describedBy={facts}
            isMain
          />
        </div>
      ) : (
        <Switch
          size="md"
          label={t('switch')}
          description={t(`${kind}.seen`)}
          checked={isAsked}
          disabled={isBusy}
          onChange={() =>
            isAsked
              ? void attempt(account.stop(), t(recognition.on ? 'switchedOff' : 'takenBack'))
              : begin(null)
          }
        />
      )}
      {recognition.pending ? (
        <Alert
          color="pine"
          variant="light"
          icon={<IconClock size={20} aria-hidden />}
          title={t('waiting')}
          role="status"
        >
          <Text size="sm">{t('waitingHint')}</Text>
        </Alert>
      ) : null}
      {problem === null ? null : (
        <Alert
          color="saffron"
          variant="light"
          role="alert"
          icon={<IconAlertCircle size={20} aria-hidden />}
          title={titleOf()}
        >
          <Stack gap="sm" align="flex-start">
            <Text size="sm">{t(`problems.${problem}`)}</Text>
            <ChoosePhoto
              label={problem === 'no_photo' ? t('choosePhoto') : t('otherPhoto')}
              isBusy={isBusy}
              onChoose={choose}
            />
          </Stack>
        </Alert>
      )}
      {picture !== undefined || (isAsked && problem === null) ? (
        <Group gap="md">
          {picture}
          {isAsked && problem === null ? (
            <ChoosePhoto label={t('replacePhoto')} isBusy={isBusy} onChoose={choose} />
          ) : null}
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
        // The same file may be chosen again.
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
