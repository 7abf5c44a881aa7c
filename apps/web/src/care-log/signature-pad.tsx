/** A field to sign in with a finger, a pen or a mouse. Its value is SVG path data of the contract's box. */
import { SIGNATURE_HEIGHT, SIGNATURE_MAX, SIGNATURE_WIDTH } from '@haris/contract/care-log';
import { Button } from '@mantine/core';
import { type PointerEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './care-log.module.css';

export interface SignaturePadProps {
  /** Finished strokes and the one that is drawn; empty: nothing yet. */
  path: string;
  onChange: (path: string) => void;
}

/** Points nearer than this to the last one are left out, in units of the box. */
const STEP = 4;
/** Characters of the longest point. */
const ROOM = 20;

const clamp = (value: number, most: number) => Math.max(0, Math.min(most, Math.round(value)));

export function SignaturePad({ path, onChange }: SignaturePadProps) {
  const { t } = useTranslation('care-log');
  const last = useRef<{ x: number; y: number } | null>(null);
  // Several points may come between two renders.
  const drawn = useRef(path);
  if (last.current === null) drawn.current = path;

  function pointOf({ currentTarget, clientX, clientY }: PointerEvent<SVGSVGElement>) {
    const box = currentTarget.getBoundingClientRect();
    return {
      x: clamp(((clientX - box.left) / (box.width || 1)) * SIGNATURE_WIDTH, SIGNATURE_WIDTH),
      y: clamp(((clientY - box.top) / (box.height || 1)) * SIGNATURE_HEIGHT, SIGNATURE_HEIGHT),
    };
  }
  function draw(next: string) {
    drawn.current = next;
    onChange(next);
  }
  function begin(event: PointerEvent<SVGSVGElement>) {
    if (event.button !== 0 || drawn.current.length > SIGNATURE_MAX - 2 * ROOM) return;
    event.currentTarget.setPointerCapture?.(event.pointerId);
    const { x, y } = pointOf(event);
    last.current = { x, y };
    const before = drawn.current === '' ? '' : `${drawn.current} `;
    // A point alone is a short stroke, as the dot of an i.
    draw(`${before}M${x} ${y} L${x} ${y}`);
  }
  function move(event: PointerEvent<SVGSVGElement>) {
    if (last.current === null || drawn.current.length > SIGNATURE_MAX - ROOM) return;
    const { x, y } = pointOf(event);
    if (Math.hypot(x - last.current.x, y - last.current.y) < STEP) return;
    last.current = { x, y };
    draw(`${drawn.current} L${x} ${y}`);
  }
  function end() {
    last.current = null;
  }
  return (
    <div className={classes.pad}>
      <svg
        className={classes.paper}
        viewBox={`0 0 ${SIGNATURE_WIDTH} ${SIGNATURE_HEIGHT}`}
        role="img"
        aria-label={t('sign.pad')}
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={end}
      >
        <line x1="40" x2={SIGNATURE_WIDTH - 40} y1="160" y2="160" />
        <path d={path} />
      </svg>
      <Button size="compact-sm" variant="subtle" disabled={path === ''} onClick={() => draw('')}>
        {t('sign.clear')}
      </Button>
    </div>
  );
}
