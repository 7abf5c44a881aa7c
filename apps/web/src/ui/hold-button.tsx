/** A button that acts only when held down, by pointer, Enter or Space. */
import { VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import classes from './hold-button.module.css';

/** Required hold time in milliseconds. */
const HOLD_MS = 1_500;

export interface HoldButtonProps {
  children: ReactNode;
  icon: ReactNode;
  /** Instruction for people who cannot see the button fill up. */
  hint: string;
  /** Announced while the button is held. */
  holding: string;
  onHeld: () => void;
  /** Called when an input that cannot hold (voice, switch) presses the button; it should ask for confirmation. */
  onPressed: () => void;
  disabled?: boolean;
  /** Shows the icon alone; the label stays the accessible name. */
  isCompact?: boolean;
  /** As wide as its place. */
  isBlock?: boolean;
}

export function HoldButton({
  children,
  icon,
  hint,
  holding,
  onHeld,
  onPressed,
  disabled,
  isCompact = false,
  isBlock = false,
}: HoldButtonProps) {
  const [isHeld, setHeld] = useState(false);
  const [hasLetGo, setLetGo] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hintId = useId();
  useEffect(() => () => clearTimeout(timer.current), []);

  const hold = () => {
    if (disabled === true || isHeld) return;
    setHeld(true);
    setLetGo(false);
    timer.current = setTimeout(() => {
      setHeld(false);
      onHeld();
    }, HOLD_MS);
  };
  const letGo = () => {
    if (!isHeld) return;
    clearTimeout(timer.current);
    setHeld(false);
    setLetGo(true);
  };
  const isKey = ({ key }: KeyboardEvent) => key === 'Enter' || key === ' ';

  return (
    <span className={classes.frame} data-compact={isCompact || undefined} data-block={isBlock || undefined}>
      <button
        type="button"
        className={classes.button}
        disabled={disabled}
        data-held={isHeld || undefined}
        aria-describedby={hintId}
        onPointerDown={(event) => {
          if (event.button === 0) hold();
        }}
        onPointerUp={letGo}
        onPointerLeave={letGo}
        onPointerCancel={letGo}
        onBlur={letGo}
        // A long touch would open the browser's context menu.
        onContextMenu={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (!isKey(event)) return;
          event.preventDefault();
          if (!event.repeat) hold();
        }}
        onKeyUp={(event) => {
          if (!isKey(event)) return;
          event.preventDefault();
          letGo();
        }}
        onClick={(event) => {
          // Assistive technology clicks without a pointer or key event, so `detail` is 0.
          if (event.detail === 0) onPressed();
        }}
      >
        <span
          className={classes.fill}
          style={{ transitionDuration: isHeld ? `${HOLD_MS}ms` : '0s' }}
          aria-hidden="true"
        />
        <span className={classes.label}>
          {icon}
          <span className={classes.words}>{isHeld ? holding : children}</span>
        </span>
      </button>
      <span id={hintId} className={classes.hint} data-shown={hasLetGo || undefined}>
        {hint}
      </span>
      <VisuallyHidden role="status">{isHeld ? holding : hasLetGo ? hint : ''}</VisuallyHidden>
    </span>
  );
}
