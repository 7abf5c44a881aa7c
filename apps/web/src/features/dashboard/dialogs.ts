/** Which dialog of the desk is open, and its subject. The frame shows them, so that every staff screen can open them. */
import type { UsualEntry } from '@haris/contract/http/search';
import type { Child, Parent } from '@haris/contract/objects';
import { useSyncExternalStore } from 'react';
import { subscribeToken } from '../../calls/token-store.ts';
import type { Scan } from './desk-scan/scan.ts';
import { keepTyped, takeTyped } from './entry/typed-ahead.ts';
import type { EntryStart } from './entry/use-entry.ts';
import type { HandingOver } from './hand-over/handing-over.ts';

type OpenDialog =
  | 'none'
  | 'parent'
  | 'entry'
  | 'employee'
  | 'deletion'
  | 'slip'
  | 'scan'
  | 'scanned'
  | 'move'
  | 'handOver';

export interface DialogState {
  readonly open: OpenDialog;
  // Subjects stay set after a dialog closes, because it still shows them while it fades out.
  readonly entryStart: EntryStart | null;
  readonly doomed: Parent | null;
  readonly printed: readonly Child[];
  readonly scan: Scan | null;
  /** Children who are ticked when the dialog for moving opens. */
  readonly moving: readonly string[];
  readonly handingOver: HandingOver | null;
}

const NONE: DialogState = {
  open: 'none',
  entryStart: null,
  doomed: null,
  printed: [],
  scan: null,
  moving: [],
  handingOver: null,
};

const UNKNOWN: UsualEntry = { childIds: [], minutes: null };

let state = NONE;
const listeners = new Set<() => void>();

function change(next: Partial<DialogState>): void {
  state = { ...state, ...next };
  if (state.open === 'entry' && state.entryStart === null) keepTyped();
  else takeTyped();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** The open dialog and the subjects of all. */
export function useDialogState(): DialogState {
  return useSyncExternalStore(subscribe, () => state);
}

/** True once somebody has opened a dialog, so that its code is needed at once. */
export function useIsDialogWanted(): boolean {
  return useSyncExternalStore(subscribe, () => state.open !== 'none');
}

/** Opens the dialogs of the desk; at most one is open. Stable functions, so they can be passed on as they are. */
export const dialogs = {
  close: () => change({ open: 'none' }),
  addParent: () => change({ open: 'parent' }),
  addEmployee: () => change({ open: 'employee' }),
  openScanner: () => change({ open: 'scan' }),
  registerEntry: () => change({ entryStart: null, open: 'entry' }),
  /** `usual`: how the family came last, if it is known. */
  checkInOne: (parent: Parent, child: Child, usual: UsualEntry = UNKNOWN) =>
    change({
      entryStart: { parent, usual: { ...usual, childIds: [child._id, ...usual.childIds] } },
      open: 'entry',
    }),
  checkInFamily: (parent: Parent, usual: UsualEntry) => {
    const [only] = parent.children;
    const childIds = only !== undefined && parent.children.length === 1 ? [only._id] : usual.childIds;
    change({ entryStart: { parent, usual: { ...usual, childIds } }, open: 'entry' });
  },
  askToDelete: (parent: Parent) => change({ doomed: parent, open: 'deletion' }),
  print: (children: readonly Child[]) => change({ printed: children, open: 'slip' }),
  printOne: (child: Child) => change({ printed: [child], open: 'slip' }),
  /** Asks who takes a child before it is checked out. */
  handOver: (handingOver: HandingOver) => change({ handingOver, open: 'handOver' }),
  move: (childIds: readonly string[]) => change({ moving: childIds, open: 'move' }),
  /** Opens the result of a scan; `codes` are the possible entry ids. */
  lookUp: (codes: readonly string[]) => change({ scan: { codes }, open: 'scanned' }),
};

// The next person at this device must not see dialogs of the one before. They are reset here, with the session, because
// the frame that shows them may load after the first press.
subscribeToken(() => change(NONE));
