/** A success toast with buttons: a screen reader announces its text, and the keyboard reaches the buttons. */
import { toast } from 'react-hot-toast';
import { ActionButton } from './action.tsx';
import styles from './action-toast.module.css';
import { wantToaster } from './toast-host.ts';

wantToaster();

export interface ToastAction {
  readonly label: string;
  /** Shortcut in the format of `aria-keyshortcuts`: `Control+Z`. */
  readonly shortcut?: string;
  readonly onPress: () => void;
}

/** Shows the toast for `durationMs`, also under the pointer; pressing a button closes it. Returns a function that closes it. */
export function notifyWithActions(
  text: string,
  actions: readonly ToastAction[],
  durationMs: number,
): () => void {
  const id = toast.success(
    <span className={styles.toast}>
      <span className={styles.text}>{text}</span>
      {actions.map(({ label, shortcut, onPress }) => (
        <ActionButton
          key={label}
          look="light"
          className={styles.action}
          aria-keyshortcuts={shortcut}
          onClick={() => {
            end();
            onPress();
          }}
        >
          {label}
        </ActionButton>
      ))}
    </span>,
    { duration: Number.POSITIVE_INFINITY },
  );
  // The library pauses its timer while the pointer is over a toast, but the action must expire on time.
  const timer = setTimeout(end, durationMs);
  function end(): void {
    clearTimeout(timer);
    toast.dismiss(id);
  }
  return end;
}
