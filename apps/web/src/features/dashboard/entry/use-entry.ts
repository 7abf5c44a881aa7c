/** State of Register Child Entry: the family, ticked children, rejected proposals, and failures. */
import type { UsualEntry } from '@haris/contract/http/search';
import type { Child, Parent } from '@haris/contract/objects';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useMinute } from '../../../facilities/use-minute.ts';
import { useMay } from '../../../session/may.ts';
import { useLock } from '../../../ui/use-lock.ts';
import { familyQuery, useChildrenInside } from '../lists/queries.ts';
import { useRejection } from '../proposals/use-decision.ts';
import type { Lasting } from '../stays/check-in.ts';
import { isRefusedOffline } from '../stays/offline.ts';
import { useEntryRoom } from './use-entry-room.ts';
import type { Choice } from './use-family-choice.ts';
import { type EntryFailure, useRegisterEntry } from './use-register-entry.ts';
import { useStayEnds } from './use-stay-ends.ts';
import { usualLasting } from './usual-lasting.ts';

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
  const mayConfirm = useMay()('families.edit');
  const decisions = useDecisions();
  const sight = useSight();
  const focus = useFocusRequest();
  const problem = useProblem();
  const isInside = useIsInside();
  const [chosenLasting, setLasting] = useState<Lasting | null>(null);
  const lock = useLock();
  const chosen = (parent?.children ?? []).filter((child) => ticks.ids.has(child._id) && !isInside(child));
  const ends = useStayEnds(chosen);
  const now = useMinute();
  // As the family came last, until somebody chooses another.
  const lasting = chosenLasting ?? usualLasting(choice?.usual, ends, now);
  const room = useEntryRoom(chosen);
  const isOpen = ({ proposal }: Child) => proposal !== undefined && !decisions.decided.has(proposal.revision);
  /** What staff confirm with the check-in: what they see beside each ticked child. */
  const revisions = new Map(
    mayConfirm
      ? chosen.filter(isOpen).map(({ _id, proposal }) => [_id, proposal?.revision ?? ''] as const)
      : [],
  );
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

  function pick(next: Choice | null) {
    family.pick(next);
    ticks.reset();
    setLasting(null);
    room.pick(null);
    if (next !== null) focus.request(next.parent);
    problem.show(NO_PROBLEM);
  }

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
    if (family.isStale || isRefusedOffline()) return;
    const others = problem.shown.failures.filter(({ child }) => !children.includes(child));
    problem.show({ isIncomplete: children.length === 0, failures: toldApart.size === 0 ? [] : others });
    const place = room.place(chosen);
    if (children.length === 0 || place === null || !lock.take()) return;
    register.mutate({ children, lasting, revisions, toldApart, place }, { onSettled: lock.release });
  }

  function submit() {
    const next = asked ?? unseen;
    if (next !== null) return sight.look(next);
    decisions.sendRejections();
    send(chosen);
  }

  /**
   * Handles Enter in the search: checks in the ticked children, or moves the focus to the checkboxes if none is ticked.
   * A photo that waits is not confirmed by habit: the photos take the place of the search, and `focusAnswer` is called.
   */
  function enter(focusAnswer: () => void) {
    if (chosen.length === 0) {
      if (parent !== null) focus.request(parent);
    } else if (revisions.size === 0) submit();
    else {
      // Until the results for the current input arrive, the family shown may be the wrong one.
      if (family.isStale) return;
      family.pick(choice);
      focusAnswer();
    }
  }

  return {
    ...family,
    pick,
    unpick: () => pick(null),
    submit,
    enter,
    isInside,
    chosen,
    ticked: ticks.ids,
    tick(id: string, isTicked: boolean) {
      problem.complete();
      problem.drop(id);
      // A child is either rejected or comes in.
      if (isTicked) decisions.takeBack(id);
      ticks.tick(id, isTicked);
      // The photos to compare take the place of the search.
      const child = parent?.children.find(({ _id }) => _id === id);
      if (isTicked && family.picked === null && child !== undefined && isOpen(child)) family.pick(choice);
    },
    /** Whether staff have to confirm the child; a rejected one has nothing to decide. */
    isWaiting: (child: Child) => (child.proposal === undefined ? child.pending.length > 0 : isOpen(child)),
    mayConfirm,
    /** Number of ticked children whose photos and names the check-in confirms. */
    confirms: revisions.size,
    asked,
    unseen,
    see: sight.see,
    /** Whether the family has sent something new since staff saw what waited. */
    isReplaced: sight.isReplaced,
    /** Grows whenever staff ask to see what of this child is not yet in view; 0 before. */
    lookRequestOf: sight.requestOf,
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
    /** Checks in one child whom staff told apart from the people who look like it. */
    tellApart: (child: Child) => send([child], new Set([child._id])),
    failureOf,
    focus,
    lasting,
    setLasting,
    room,
    problem: problem.shown,
    isPending: register.isPending,
  };
}

