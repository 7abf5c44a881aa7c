/** The generic dialog of spec §2: title, close button, closes on Escape and on a backdrop click. */
import { Modal, type ModalProps } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useReturnFocus } from './use-return-focus.ts';

export interface DialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  size?: ModalProps['size'];
  /** False where what opened it goes away with it, and the focus is led elsewhere. */
  returnFocus?: boolean;
  /** Lies above a dialog that is open already. */
  onTop?: boolean;
  children: ReactNode;
}

/** Focus goes into the dialog when it opens and back to its opener when it closes. Put `data-autofocus` on a field. */
export function Dialog({
  opened,
  onClose,
  title,
  size = 'md',
  returnFocus = true,
  onTop = false,
  children,
}: DialogProps) {
  const { t } = useTranslation('common');
  useReturnFocus(opened, returnFocus);
  // Nothing is drawn of a dialog that nobody has opened yet; then it stands there closed first, so that it fades in.
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
      zIndex={onTop ? 300 : 200}
      radius="lg"
      padding="lg"
      overlayProps={{ backgroundOpacity: 0.5, blur: 3 }}
      closeButtonProps={{ 'aria-label': t('close') }}
      // A `header` outside the page's own would be a second banner landmark.
      attributes={{ header: { role: 'presentation' } }}
      styles={{ title: { fontWeight: 600, fontSize: 'var(--mantine-font-size-lg)', lineHeight: 1.35 } }}
    >
      {children}
    </Modal>
  );
}
