/** A success notice with something to press in it: the notice's words are read out, and its buttons can be reached. */
import { toast } from 'react-hot-toast';
import { ActionButton } from './action.tsx';
import styles from './notify-actions.module.css';
import { wantToaster } from './toast-host.ts';

wantToaster();

export interface NoticeAction {
  readonly label: string;
  /** As `aria-keyshortcuts` wants it: `Control+Z`. */
  readonly shortcut?: string;
  readonly onPress: () => void;
}

/** Shows the notice for `durationMs`, whatever lies over it; pressing any of its buttons ends it. Answers the way to end it. */
export function notifyWithActions(
  text: string,
  actions: readonly NoticeAction[],
  durationMs: number,
): () => void {
  const id = toast.success(
    <span className={styles.notice}>
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
  // The library stops its own clock while the pointer is over a notice: what is offered would have run out by then.
  const timer = setTimeout(end, durationMs);
  function end(): void {
    clearTimeout(timer);
    toast.dismiss(id);
  }
  return end;
}
