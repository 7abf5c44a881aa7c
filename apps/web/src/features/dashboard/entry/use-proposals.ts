/** What the families sent for their children, as the form has it: seen, decided, and confirmed by the check-in. */
import type { Child } from '@haris/contract/objects';
import { useState } from 'react';
import { useMay } from '../../../session/may.ts';
import { NOBODY, withId } from './id-set.ts';
import { useDecisions } from './use-decisions.ts';

export type EntryProposals = ReturnType<typeof useProposals>;

export function useProposals() {
  const mayConfirm = useMay()('families.edit');
  const decisions = useDecisions();
  const sight = useSight();
  const isOpen = ({ proposal }: Child) => proposal !== undefined && !decisions.decided.has(proposal.revision);
  return {
    mayConfirm,
    decisions,
    sight,
    /** Whether the child has a proposal that is not decided yet. */
    isOpen,
    /** Whether staff have to confirm the child; a rejected one has nothing to decide. */
    isWaiting: (child: Child) => (child.proposal === undefined ? child.pending.length > 0 : isOpen(child)),
    /** What staff confirm with the check-in of these children, by child id: what they see beside each of them. */
    revisionsOf: (chosen: readonly Child[]): ReadonlyMap<string, string> =>
      new Map(
        mayConfirm
          ? chosen.filter(isOpen).map(({ _id, proposal }) => [_id, proposal?.revision ?? ''] as const)
          : [],
      ),
  };
}

/** Which proposals were in view, by child and revision: staff confirm only what they could see. */
function useSight() {
  const [seen, setSeen] = useState<ReadonlyMap<string, ReadonlySet<string>>>(new Map());
  const [request, setRequest] = useState({ childId: '', count: 0 });
  return {
    requestOf: ({ _id }: Child) => (request.childId === _id ? request.count : 0),
    isSeen: ({ _id }: Child, revision: string | undefined) =>
      revision === undefined || seen.get(_id)?.has(revision) === true,
    isReplaced: ({ _id, proposal }: Child) =>
      [...(seen.get(_id) ?? [])].some((revision) => revision !== proposal?.revision),
    see: ({ _id }: Child, revision: string) =>
      setSeen((known) => new Map(known).set(_id, withId(known.get(_id) ?? NOBODY, revision, true))),
    look: ({ _id }: Child) => setRequest(({ count }) => ({ childId: _id, count: count + 1 })),
  };
}
