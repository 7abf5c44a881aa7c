/** Who takes a child, and by which proof: the last step before a checkout (decision 049). */
import {
  type HandOver,
  type HandOverChoice,
  handOverRoutes,
  type ReleaseBody,
} from '@haris/contract/http/hand-over';
import { Alert, Button, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconUserCancel } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BarredList } from '../../../barred/barred-list.tsx';
import { ApiError } from '../../../calls/api-error.ts';
import { failureText, localizeCode } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { keys } from '../../../calls/query-client.ts';
import { UnconfirmedMark } from '../../../child/unconfirmed-mark.tsx';
import { useMay } from '../../../session/may.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { ChangedSince } from '../proposals/changed-since.tsx';
import { isRefusedOffline } from '../stays/offline.ts';
import { useRelease } from '../undo/use-release.ts';
import { AdultButton } from './adult-button.tsx';
import { DoubtStep } from './doubt-step.tsx';
import classes from './hand-over.module.css';
import type { HandingOver } from './handing-over.ts';
import { Namesakes } from './namesakes.tsx';
import { NotTaking } from './not-taking.tsx';
import { ProofStep } from './proof-step.tsx';

export interface HandOverDialogProps {
  opened: boolean;
  onClose: () => void;
  subject: HandingOver | null;
}

export function HandOverDialog({ opened, onClose, subject }: HandOverDialogProps) {
  const { t } = useTranslation('hand-over');
  return (
    <Dialog opened={opened} onClose={onClose} title={t('title', { name: subject?.child.name ?? '' })}>
      {opened && subject !== null ? <Loaded subject={subject} onClose={onClose} /> : null}
    </Dialog>
  );
}

function Loaded({ subject, onClose }: { subject: HandingOver; onClose: () => void }) {
  const { t } = useTranslation('hand-over');
  const id = subject.child._id;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [keys.children, 'hand-over', id],
    queryFn: ({ signal }) => call(handOverRoutes.getHandOver, { params: { id }, signal }),
    // Rights to take a child may have changed a moment ago.
    staleTime: 0,
    gcTime: 0,
  });
  if (data !== undefined)
    return <Steps subject={subject} handOver={data} onClose={onClose} onStale={() => void refetch()} />;
  if (error !== null)
    return <ErrorState text={failureText(error)} onRetry={() => void refetch()} busy={isFetching} />;
  return (
    <Stack gap="sm" role="status" aria-label={t('loading')}>
      <Skeleton height={18} width="80%" />
      <Skeleton height={64} />
      <Skeleton height={64} />
    </Stack>
  );
}

interface StepsProps {
  subject: HandingOver;
  handOver: HandOver;
  onClose: () => void;
  /** Reads the adults again. */
  onStale: () => void;
}

type Doubts = NonNullable<HandOverChoice['doubts']>;

/** Refusals after which the adults are not those of the dialog. */
const STALE: ReadonlySet<string> = new Set([
  'barred_person_doubt',
  'collector_changed',
  'collector_not_listed',
]);

/** The adult whom staff have compared with the person, as it was shown to them. */
type Chosen = Pick<HandOverChoice, '_id' | 'version'>;

