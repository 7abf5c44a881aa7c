/** A button that acts only when it is held down: by pointer, by Enter or by Space. Knows nothing of what it does. */
import { VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import classes from './hold-button.module.css';

/** How long it has to be held, in milliseconds. */
const HOLD_MS = 1_500;

export interface HoldButtonProps {
  children: ReactNode;
  icon: ReactNode;
  /** What to do, for those who cannot see that it fills up. */
  hint: string;
  /** Said while it is held. */
  holding: string;
  onHeld: () => void;
  /** Pressed by something that cannot hold: a voice, a switch. It should ask instead. */
  onPressed: () => void;
  disabled?: boolean;
}

export function HoldButton({ children, icon, hint, holding, onHeld, onPressed, disabled }: HoldButtonProps) {
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
    <span className={classes.frame}>
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
        // A long touch would open the menu of the browser.
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
          // Made by no pointer and no key of ours.
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
          {isHeld ? holding : children}
        </span>
      </button>
      <span id={hintId} className={classes.hint} data-shown={hasLetGo || undefined}>
        {hint}
      </span>
      <VisuallyHidden role="status">{isHeld ? holding : hasLetGo ? hint : ''}</VisuallyHidden>
    </span>
  );
}