/** A family that was opened with the dialog, as if it had been found. */
function startChoice({ parent, usual }: EntryStart): Choice {
  return { id: parent._id, parent, child: null, usual };
}

/** The picked family, or the one marked in the search. A picked one is read again when the families change. */
function useFamily(start: EntryStart | null) {
  const [picked, setPicked] = useState<Choice | null>(start === null ? null : startChoice(start));
  const [marked, setMarked] = useState<Choice | null>(null);
  const [isStale, setStale] = useState(false);
  const choice = picked ?? marked;
  const read = useQuery({ ...familyQuery(picked?.parent._id ?? ''), enabled: picked !== null }).data;
  const parent = (picked === null ? undefined : read?.parent) ?? choice?.parent ?? null;
  return {
    picked: picked === null ? null : parent,
    choice,
    parent,
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
  return {
    ids: tickedOf(choice, ticks),
    tick(id: string, isTicked: boolean) {
      if (choice === null) return;
      setTicks((known) => ({ choiceId: choice.id, ids: withId(tickedOf(choice, known), id, isTicked) }));
    },
    reset: () => setTicks(null),
  };
}

/** Time in which "Not this child" can be undone; the rejection is sent after it. Milliseconds. */
const UNDO_REJECTION_MS = 8_000;

/**
 * Children whom staff rejected in this form, and the revisions that are decided: the family in memory may still contain
 * them. A rejection deletes the family's photo, so it is sent only after it could be undone, at the latest when the form
 * is left or sent.
 */
function useDecisions() {
  const [decided, setDecided] = useState<ReadonlySet<string>>(NOBODY);
  const [rejected, setRejected] = useState<ReadonlySet<string>>(NOBODY);
  const waiting = useRef(new Map<string, { readonly child: Child; readonly timer: number }>());
  const send = useRejection();

  const drop = (id: string) => {
    const held = waiting.current.get(id);
    window.clearTimeout(held?.timer);
    waiting.current.delete(id);
  };
  const settle = ({ _id, proposal }: Child) => {
    drop(_id);
    setRejected((known) => withId(known, _id, false));
    if (proposal) setDecided((known) => withId(known, proposal.revision, true));
  };
  const sendOne = (id: string) => {
    const child = waiting.current.get(id)?.child;
    if (child === undefined) return;
    settle(child);
    void send(child);
  };
  const sendLater = (child: Child) => {
    drop(child._id);
    const timer = window.setTimeout(() => sendOne(child._id), UNDO_REJECTION_MS);
    waiting.current.set(child._id, { child, timer });
  };
  const sendRejections = () => {
    for (const id of [...waiting.current.keys()]) sendOne(id);
  };
  const sendAtEnd = useEffectEvent(sendRejections);
  useEffect(() => () => sendAtEnd(), []);

  return {
    decided,
    rejected,
    settle,
    reject(child: Child) {
      sendLater(child);
      setRejected((known) => withId(known, child._id, true));
    },
    hold: (id: string) => window.clearTimeout(waiting.current.get(id)?.timer),
    resume(id: string) {
      const held = waiting.current.get(id);
      if (held !== undefined) sendLater(held.child);
    },
    takeBack(id: string) {
      drop(id);
      setRejected((known) => withId(known, id, false));
    },
    sendRejections,
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

interface EntryProblem {
  /** No child was chosen. */
  isIncomplete: boolean;
  failures: readonly EntryFailure[];
}

const NO_PROBLEM: EntryProblem = { isIncomplete: false, failures: [] };

function useProblem() {
  const [shown, show] = useState(NO_PROBLEM);
  return {
    shown,
    show,
    complete: () => show((known) => ({ ...known, isIncomplete: false })),
    /** After a call: its failures, and those of children who were not part of it. */
    settle: (entered: ReadonlySet<string>, failures: readonly EntryFailure[]) =>
      show((known) => {
        const failed = new Set(failures.map(({ child }) => child._id));
        const others = known.failures.filter(({ child: { _id } }) => !entered.has(_id) && !failed.has(_id));
        return { isIncomplete: false, failures: [...others, ...failures] };
      }),
    drop: (id: string) =>
      show((known) => ({ ...known, failures: known.failures.filter(({ child }) => child._id !== id) })),
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
