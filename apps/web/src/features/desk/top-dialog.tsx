/** A small dialog above the tablet's list, which lies in the browser's top layer: the ordinary dialog would be below it. */
import { type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './kept-inside.module.css';

export interface TopDialogProps {
  title: string;
  /** Escape does not close it now. */
  isBusy?: boolean;
  onClose: () => void;
  /** Gets what closes the dialog. */
  children: (close: () => void) => ReactNode;
}

/** Put `data-autofocus` on what gets the focus; otherwise that is the first button or field. */
export function TopDialog({ title, isBusy = false, onClose, children }: TopDialogProps) {
  const frame = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    frame.current?.showModal();
    frame.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  }, []);
  return (
    <dialog
      ref={frame}
      className={styles.card}
      aria-labelledby={id}
      onCancel={(event) => {
        event.stopPropagation();
        if (isBusy) event.preventDefault();
      }}
      onClose={(event) => {
        event.stopPropagation();
        onClose();
      }}
    >
      <h2 id={id} className={styles.cardTitle}>
        {title}
      </h2>
      {children(() => frame.current?.close())}
    </dialog>
  );
}
