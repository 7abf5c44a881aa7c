/** Compares a family's proposal with the confirmed data ("Is this the child?"); staff accept or reject it. */
import { Button, Stack, Text } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../calls/api-error.ts';
import { useMay } from '../../../session/may.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { useLock } from '../../../ui/use-lock.ts';
import { isRefusedOffline } from '../stays/offline.ts';
import { LookAlikes, PhotosFailed, ProposalFaces } from './proposal-faces.tsx';
import classes from './proposals.module.css';
import { useDecision, type Waiting } from './use-decision.ts';
import { useInView } from './use-in-view.ts';

export interface ProposalDialogProps {
  opened: boolean;
  onClose: () => void;
  /** Current list data of the person under review; null if the dialog was never opened. */
  waiting: Waiting | null;
  /** True if the dialog opens above another dialog. */
  onTop?: boolean;
}

export function ProposalDialog({ opened, onClose, waiting, onTop = false }: ProposalDialogProps) {
  const { t } = useTranslation('dashboard');
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={waiting === null ? '' : t(`proposals.${waiting.kind}.title`)}
      size="lg"
      onTop={onTop}
    >
      {waiting === null ? null : <Question key={waiting.of._id} waiting={waiting} onDone={onClose} />}
    </Dialog>
  );
}

function Question({ waiting, onDone }: { waiting: Waiting; onDone: () => void }) {
  const { t } = useTranslation('dashboard');
  const { kind, of } = waiting;
  const { proposal } = of;
  const mayDecide = useMay()('families.edit');
  const decision = useDecision(waiting, onDone);
  const lock = useLock();
  const { error } = decision;
  const revision = proposal?.revision;
  // What was asked about an earlier photo says nothing about this one.
  const isOfThis = decision.variables?.revision === revision;
  const asked =
    isOfThis && error instanceof ApiError && error.code === 'face_already_registered' ? error : null;
  const [seen, setSeen] = useState<string | null>(null);
  const [lookRequest, setLookRequest] = useState(0);
  const [first] = useState(revision);
  const isReplaced = revision !== undefined && revision !== first;
  const faces = useInView({ revision: revision ?? null, isReplaced, onSeen: setSeen, lookRequest });

  function answer(accept: boolean) {
    if (accept && seen !== revision) return setLookRequest((count) => count + 1);
    if (isRefusedOffline() || !lock.take()) return;
    decision.mutate({ accept, confirm: accept && asked !== null, revision }, { onSettled: lock.release });
  }

  if (proposal === undefined)
    return (
      <Stack gap="lg" align="flex-start">
        {of.pending.length === 0 ? null : <ProposalFaces of={of} />}
        <Text role="status">
          {t(of.pending.length === 0 ? 'proposals.nothing' : 'proposals.child.unconfirmed')}
        </Text>
        <Button variant="default" onClick={onDone}>
          {t('proposals.close')}
        </Button>
      </Stack>
    );
  const isFirst = kind === 'child' && proposal.photo !== undefined && proposal.photo === of.photo;
  return (
    <Stack gap="lg">
      <Text>
        <bdi>
          <b>{of.name}</b>
        </bdi>
        {' · '}
        {t(isFirst ? 'proposals.child.first' : `proposals.${kind}.lead`)}
      </Text>
      <div ref={faces}>
        <ProposalFaces of={of} />
      </div>
      {isReplaced ? (
        <Text fw={500} role="status">
          {t('proposals.replaced')}
        </Text>
      ) : null}
      <PhotosFailed of={of} />
      {mayDecide ? null : <Text c="dimmed">{t('proposals.onlyReads')}</Text>}
      {asked === null ? null : (
        <LookAlikes name={`\u2068${of.name}\u2069`} candidates={asked.candidates} adults={asked.adults} />
      )}
      {mayDecide ? (
        <div className={classes.buttons}>
          <Button
            size="lg"
            variant={asked === null ? 'default' : 'filled'}
            leftSection={<IconX size={22} aria-hidden />}
            disabled={decision.isPending}
            onClick={() => answer(false)}
          >
            {asked === null
              ? t(`proposals.${kind}.reject`)
              : t('proposals.alike.reject', { name: `\u2068${of.name}\u2069` })}
          </Button>
          <Button
            size="lg"
            // Once somebody looks alike, the safe answer is the main one.
            variant={asked === null ? 'filled' : 'default'}
            leftSection={<IconCheck size={22} aria-hidden />}
            loading={decision.isPending}
            onClick={() => answer(true)}
          >
            {seen === revision
              ? asked === null
                ? t(`proposals.${kind}.accept`)
                : t('proposals.alike.accept', { name: `\u2068${of.name}\u2069` })
              : t('entry.seeNext')}
          </Button>
        </div>
      ) : null}
    </Stack>
  );
}
