/** Keys that act on the row or tile with the keyboard focus: `e` extends, `p` prints its slip, `m` moves it. */
import type { Child } from '@haris/contract/objects';
import { useTranslation } from 'react-i18next';
import { useShortcut } from '../../../keys/shortcuts.ts';
import { useMay } from '../../../session/may.ts';
import { useMayMove } from '../moves/use-move.ts';

/** The row or tile that holds the focus; null if the focus is elsewhere. */
function focusedRow(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>('[data-child]') ?? null;
}

export function useRowKeys(
  children: readonly Child[],
  { onPrint, onMove }: { onPrint: (child: Child) => void; onMove: (childIds: readonly string[]) => void },
): void {
  const { t } = useTranslation('dashboard');
  const mayMove = useMayMove();
  const mayCheckOut = useMay()('children.check_in');
  useShortcut(
    {
      keys: 'e',
      group: 'desk',
      label: t('inside.keys.extend'),
      run: () => focusedRow()?.querySelector<HTMLElement>('[data-more]')?.click(),
    },
    mayCheckOut,
  );
  useShortcut(
    {
      keys: 'p',
      group: 'desk',
      label: t('inside.keys.slip'),
      run: () => {
        const id = focusedRow()?.dataset.child;
        const child = children.find(({ _id }) => _id === id);
        if (child !== undefined) onPrint(child);
      },
    },
    mayCheckOut,
  );
  useShortcut(
    {
      keys: 'm',
      group: 'desk',
      label: t('move.key'),
      run: () => {
        const id = focusedRow()?.dataset.child;
        onMove(id === undefined ? [] : [id]);
      },
    },
    mayMove,
  );
}