function Steps({ subject, handOver, onClose, onStale }: StepsProps) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  /** Doubts about the chosen adult to which the answer was: another person. */
  const [answered, setAnswered] = useState<Doubts>([]);
  /** Whether the server has a doubt about the chosen adult that this account may not read. */
  const [isStopped, setStopped] = useState(false);
  const release = useRelease();
  const { child, requestId } = subject;
  const [slip, setSlip] = useState(subject.slip);
  // Its doubts are those of now, but it is the adult that staff have looked at: another photo is another face.
  const adult =
    handOver.adults.find(({ _id, version }) => _id === chosen?._id && version === chosen.version) ?? null;

  function send(body: ReleaseBody) {
    if (release.isPending || isRefusedOffline()) return;
    release.mutate(
      { child, release: body, requestId },
      {
        onSuccess: onClose,
        onError: (error) => {
          if (!(error instanceof ApiError)) return;
          // A slip that is out of date is not offered again, so that another proof can be typed.
          if (error.code === 'wrong_pickup_proof') setSlip(undefined);
          // Somebody was barred, or the adult was changed or lost the right, since the dialog opened.
          if (STALE.has(error.code)) onStale();
          if (error.code === 'collector_not_listed') setChosen(null);
          if (error.code === 'barred_person_doubt') setStopped(true);
          if (error.code === 'barred_person') setChosen(null);
        },
      },
    );
  }

  /** Sends the hand-over to an adult; `said`: of which barred adults staff have said that they are others. */
  function sendTo(
    { _id, version }: HandOverChoice,
    said: Doubts,
    more: Pick<ReleaseBody, 'proof' | 'document'>,
  ) {
    send({ collectorId: _id, version, ...more, ...(said.length > 0 && { notBarred: said }) });
  }

  function goBack() {
    release.reset();
    setChosen(null);
  }

  function choose(choice: HandOverChoice) {
    release.reset();
    setChosen(choice);
    setAnswered([]);
    setStopped(false);
    if (!isDoubtful(choice, [])) sendSlip(choice, []);
  }

  /** The slip was the first key, the face the second; only a new face needs a document too. */
  function sendSlip(choice: HandOverChoice, said: Doubts) {
    if (slip !== undefined && choice.isConfirmed)
      sendTo(choice, said, { proof: { kind: 'slip', value: slip } });
  }

  function sayOther(choice: HandOverChoice) {
    release.reset();
    const said = choice.doubts ?? [];
    setAnswered(said);
    sendSlip(choice, said);
  }

  const isAsked = adult !== null && (adult.doubts === undefined ? isStopped : isDoubtful(adult, answered));

  return (
    <Stack gap="md">
      {handOver.hasBarred ? <BarredNote id={child._id} name={child.name} /> : null}
      {handOver.notTaking.length === 0 ? null : (
        <NotTaking name={child.name} guardians={handOver.notTaking} />
      )}
      <UnconfirmedMark of={child} />
      <ChangedSince child={child} />
      {handOver.namesakes.length === 0 ? null : <Namesakes child={child} namesakes={handOver.namesakes} />}
      {chosen !== null && adult === null ? (
        <Refused text={localizeCode('collector_changed')} />
      ) : release.error === null || (isAsked && adult.doubts === undefined) ? null : (
        <Refused text={failureText(release.error)} isGrave={isBarredPerson(release.error)} />
      )}
      {adult === null ? (
        <Choices
          handOver={handOver}
          onChoose={choose}
          onSkip={() => {
            // What the server says of it must not be hidden by what was said of the adult chosen before.
            setChosen(null);
            send({});
          }}
          isBusy={release.isPending}
        />
      ) : isAsked ? (
        <DoubtStep
          childId={child._id}
          adult={adult}
          isBusy={release.isPending}
          onBack={goBack}
          onSame={() => send({ collectorId: adult._id, isBarred: true })}
          onOther={() => sayOther(adult)}
        />
      ) : (
        <ProofStep
          adult={adult}
          handOver={handOver}
          slip={slip}
          isBusy={release.isPending}
          onBack={goBack}
          onSend={(proof, document) =>
            sendTo(adult, answered, { ...(proof && { proof }), ...(document && { document }) })
          }
        />
      )}
    </Stack>
  );
}

/** Whether staff have yet to say if this adult is a barred one. */
function isDoubtful({ doubts = [] }: HandOverChoice, answered: Doubts): boolean {
  return doubts.some(
    ({ barredId, version }) => !answered.some((one) => one.barredId === barredId && one.version === version),
  );
}

/** The person may be looking at this screen, so staff with the right show and hide who is barred; the ledger records it. */
function BarredNote({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation(['hand-over', 'emergency']);
  const mayView = useMay()('barred.view');
  const [isShown, setShown] = useState(false);
  return (
    <Alert color="clay" variant="light" role="note" icon={<IconAlertTriangle size={22} aria-hidden />}>
      {t('barred', { name })}
      {mayView ? (
        <div className={classes.show}>
          <Button
            variant="default"
            size="compact-md"
            leftSection={<IconUserCancel size={17} aria-hidden />}
            onClick={() => setShown(!isShown)}
          >
            {t(isShown ? 'emergency:barred.hide' : 'emergency:barred.show')}
          </Button>
        </div>
      ) : null}
      {mayView && isShown ? <BarredList child={{ id, name }} /> : null}
    </Alert>
  );
}

const isBarredPerson = (error: Error) => error instanceof ApiError && error.code === 'barred_person';

function Refused({ text, isGrave = false }: { text: string; isGrave?: boolean }) {
  return (
    <Alert
      color="clay"
      variant={isGrave ? 'filled' : 'light'}
      role="alert"
      icon={<IconAlertTriangle size={22} aria-hidden />}
    >
      {text}
    </Alert>
  );
}

interface ChoicesProps {
  handOver: HandOver;
  isBusy: boolean;
  onChoose: (adult: HandOverChoice) => void;
  onSkip: () => void;
}

function Choices({ handOver: { adults, mustName }, isBusy, onChoose, onSkip }: ChoicesProps) {
  const { t } = useTranslation('hand-over');
  return (
    <>
      <Text size="sm" c="dimmed">
        {adults.length === 0 ? t('nobody') : t('choose')}
      </Text>
      <ul className={classes.adults}>
        {adults.map((adult, index) => (
          <li key={adult._id}>
            <AdultButton
              adult={adult}
              isFirst={index === 0}
              isBusy={isBusy}
              onPress={() => onChoose(adult)}
            />
          </li>
        ))}
      </ul>
      {mustName ? null : (
        <Button variant="default" disabled={isBusy} onClick={onSkip}>
          {t('withoutName')}
        </Button>
      )}
    </>
  );
}
