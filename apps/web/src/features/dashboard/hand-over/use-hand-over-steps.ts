/** State of a hand-over: the chosen adult, what staff have said of it, and what is sent. */
import type { HandOver, HandOverChoice, PickupProof, ReleaseBody } from '@haris/contract/http/hand-over';
import { useState } from 'react';
import { ApiError } from '../../../calls/api-error.ts';
import { isRefusedOffline } from '../stays/offline.ts';
import { useRelease } from '../undo/use-release.ts';
import type { HandingOver } from './handing-over.ts';

export interface HandOverStepsOptions {
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

/** Whether staff have yet to say if this adult is a barred one. */
function isDoubtful({ doubts = [] }: HandOverChoice, answered: Doubts): boolean {
  return doubts.some(
    ({ barredId, version }) => !answered.some((one) => one.barredId === barredId && one.version === version),
  );
}

/** The adult whom staff have chosen of these, and whether it may be a barred one. */
function useChosenAdult(adults: readonly HandOverChoice[]) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  /** Doubts about the chosen adult to which the answer was: another person. */
  const [answered, setAnswered] = useState<Doubts>([]);
  /** Whether the server has a doubt about the chosen adult that this account may not read. */
  const [isStopped, setStopped] = useState(false);
  // Its doubts are those of now, but it is the adult that staff have looked at: another photo is another face.
  const adult = adults.find(({ _id, version }) => _id === chosen?._id && version === chosen.version) ?? null;
  return {
    /** Null before somebody is chosen, and if the adult has changed since. */
    adult,
    /** Whether the adult has changed since it was chosen. */
    isChanged: chosen !== null && adult === null,
    /** Whether staff have to say if the adult is a barred one. */
    isAsked: adult !== null && (adult.doubts === undefined ? isStopped : isDoubtful(adult, answered)),
    answered,
    choose(choice: HandOverChoice) {
      setChosen(choice);
      setAnswered([]);
      setStopped(false);
    },
    forget: () => setChosen(null),
    answer: setAnswered,
    stop: () => setStopped(true),
  };
}

/** Sends nothing while a hand-over is under way, or offline. The slip of the subject is sent as soon as nothing is in doubt. */
export function useHandOverSteps({ subject, handOver, onClose, onStale }: HandOverStepsOptions) {
  const { adult, isChanged, isAsked, ...chosen } = useChosenAdult(handOver.adults);
  const release = useRelease();
  const { child, requestId } = subject;
  const [slip, setSlip] = useState(subject.slip);

  function onRefused(error: Error) {
    if (!(error instanceof ApiError)) return;
    // A slip that is out of date is not offered again, so that another proof can be typed.
    if (error.code === 'wrong_pickup_proof') setSlip(undefined);
    // Somebody was barred, or the adult was changed or lost the right, since the dialog opened.
    if (STALE.has(error.code)) onStale();
    if (error.code === 'collector_not_listed') chosen.forget();
    if (error.code === 'barred_person_doubt') chosen.stop();
    if (error.code === 'barred_person') chosen.forget();
  }

  function send(body: ReleaseBody) {
    if (release.isPending || isRefusedOffline()) return;
    release.mutate({ child, release: body, requestId }, { onSuccess: onClose, onError: onRefused });
  }

  /** Sends the hand-over to an adult; `said`: of which barred adults staff have said that they are others. */
  function sendTo(
    { _id, version }: HandOverChoice,
    said: Doubts,
    more: Pick<ReleaseBody, 'proof' | 'document'>,
  ) {
    send({ collectorId: _id, version, ...more, ...(said.length > 0 && { notBarred: said }) });
  }

  /** The slip was the first key, the face the second; only a new face needs a document too. */
  function sendSlip(choice: HandOverChoice, said: Doubts) {
    if (slip !== undefined && choice.isConfirmed)
      sendTo(choice, said, { proof: { kind: 'slip', value: slip } });
  }

  return {
    adult,
    isChanged,
    isAsked,
    /** Why the server refused the hand-over; null for a doubt of which the question itself tells. */
    refusal: isAsked && adult?.doubts === undefined ? null : release.error,
    slip,
    isBusy: release.isPending,
    choose(choice: HandOverChoice) {
      release.reset();
      chosen.choose(choice);
      if (!isDoubtful(choice, [])) sendSlip(choice, []);
    },
    /** Checks the child out without a name. */
    skip() {
      // What the server says of it must not be hidden by what was said of the adult chosen before.
      chosen.forget();
      send({});
    },
    goBack() {
      release.reset();
      chosen.forget();
    },
    saySame({ _id }: HandOverChoice) {
      send({ collectorId: _id, isBarred: true });
    },
    sayOther(choice: HandOverChoice) {
      release.reset();
      const said = choice.doubts ?? [];
      chosen.answer(said);
      sendSlip(choice, said);
    },
    prove(choice: HandOverChoice, proof: PickupProof | null, document: ReleaseBody['document']) {
      sendTo(choice, chosen.answered, { ...(proof && { proof }), ...(document && { document }) });
    },
  };
}
