/** State of Register Child Entry: the family, ticked children, confirmed proposals, and failures. */
import { DEFAULT_ENTRY_PERIOD_MINUTES } from '@haris/contract/constants';
import type { EntryPeriod } from '@haris/contract/fields';
import type { Child, Parent } from '@haris/contract/objects';
import { useRef, useState } from 'react';
import { useLock } from '../../../ui/use-lock.ts';
import { useChildrenInside } from '../lists/queries.ts';
import { isRefusedOffline } from '../stays/offline.ts';
import { useEntryRoom } from './use-entry-room.ts';
import type { Choice } from './use-family-choice.ts';
import { type EntryFailure, useRegisterEntry } from './use-register-entry.ts';

/** Preselected family and children, for the shortcut beside a child. */
export interface EntryStart {
  parent: Parent;
  /** Children to tick. */
  childIds: readonly string[];
  /** The period of the family's last check-in, if it is known. */
  minutes: EntryPeriod | null;
}

export interface EntryOptions {
  start: EntryStart | null;
  onDone: () => void;
  onPrint: (children: readonly Child[]) => void;
}

const NOBODY: ReadonlySet<string> = new Set();

function withId(ids: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(ids);
  if (isIn) next.add(id);
  else next.delete(id);
  return next;
}

export function useEntry({ start, onDone, onPrint }: EntryOptions) {
  const family = useFamily(start);
  const { parent, choice } = family;
  const ticks = useTicks(choice);
  const confirmations = useConfirmations();
  const focus = useFocusRequest();
  const question = useQuestion();
  const problem = useProblem();
  const isInside = useIsInside();
  const [chosenMinutes, setMinutes] = useState<EntryPeriod | null>(start?.minutes ?? null);
  // The last period of the family, until somebody chooses another.
  const minutes = chosenMinutes ?? choice?.usual.minutes ?? DEFAULT_ENTRY_PERIOD_MINUTES;
  const lock = useLock();
  const chosen = (parent?.children ?? []).filter((child) => ticks.ids.has(child._id) && !isInside(child));
  const room = useEntryRoom(chosen);
  const register = useRegisterEntry({
    onDone,
    onPrint,
    onQuestion: question.ask,
    onFailures: (failures) => {
      ticks.only(failures.map(({ child }) => child._id));
      problem.show({ isIncomplete: false, failures });
    },
  });

  function pick(next: Choice | null) {
    family.pick(next);
    ticks.reset();
    setMinutes(null);
    room.pick(null);
    if (next !== null) focus.request(next.parent);
    problem.show(NO_PROBLEM);
  }

  function submit() {
    // Until the results for the current input arrive, the family shown may be the wrong one.
    if (family.isStale || isRefusedOffline()) return;
    problem.show({ isIncomplete: chosen.length === 0, failures: [] });
    const place = room.place(chosen);
    if (chosen.length === 0 || place === null || !lock.take()) return;
    const { revisions } = confirmations;
    register.mutate({ children: chosen, minutes, revisions, place }, { onSettled: lock.release });
  }

  /**
   * Handles Enter in the search: checks in the ticked children, or moves the focus to the checkboxes if none is ticked.
   */
  function enter() {
    if (chosen.length > 0) submit();
    else if (parent !== null) focus.request(parent);
  }

  return {
    ...family,
    ...confirmations,
    pick,
    unpick: () => pick(null),
    submit,
    enter,
    isInside,
    chosen,
    /** Chosen children whom staff have to confirm. */
    waiting: chosen.filter(({ _id, pending }) => pending.length > 0 && !confirmations.decided.has(_id)),
    ticked: ticks.ids,
    tick(id: string, isTicked: boolean) {
      problem.complete();
      ticks.tick(id, isTicked);
    },
    focus,
    question,
    minutes,
    setMinutes,
    room,
    problem: problem.shown,
    isPending: register.isPending,
  };
}

