/** What staff have to confirm of the ticked children: they compare it at the door and confirm it with the check-in. */
import type { Child } from '@haris/contract/objects';
import { Button, Paper, Stack, Text } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../../session/may.ts';
import { ProposalFaces } from '../proposals/proposal-faces.tsx';
import classes from '../proposals/proposals.module.css';
import { useDecision } from '../proposals/use-decision.ts';
import { isRefusedOffline } from '../stays/offline.ts';

/** Side of each photo, so that two fit side by side in the form on a phone. Pixels. */
const ENTRY_SIDE_PX = 124;

export interface EntryProposalsProps {
  /** Ticked children whom staff have to confirm. */
  items: readonly Child[];
  /** Revisions to confirm with the check-in, by child id. */
  revisions: ReadonlyMap<string, string>;
  onConfirm: (child: Child, isConfirmed: boolean) => void;
  onRejected: (child: Child) => void;
}

export function EntryProposals({ items, ...actions }: EntryProposalsProps) {
  return items.map((child) => <EntryProposal key={child._id} child={child} {...actions} />);
}

interface EntryProposalProps extends Omit<EntryProposalsProps, 'items'> {
  child: Child;
}

function EntryProposal({ child, revisions, onConfirm, onRejected }: EntryProposalProps) {
  const { t } = useTranslation('dashboard');
  const decision = useDecision({ kind: 'child', of: child }, () => onRejected(child));
  const { proposal } = child;
  const isConfirmed = revisions.get(child._id) === proposal?.revision;
  const mayDecide = useMay()('families.edit');
  const id = `proposal-${child._id}`;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Stack gap="sm">
        <Text fw={600} id={id}>
          {t('proposals.child.titleOf', { name: child.name })}
        </Text>
        <ProposalFaces of={child} side={ENTRY_SIDE_PX} />
        {proposal === undefined ? (
          <Text size="sm">{t('proposals.child.unconfirmed')}</Text>
        ) : mayDecide ? (
          <div className={classes.buttons}>
            <Button
              variant="default"
              leftSection={<IconX size={18} aria-hidden />}
              loading={decision.isPending}
              onClick={() => {
                if (!isRefusedOffline()) decision.mutate({ accept: false, confirm: false });
              }}
            >
              {t('proposals.child.reject')}
            </Button>
            <Button
              variant={isConfirmed ? 'filled' : 'light'}
              aria-pressed={isConfirmed}
              leftSection={<IconCheck size={18} aria-hidden />}
              onClick={() => onConfirm(child, !isConfirmed)}
            >
              {t('proposals.child.accept')}
            </Button>
          </div>
        ) : (
          <Text size="sm" c="dimmed">
            {t('proposals.onlyReads')}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
