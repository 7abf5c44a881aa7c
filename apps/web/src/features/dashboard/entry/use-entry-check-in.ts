/** The check-in of the chosen children: what staff have to see or answer before, the call, and what it brought. */
import type { Child } from '@haris/contract/objects';
import { useLock } from '../../../ui/use-lock.ts';
import type { Lasting } from '../stays/check-in.ts';
import { isRefusedOffline } from '../stays/offline.ts';
import { NOBODY } from './id-set.ts';
import type { EntryRoom } from './use-entry-room.ts';
import type { EntryProblems } from './use-problem.ts';
import type { EntryProposals } from './use-proposals.ts';
import { type EntryFailure, useRegisterEntry } from './use-register-entry.ts';
import type { EntryTicks } from './use-ticks.ts';

export interface EntryCheckInOptions {
  /** The children who come in. */
  chosen: readonly Child[];
  /** True while the family shown belongs to an earlier input. */
  isStale: boolean;
  ticks: EntryTicks;
  proposals: EntryProposals;
  problem: EntryProblems;
  lasting: Lasting;
  room: EntryRoom;
  /** Called when all who were chosen are inside. */
  onDone: () => void;
  onPrint: (children: readonly Child[]) => void;
}

/** Sends nothing while a call is under way, offline, or while the family shown may be the wrong one. */
export function useEntryCheckIn(options: EntryCheckInOptions) {
  const { chosen, isStale, ticks, proposals, problem, lasting, room, onDone, onPrint } = options;
  const { decisions, sight, isOpen } = proposals;
  const lock = useLock();
  const revisions = proposals.revisionsOf(chosen);
  const untick = (entered: readonly Child[]) => {
    for (const { _id } of entered) ticks.tick(_id, false);
  };
  const register = useRegisterEntry({
    // An answer about one child does not end the entry of its siblings: who is still ticked waits.
    onDone: (entered) => {
      const ids = new Set(entered.map(({ _id }) => _id));
      if (chosen.every(({ _id }) => ids.has(_id))) return onDone();
      untick(entered);
      problem.settle(ids, []);
    },
    onPrint,
    onConfirmed: decisions.settle,
    onFailures: (failures, entered) => {
      untick(entered);
      problem.settle(new Set(entered.map(({ _id }) => _id)), failures);
    },
  });

  /** Why the child did not come in. What the family has sent since is another question. */
  function failureOf(child: Child): EntryFailure | null {
    const failure = problem.shown.failures.find((one) => one.child._id === child._id);
    const { revision } = failure ?? {};
    const isAnswered = revision !== undefined && isOpen(child) && revision !== child.proposal?.revision;
    return isAnswered ? null : (failure ?? null);
  }

  /** A child of whom staff have to say whether it is another person; the check-in alone would only ask again. */
  const asked = chosen.find((child) => failureOf(child)?.alike != null) ?? null;

  /** A child whose proposal the check-in would confirm although staff have not had all of it in view. */
  const unseen = chosen.find((child) => !sight.isSeen(child, revisions.get(child._id))) ?? null;

  /** Checks in these of the chosen children. */
  function send(children: readonly Child[], toldApart: ReadonlySet<string> = NOBODY) {
    // Until the results for the current input arrive, the family shown may be the wrong one.
    if (isStale || isRefusedOffline()) return;
    const others = problem.shown.failures.filter(({ child }) => !children.includes(child));
    problem.show({ isIncomplete: children.length === 0, failures: toldApart.size === 0 ? [] : others });
    const place = room.place(chosen);
    if (children.length === 0 || place === null || !lock.take()) return;
    register.mutate({ children, lasting, revisions, toldApart, place }, { onSettled: lock.release });
  }

  return {
    asked,
    unseen,
    failureOf,
    /** Number of ticked children whose photos and names the check-in confirms. */
    confirms: revisions.size,
    submit() {
      const next = asked ?? unseen;
      if (next !== null) return sight.look(next);
      decisions.sendRejections();
      send(chosen);
    },
    /** Checks in one child whom staff told apart from the people who look like it. */
    tellApart: (child: Child) => send([child], new Set([child._id])),
    isPending: register.isPending,
  };
}
