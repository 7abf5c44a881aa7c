/** The keys that undo the last action of this desk. */
import { useTranslation } from 'react-i18next';
import { useShortcut } from '../../../keys/shortcuts.ts';
import { undoOffers, useUndo } from './undo.ts';

/** Ctrl+Z (⌘Z) and u undo this desk's last action, except in text fields, where Ctrl+Z undoes typing. */
export function useUndoShortcut(): void {
  const { t } = useTranslation('keys');
  const undoOffer = useUndo();
  const undoLast = () => {
    const last = undoOffers.all().findLast(({ isOpen }) => isOpen);
    if (last !== undefined) undoOffer(last);
  };
  useShortcut({ keys: 'mod+z', group: 'desk', label: t('undo'), run: undoLast });
  useShortcut({ keys: 'u', group: 'desk', label: t('undo'), run: undoLast });
}
