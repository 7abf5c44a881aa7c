/** Who takes a child, and by which proof: the last step before a checkout (decision 049). */
import { type HandOver, type HandOverChoice, handOverRoutes } from '@haris/contract/http/hand-over';
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
import { AdultButton } from './adult-button.tsx';
import { DoubtStep } from './doubt-step.tsx';
import classes from './hand-over.module.css';
import type { HandingOver } from './handing-over.ts';
import { Namesakes } from './namesakes.tsx';
import { NotTaking } from './not-taking.tsx';
import { ProofStep } from './proof-step.tsx';
import { type HandOverStepsOptions, useHandOverSteps } from './use-hand-over-steps.ts';

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

function Steps(options: HandOverStepsOptions) {
  const { child } = options.subject;
  const { handOver } = options;
  const { adult, isChanged, isAsked, refusal, slip, isBusy, ...steps } = useHandOverSteps(options);
  return (
    <Stack gap="md">
      {handOver.hasBarred ? <BarredNote id={child._id} name={child.name} /> : null}
      {handOver.notTaking.length === 0 ? null : (
        <NotTaking name={child.name} guardians={handOver.notTaking} />
      )}
      <UnconfirmedMark of={child} />
      <ChangedSince child={child} />
      {handOver.namesakes.length === 0 ? null : <Namesakes child={child} namesakes={handOver.namesakes} />}
      {isChanged ? (
        <Refused text={localizeCode('collector_changed')} />
      ) : refusal === null ? null : (
        <Refused text={failureText(refusal)} isGrave={isBarredPerson(refusal)} />
      )}
      {adult === null ? (
        <Choices handOver={handOver} onChoose={steps.choose} onSkip={steps.skip} isBusy={isBusy} />
      ) : isAsked ? (
        <DoubtStep
          childId={child._id}
          adult={adult}
          isBusy={isBusy}
          onBack={steps.goBack}
          onSame={() => steps.saySame(adult)}
          onOther={() => steps.sayOther(adult)}
        />
      ) : (
        <ProofStep
          adult={adult}
          handOver={handOver}
          slip={slip}
          isBusy={isBusy}
          onBack={steps.goBack}
          onSend={(proof, document) => steps.prove(adult, proof, document)}
        />
      )}
    </Stack>
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
