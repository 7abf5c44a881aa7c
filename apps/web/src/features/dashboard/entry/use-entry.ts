/** State of Register Child Entry: the family, ticked children, rejected proposals, and failures. */
import type { UsualEntry } from '@haris/contract/http/search';
import type { Child, Parent } from '@haris/contract/objects';
import { useRef, useState } from 'react';
import { useChildrenInside } from '../lists/queries.ts';
import { useEntryCheckIn } from './use-entry-check-in.ts';
import { useEntryLasting } from './use-entry-lasting.ts';
import { useEntryRoom } from './use-entry-room.ts';
import { type EntryFamily, useFamily } from './use-family.ts';
import type { Choice } from './use-family-choice.ts';
import { type EntryProblems, useProblem } from './use-problem.ts';
import { type EntryProposals, useProposals } from './use-proposals.ts';
import { type EntryTicks, useTicks } from './use-ticks.ts';

/** Preselected family and children, for the shortcut beside a child. */
export interface EntryStart {
  parent: Parent;
  /** How the family came last; `childIds` are the children to tick. */
  usual: UsualEntry;
}

export interface EntryOptions {
  start: EntryStart | null;
  onDone: () => void;
  onPrint: (children: readonly Child[]) => void;
}

export function useEntry({ start, onDone, onPrint }: EntryOptions) {
  const family = useFamily(start);
  const { parent, choice, isStale } = family;
  const ticks = useTicks(choice);
  const proposals = useProposals();
  const focus = useFocusRequest();
  const problem = useProblem();
  const isInside = useIsInside();
  const chosen = (parent?.children ?? []).filter((child) => ticks.ids.has(child._id) && !isInside(child));
  const { lasting, setLasting } = useEntryLasting(chosen, choice?.usual);
  const room = useEntryRoom(chosen);
  const checkIn = useEntryCheckIn({
    chosen,
    isStale,
    ticks,
    proposals,
    problem,
    lasting,
    room,
    onDone,
    onPrint,
  });

  function pick(next: Choice | null) {
    family.pick(next);
    ticks.reset();
    setLasting(null);
    room.pick(null);
    if (next !== null) focus.request(next.parent);
    problem.reset();
  }

  /**
   * Handles Enter in the search: checks in the ticked children, or moves the focus to the checkboxes if none is ticked.
   * A photo that waits is not confirmed by habit: the photos take the place of the search, and `focusAnswer` is called.
   */
  function enter(focusAnswer: () => void) {
    if (chosen.length === 0) {
      if (parent !== null) focus.request(parent);
    } else if (checkIn.confirms === 0) checkIn.submit();
    else {
      // Until the results for the current input arrive, the family shown may be the wrong one.
      if (isStale) return;
      family.pick(choice);
      focusAnswer();
    }
  }

  return {
    ...family,
    pick,
    unpick: () => pick(null),
    enter,
    isInside,
    chosen,
    ticked: ticks.ids,
    ...answersOf(family, ticks, proposals, problem),
    mayConfirm: proposals.mayConfirm,
    isWaiting: proposals.isWaiting,
    see: proposals.sight.see,
    /** Whether the family has sent something new since staff saw what waited. */
    isReplaced: proposals.sight.isReplaced,
    /** Grows whenever staff ask to see what of this child is not yet in view; 0 before. */
    lookRequestOf: proposals.sight.requestOf,
    ...checkIn,
    focus,
    lasting,
    setLasting,
    room,
    problem: problem.shown,
  };
}

/** What staff say about one child in its card; its tick, the decision about it and its failure go together. */
function answersOf(
  family: EntryFamily,
  ticks: EntryTicks,
  { decisions, isOpen }: EntryProposals,
  problem: EntryProblems,
) {
  return {
    tick(id: string, isTicked: boolean) {
      problem.complete();
      problem.drop(id);
      // A child is either rejected or comes in.
      if (isTicked) decisions.takeBack(id);
      ticks.tick(id, isTicked);
      // The photos to compare take the place of the search.
      const child = family.parent?.children.find(({ _id }) => _id === id);
      if (isTicked && family.picked === null && child !== undefined && isOpen(child))
        family.pick(family.choice);
    },
    /** Whether staff said that this is not the child. */
    isRejected: ({ _id }: Child) => decisions.rejected.has(_id),
    reject(child: Child) {
      ticks.tick(child._id, false);
      problem.drop(child._id);
      decisions.reject(child);
    },
    /** Sends no rejection of the child until {@link resumeRejection}: staff may be about to take a photo instead. */
    holdRejection: ({ _id }: Child) => decisions.hold(_id),
    resumeRejection: ({ _id }: Child) => decisions.resume(_id),
    takeBack({ _id }: Child) {
      decisions.takeBack(_id);
      ticks.tick(_id, true);
    },
    /** The desk's own photo replaces what the family sent. */
    settle: decisions.settle,
  };
}

/** Requests to focus a family's first checkbox; each is carried out once, even if the checkboxes render again. */
function useFocusRequest() {
  const [last, setLast] = useState({ parentId: '', count: 0 });
  const answered = useRef(0);
  return {
    answered,
    of: ({ _id }: Parent) => (last.parentId === _id ? last.count : 0),
    request: ({ _id }: Parent) => setLast(({ count }) => ({ parentId: _id, count: count + 1 })),
  };
}

/**
 * Whether a child is inside by the live list, which is newer than the family if another desk has just checked the child
 * in.
 */
function useIsInside(): (child: Child) => boolean {
  const inside = useChildrenInside().data;
  if (inside === undefined) return (child) => child.isInside;
  const ids = new Set(inside.map((child) => child._id));
  return (child) => ids.has(child._id);
}
