/** Checks several children in, one call each, and reports the failures. */
import type { EntryPeriod } from '@haris/contract/fields';
import type { Child } from '@haris/contract/objects';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../calls/api-error.ts';
import { failureText, showFailure } from '../../../calls/failure.ts';
import { keys } from '../../../calls/query-client.ts';
import { checkIn, type Place } from '../stays/check-in.ts';
import { undoOffers, useUndoToast } from '../undo/undo.ts';

export interface EntryFailure {
  child: Child;
  /** Error message to show beside the child's name. */
  message: string;
}

export interface Entry {
  children: readonly Child[];
  minutes: EntryPeriod;
  /** Revisions of proposals to confirm with the check-in, by child id. */
  revisions: ReadonlyMap<string, string>;
  place: Place;
}

export interface EntryOutcomes {
  /** Called when all children are inside. */
  onDone: () => void;
  /** Called with the failed check-ins if there was more than one child. */
  onFailures: (failures: EntryFailure[]) => void;
  onPrint: (children: readonly Child[]) => void;
  /** Called when the only child's new face resembles somebody else's. */
  onQuestion: (child: Child) => void;
}

/** Checks children in. One toast covers all of them and offers to print their slips and to undo. */
export function useRegisterEntry({ onDone, onFailures, onPrint, onQuestion }: EntryOutcomes) {
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

  return useMutation({
    mutationFn: async ({ children, minutes, revisions, place }: Entry) => {
      const entered: Child[] = [];
      const failures: EntryFailure[] = [];
      for (const child of children) {
        try {
          entered.push(await checkIn(client, child._id, minutes, revisions.get(child._id), place));
        } catch (error) {
          // The session has ended, so every call would fail alike.
          if (error instanceof ApiError && error.status === 401) throw error;
          // With a single child, the message needs no name beside it.
          if (children.length === 1) throw error;
          failures.push({ child, message: failureText(error) });
        }
      }
      return { entered, failures };
    },
    onSuccess: ({ entered, failures }) => {
      if (entered.length > 0) announce(entered);
      if (failures.length === 0) onDone();
      else onFailures(failures);
      if (failures.length > 0) readAgain();
    },
    onSettled: () => void client.invalidateQueries({ queryKey: [keys.rooms] }),
    onError: (error, { children: [only] }) => {
      const isQuestion = error instanceof ApiError && error.code === 'face_already_registered';
      if (isQuestion && only !== undefined) onQuestion(only);
      else showFailure(error);
      readAgain();
    },
  });
}
