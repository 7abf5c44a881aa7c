/** Checks several children in, one call each, and says who could not be. */
import type { EntryPeriod } from '@haris/contract/fields';
import type { Child } from '@haris/contract/objects';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../client/api-error.ts';
import { failureText, showFailure } from '../../client/failure.ts';
import { keys } from '../../client/query-client.ts';
import { checkIn } from './stay-actions.ts';
import { undoOffers, useOfferNotice } from './undo.ts';

export interface EntryFailure {
  child: Child;
  /** The sentence to show beside the name. */
  message: string;
}

export interface Entry {
  children: readonly Child[];
  minutes: EntryPeriod;
  /** Who is the child in what the family gave, by child; confirmed in the same step. */
  revisions: ReadonlyMap<string, string>;
}

export interface EntryOutcomes {
  /** All are inside. */
  onDone: () => void;
  /** Those who are not, for more than one child. */
  onFailures: (failures: EntryFailure[]) => void;
  onPrint: (children: readonly Child[]) => void;
  /** The only child's new face looks like somebody else's. */
  onQuestion: (child: Child) => void;
}

/** With one notice for all who came in: it offers their slips, and the way back. */
export function useRegisterEntry({ onDone, onFailures, onPrint, onQuestion }: EntryOutcomes) {
  const { t } = useTranslation('dashboard');
  const client = useQueryClient();
  const notifyWithUndo = useOfferNotice();
  /** Who is refused is not as this page believes. */
  const readAgain = () => void client.invalidateQueries({ queryKey: [keys.parents] });

  function announce(entered: readonly Child[]): void {
    const offer = undoOffers.hold('checkIn', entered).open();
    const label = entered.length === 1 ? t('entry.printSlip') : t('entry.printSlips');
    notifyWithUndo(t('entry.success'), offer, [{ label, onPress: () => onPrint(entered) }]);
  }

  return useMutation({
    mutationFn: async ({ children, minutes, revisions }: Entry) => {
      const entered: Child[] = [];
      const failures: EntryFailure[] = [];
      for (const child of children) {
        try {
          entered.push(await checkIn(client, child._id, minutes, revisions.get(child._id)));
        } catch (error) {
          // Nobody signed in any more: nothing to tell apart.
          if (error instanceof ApiError && error.status === 401) throw error;
          // One child alone needs no name beside the sentence.
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
    onError: (error, { children: [only] }) => {
      const isQuestion = error instanceof ApiError && error.code === 'face_already_registered';
      if (isQuestion && only !== undefined) onQuestion(only);
      else showFailure(error);
      readAgain();
    },
  });
}
