/** The generic dialog of spec §2: title, close button, closes on Escape and on a backdrop click. */
import { Modal, type ModalProps } from '@mantine/core';
import { type ReactNode, useEffect, useId, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './dialog.module.css';
import { useReturnFocus } from './use-return-focus.ts';

export interface DialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  size?: ModalProps['size'];
  /** False if the opener disappears with the dialog and the caller moves the focus. */
  returnFocus?: boolean;
  /**
   * The content is a form whose first part scrolls by itself and whose last part, the foot, is always seen; both are on
   * their own layers, so that nothing lies under the foot. On very low screens the whole dialog scrolls.
   */
  hasFoot?: boolean;
  /** Opens above another open dialog. */
  onTop?: boolean;
  children: ReactNode;
}

/** The open dialogs, the latest last: Escape closes that one alone. */
let open: readonly string[] = [];
const listeners = new Set<() => void>();

function setOpen(next: readonly string[]): void {
  open = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether no dialog was opened after this one. */
function useIsLatest(opened: boolean): boolean {
  const id = useId();
  useEffect(() => {
    if (!opened) return;
    setOpen([...open, id]);
    return () => setOpen(open.filter((one) => one !== id));
  }, [opened, id]);
  return useSyncExternalStore(subscribe, () => open.at(-1) === id);
}

/**
 * Moves the focus into the dialog on opening and back to its opener on closing. Put `data-autofocus` on the first
 * field.
 */
export function Dialog({
  opened,
  onClose,
  title,
  size = 'md',
  returnFocus = true,
  hasFoot = false,
  onTop = false,
  children,
}: DialogProps) {
  const { t } = useTranslation('common');
  useReturnFocus(opened, returnFocus);
  const isLatest = useIsLatest(opened);
  // Mount the dialog closed on first use, then open it, so that it fades in.
  const [isThere, setThere] = useState(false);
  useEffect(() => {
    if (opened) setThere(true);
  }, [opened]);
  if (!opened && !isThere) return null;
  return (
    <Modal
      opened={opened && isThere}
      onClose={onClose}
      title={title}
      size={size}
      centered
      returnFocus={false}
      closeOnEscape={isLatest}
      zIndex={onTop ? 300 : 200}
      radius="lg"
      padding="lg"
      {...(hasFoot ? { xOffset: 'min(5vw, 0.75rem)' } : {})}
      overlayProps={{ backgroundOpacity: 0.5, blur: 3 }}
      closeButtonProps={{ 'aria-label': t('close') }}
      // A second `header` element would be a second banner landmark.
      attributes={{ header: { role: 'presentation' } }}
      {...(hasFoot ? { classNames: { content: classes.content ?? '', body: classes.body ?? '' } } : {})}
      styles={{ title: { fontWeight: 600, fontSize: 'var(--mantine-font-size-lg)', lineHeight: 1.35 } }}
    >
      {children}
    </Modal>
  );
}