/** A family that was opened with the dialog, as if it had been found. */
function startChoice({ parent, childIds, minutes }: EntryStart): Choice {
  return { id: parent._id, parent, child: null, usual: { childIds: [...childIds], minutes } };
}

/** The picked family, or the one marked in the search. */
function useFamily(start: EntryStart | null) {
  const [picked, setPicked] = useState<Choice | null>(start === null ? null : startChoice(start));
  const [marked, setMarked] = useState<Choice | null>(null);
  const [isStale, setStale] = useState(false);
  const choice = picked ?? marked;
  return {
    picked: picked?.parent ?? null,
    choice,
    parent: choice?.parent ?? null,
    /** True while the family shown belongs to an earlier input. */
    isStale,
    pick(next: Choice | null) {
      setPicked(next);
      setMarked(null);
      setStale(false);
    },
    mark(next: Choice | null, isCurrent: boolean) {
      // The last family stays on screen until new results arrive, so that the layout does not jump at each letter.
      setStale(!isCurrent);
      if (isCurrent) setMarked(next);
    },
  };
}

/** Ticked child ids of one result; ignored once another one is shown. */
interface Ticks {
  readonly choiceId: string;
  readonly ids: ReadonlySet<string>;
}

/**
 * Ticked ids of the shown family. Ticked by default: the child that was found, and the siblings who came with it last
 * time; for a parent, the children who came last, or the only child. A child whose siblings are all inside is not: the
 * siblings may have been checked in a moment ago.
 */
function tickedOf(choice: Choice | null, ticks: Ticks | null): ReadonlySet<string> {
  if (choice === null) return NOBODY;
  if (ticks?.choiceId === choice.id) return ticks.ids;
  const { parent, child, usual } = choice;
  const [only] = parent.children;
  const alone = only !== undefined && parent.children.length === 1 ? [only._id] : [];
  return new Set([...(child === null ? alone : [child._id]), ...usual.childIds]);
}

function useTicks(choice: Choice | null) {
  const [ticks, setTicks] = useState<Ticks | null>(null);
  const ids = tickedOf(choice, ticks);
  const set = (next: ReadonlySet<string>) => {
    if (choice !== null) setTicks({ choiceId: choice.id, ids: next });
  };
  return {
    ids,
    tick: (id: string, isTicked: boolean) => set(withId(ids, id, isTicked)),
    only: (next: readonly string[]) => set(new Set(next)),
    reset: () => setTicks(null),
  };
}

/** Revisions to confirm with the check-in, and children whose proposal is already decided; both by child id. */
function useConfirmations() {
  const [revisions, setRevisions] = useState<ReadonlyMap<string, string>>(new Map());
  const [decided, setDecided] = useState<ReadonlySet<string>>(NOBODY);
  return {
    revisions,
    decided,
    confirm({ _id, proposal }: Child, isConfirmed: boolean) {
      const next = new Map(revisions);
      if (isConfirmed && proposal) next.set(_id, proposal.revision);
      else next.delete(_id);
      setRevisions(next);
    },
    /** Records the decision, because the family in memory still contains the old proposal. */
    settle({ _id }: Child) {
      setDecided(withId(decided, _id, true));
      setRevisions(new Map([...revisions].filter(([id]) => id !== _id)));
    },
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

/** The child whose new face resembles somebody else's; kept while the dialog fades out. */
function useQuestion() {
  const [child, setChild] = useState<Child | null>(null);
  const [isAsking, setAsking] = useState(false);
  return {
    child,
    isAsking,
    ask(about: Child) {
      setChild(about);
      setAsking(true);
    },
    close: () => setAsking(false),
  };
}

export interface EntryProblem {
  /** No child was chosen. */
  isIncomplete: boolean;
  failures: readonly EntryFailure[];
}

const NO_PROBLEM: EntryProblem = { isIncomplete: false, failures: [] };

function useProblem() {
  const [shown, show] = useState(NO_PROBLEM);
  return { shown, show, complete: () => show((known) => ({ ...known, isIncomplete: false })) };
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
