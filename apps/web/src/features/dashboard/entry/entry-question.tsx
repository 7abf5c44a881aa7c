/**
 * What staff are asked about one child of the form, in its card: whether the photo shows the child, whether it is another
 * person than those who look alike, and how a child without a photo gets one.
 */
import type { Child } from '@haris/contract/objects';
import { Button, Text } from '@mantine/core';
import { IconArrowBackUp, IconCamera, IconCheck, IconX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { AlikeRow, PhotosFailed, ProposalFaces } from '../proposals/proposal-faces.tsx';
import { useInView } from '../proposals/use-in-view.ts';
import classes from './entry.module.css';
import type { EntryFailure } from './use-register-entry.ts';

/** Side of each photo, so that two children with two photos each fit beside their answers on the narrowest phone. */
const SIDE = 'clamp(4.5rem, calc(50vw - 5.4rem), 7.5rem)';
/** Number of people shown who look alike, in the server's order: other families' children first. */
const SHOWN_ALIKE = 3;

export interface EntryQuestionProps {
  child: Child;
  /** Whether the check-in includes the child. */
  isTicked: boolean;
  /** Whether staff have to confirm the child. */
  isWaiting: boolean;
  /** Whether staff said here that this is not the child. */
  isRejected: boolean;
  mayConfirm: boolean;
  failure: EntryFailure | null;
  isBusy: boolean;
  /** Whether the family has sent something new since staff saw what waited. */
  isReplaced: boolean;
  /** Called with the revision once every photo and every change was in view. */
  onSeen: (revision: string) => void;
  /** Each new number above 0 scrolls to what was not yet in view, or leads to the open question. */
  lookRequest: number;
  onReject: () => void;
  onTakeBack: () => void;
  onTellApart: () => void;
  onTakePhoto: () => void;
}

export function EntryQuestion(props: EntryQuestionProps) {
  const { child, isTicked, isWaiting, isRejected, mayConfirm, failure } = props;
  if (isRejected) return <Rejected {...props} />;
  // Also of a child who came in meanwhile.
  if (failure !== null) return <Failed key={failure.message} {...props} failure={failure} />;
  if (!isTicked) return null;
  if (isWaiting) return <Compared {...props} />;
  return child.photo === null && mayConfirm ? <WithoutPhoto {...props} /> : null;
}

function Compared({
  child,
  mayConfirm,
  onReject,
  onTakePhoto,
  isBusy,
  isReplaced,
  onSeen,
  lookRequest,
}: EntryQuestionProps) {
  const { t } = useTranslation('dashboard');
  const revision = child.proposal?.revision ?? null;
  const faces = useInView({ revision, isReplaced, onSeen, lookRequest });
  return (
    <section className={classes.question} aria-label={t('proposals.child.titleOf', { name: child.name })}>
      <div className={classes.compared}>
        <div ref={faces}>
          <ProposalFaces of={child} side={SIDE} isDense />
        </div>
        {child.proposal !== undefined && mayConfirm ? (
          <Button
            className={classes.reject ?? ''}
            classNames={{ inner: classes.rejectInner ?? '', label: classes.rejectLabel ?? '' }}
            variant="default"
            disabled={isBusy}
            onClick={onReject}
          >
            <IconX size={20} aria-hidden />
            {t('proposals.child.reject')}
          </Button>
        ) : null}
      </div>
      {isReplaced ? (
        <Text size="sm" fw={500} role="status">
          {t('proposals.replaced')}
        </Text>
      ) : null}
      {child.proposal === undefined ? <Text size="sm">{t('proposals.child.unconfirmed')}</Text> : null}
      <PhotosFailed of={child}>{mayConfirm ? <TakePhoto onTakePhoto={onTakePhoto} /> : null}</PhotosFailed>
      {mayConfirm && child.proposal === undefined ? (
        <div className={classes.answers}>
          <TakePhoto onTakePhoto={onTakePhoto} />
        </div>
      ) : null}
      {mayConfirm ? null : (
        <Text size="sm" c="dimmed">
          {t('proposals.onlyReads')}
        </Text>
      )}
    </section>
  );
}

function Rejected({ child, onTakeBack, onTakePhoto }: EntryQuestionProps) {
  const { t } = useTranslation('dashboard');
  return (
    <section className={classes.question} aria-label={t('proposals.child.titleOf', { name: child.name })}>
      <Text size="sm" role="status">
        {t('entry.rejected')}
      </Text>
      <div className={classes.answers}>
        <Button
          size="compact-md"
          variant="default"
          leftSection={<IconArrowBackUp size={18} aria-hidden />}
          onClick={onTakeBack}
        >
          {t('entry.takeBack')}
        </Button>
        <TakePhoto onTakePhoto={onTakePhoto} />
      </div>
    </section>
  );
}

function WithoutPhoto({ onTakePhoto }: EntryQuestionProps) {
  const { t } = useTranslation('dashboard');
  return (
    <div className={classes.question}>
      <div className={classes.answers}>
        <Text size="sm" c="dimmed">
          {t('entry.withoutPhoto')}
        </Text>
        <TakePhoto onTakePhoto={onTakePhoto} />
      </div>
    </div>
  );
}

function TakePhoto({ onTakePhoto }: Pick<EntryQuestionProps, 'onTakePhoto'>) {
  const { t } = useTranslation('dashboard');
  return (
    <Button
      size="compact-md"
      variant="light"
      leftSection={<IconCamera size={18} aria-hidden />}
      onClick={onTakePhoto}
    >
      {t('entry.takePhoto')}
    </Button>
  );
}

/** An answer with a name in it, which wraps. */
const namedAnswer = {
  size: 'compact-md',
  className: classes.namedAnswer ?? '',
  classNames: { inner: classes.namedInner ?? '', label: classes.namedLabel ?? '' },
};

/** The reason why this child was not checked in, scrolled to and focused; a look request leads to its first answer. */
function Failed({
  child,
  failure: { message, alike },
  isBusy,
  lookRequest,
  onReject,
  onTellApart,
}: EntryQuestionProps & { failure: EntryFailure }) {
  const { t } = useTranslation('dashboard');
  const section = useRef<HTMLElement>(null);
  const answers = useRef<HTMLDivElement>(null);
  const answered = useRef(lookRequest);
  // Beside the photos of others, "not this child" would be understood of them.
  const name = `\u2068${child.name}\u2069`;
  useEffect(() => {
    section.current?.focus({ preventScroll: true });
    section.current?.scrollIntoView({ block: 'nearest' });
    // Where not everything has its place, the answers are seen.
    answers.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  useEffect(() => {
    if (lookRequest === 0 || lookRequest === answered.current) return;
    answered.current = lookRequest;
    section.current?.scrollIntoView({ block: 'nearest' });
    answers.current?.scrollIntoView({ block: 'nearest' });
    answers.current?.querySelector('button')?.focus({ preventScroll: true });
  }, [lookRequest]);
  return (
    <section
      ref={section}
      tabIndex={-1}
      className={classes.question}
      role="alert"
      aria-label={t('entry.failedFor', { name: child.name, message })}
    >
      {alike === null ? (
        <Text size="sm" c="var(--mantine-color-error)">
          {message}
        </Text>
      ) : (
        <>
          <Text size="sm" fw={500}>
            {t('proposals.alike.text', { name })}
          </Text>
          <AlikeRow
            of={child}
            candidates={alike.candidates.slice(0, SHOWN_ALIKE)}
            adults={alike.adults.slice(0, Math.max(0, SHOWN_ALIKE - alike.candidates.length))}
          />
          <div ref={answers} className={classes.bothAnswers}>
            <Button
              {...namedAnswer}
              leftSection={<IconX size={18} aria-hidden />}
              disabled={isBusy}
              onClick={onReject}
            >
              {t('proposals.alike.reject', { name })}
            </Button>
            <Button
              {...namedAnswer}
              variant="default"
              leftSection={<IconCheck size={18} aria-hidden />}
              loading={isBusy}
              onClick={onTellApart}
            >
              {t('entry.toldApart', { name })}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
