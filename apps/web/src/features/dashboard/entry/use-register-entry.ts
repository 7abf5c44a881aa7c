/** Checks several children in, one after the other, and reports the failures. */
import type { AdultCandidate, FaceCandidate } from '@haris/contract/errors';
import { childRoutes } from '@haris/contract/http/children';
import type { Child } from '@haris/contract/objects';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../calls/api-error.ts';
import { failureText, showFailure } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { keys } from '../../../calls/query-client.ts';
import { checkIn, type Lasting, type Place } from '../stays/check-in.ts';
import { undoOffers, useUndoToast } from '../undo/undo.ts';

/** Enrolled people whose faces look like the child's new one. */
export interface Alike {
  readonly candidates: readonly FaceCandidate[];
  readonly adults: readonly AdultCandidate[];
}

export interface EntryFailure {
  child: Child;
  /** The proposal that was to be confirmed; undefined if none was. */
  revision: string | undefined;
  /** Error message to show beside the child. */
  message: string;
  /** Set if staff must first say that the child is another person. */
  alike: Alike | null;
}

export interface Entry {
  children: readonly Child[];
  lasting: Lasting;
  /** Revisions of proposals to confirm with the check-in, by child id. */
  revisions: ReadonlyMap<string, string>;
  /** Ids of children whom staff told apart from the people who look like them. */
  toldApart?: ReadonlySet<string>;
  place: Place;
}

export interface EntryOutcomes {
  /** Called with the children of the call when all of them are inside. */
  onDone: (entered: readonly Child[]) => void;
  /** Called with the failed check-ins; not for a single child whose failure a notice can say. */
  onFailures: (failures: EntryFailure[], entered: readonly Child[]) => void;
  onPrint: (children: readonly Child[]) => void;
  /** Called when a proposal was confirmed before its check-in. */
  onConfirmed?: (child: Child) => void;
}

function alikeOf(error: unknown): Alike | null {
  return error instanceof ApiError && error.code === 'face_already_registered'
    ? { candidates: error.candidates, adults: error.adults }
    : null;
}

/** Checks children in. One toast covers all of them and offers to print their slips and to undo. */
export function useRegisterEntry({ onDone, onFailures, onPrint, onConfirmed }: EntryOutcomes) {
  const { t } = useTranslation('dashboard');
  const client = useQueryClient();
  const showUndoToast = useUndoToast();
  /** Refetches the families: after a refusal this page's data are out of date. */
  const readAgain = () => void client.invalidateQueries({ queryKey: [keys.parents] });

  function announce(entered: readonly Child[]): void {
    const offer = undoOffers.hold('checkIn', entered).open();
    const label = entered.length === 1 ? t('entry.printSlip') : t('entry.printSlips');
    showUndoToast(t('entry.success'), offer, [{ label, onPress: () => onPrint(entered) }]);
  }

  async function enter(child: Child, { lasting, revisions, toldApart, place }: Entry): Promise<Child> {
    const revision = revisions.get(child._id);
    if (revision === undefined || !toldApart?.has(child._id))
      return checkIn(client, child._id, lasting, revision, place);
    // A check-in cannot say that the child is another person, so this is confirmed before.
    await call(childRoutes.confirmChild, {
      params: { id: child._id },
      body: { accept: true, confirm: true, revision },
    });
    onConfirmed?.(child);
    return checkIn(client, child._id, lasting, undefined, place);
  }

  return useMutation({
    mutationFn: async (entry: Entry) => {
      const { children } = entry;
      const entered: Child[] = [];
      const failures: EntryFailure[] = [];
      for (const child of children) {
        try {
          entered.push(await enter(child, entry));
        } catch (error) {
          // The session has ended, so every call would fail alike.
          if (error instanceof ApiError && error.status === 401) throw error;
          const alike = alikeOf(error);
          // With a single child, a notice says what failed.
          if (children.length === 1 && alike === null) throw error;
          failures.push({
            child,
            revision: entry.revisions.get(child._id),
            message: failureText(error),
            alike,
          });
        }
      }
      return { entered, failures };
    },
    onSuccess: ({ entered, failures }) => {
      if (entered.length > 0) announce(entered);
      if (failures.length === 0) onDone(entered);
      else {
        onFailures(failures, entered);
        readAgain();
      }
    },
    onSettled: () => void client.invalidateQueries({ queryKey: [keys.rooms] }),
    onError: (error) => {
      showFailure(error);
      readAgain();
    },
  });
}
