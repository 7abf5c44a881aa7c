/** Editor of privacy zones over the live picture, for pointer and keyboard. */
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf } from '../../i18n/locale.ts';
import type { ZoneEditor } from './use-zone-editor.ts';
import styles from './zone-editor.module.css';
import { addPoint, movePoint, moveZone, type Point, removePoint } from './zones.ts';

/** Step of an arrow key, as a fraction of the picture; longer with Shift. */
const STEP = 0.01;
const LONG_STEP = 0.05;

/** Draws areas and their corners, in picture coordinates. */
export function ZoneLayer({ editor }: { editor: ZoneEditor }) {
  const layer = useRef<HTMLDivElement>(null);
  const { zones, chosen, choose, change } = editor;

  /** Converts a pointer position to picture coordinates. */
  function pointOf(event: PointerEvent): Point {
    const box = layer.current?.getBoundingClientRect();
    if (box === undefined) return [0, 0];
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  }

  return (
    <div className={styles.layer} ref={layer}>
      <svg className={styles.areas} viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
        {zones.map((zone, at) => (
          <ZoneArea
            // biome-ignore lint/suspicious/noArrayIndexKey: a zone is its place in the list
            key={at}
            points={zone}
            isChosen={at === chosen}
            pointOf={pointOf}
            onChoose={() => choose(at)}
            onMove={(by) => change(moveZone(zones, at, by))}
          />
        ))}
      </svg>
      {zones.map((zone, at) =>
        at === chosen
          ? zone.map((point, corner) => (
              <Corner
                // biome-ignore lint/suspicious/noArrayIndexKey: a corner is its place in the zone
                key={corner}
                editor={editor}
                zone={at}
                corner={corner}
                point={point}
                pointOf={pointOf}
              />
            ))
          : null,
      )}
    </div>
  );
}

interface ZoneAreaProps {
  points: readonly Point[];
  isChosen: boolean;
  pointOf: (event: PointerEvent) => Point;
  onChoose: () => void;
  onMove: (by: Point) => void;
}

function ZoneArea({ points, isChosen, pointOf, onChoose, onMove }: ZoneAreaProps) {
  const last = useRef<Point | null>(null);
  return (
    <polygon
      className={styles.area}
      // As the face engine fills it: where the lines cross, all that they go round is covered.
      fillRule="nonzero"
      data-chosen={isChosen || undefined}
      points={points.map(([x, y]) => `${x},${y}`).join(' ')}
      vectorEffect="non-scaling-stroke"
      onPointerDown={(event) => {
        onChoose();
        last.current = pointOf(event);
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (last.current === null) return;
        const here = pointOf(event);
        onMove([here[0] - last.current[0], here[1] - last.current[1]]);
        last.current = here;
      }}
      onPointerUp={() => {
        last.current = null;
      }}
      onPointerCancel={() => {
        last.current = null;
      }}
    />
  );
}

interface CornerProps {
  editor: ZoneEditor;
  zone: number;
  corner: number;
  point: Point;
  pointOf: (event: PointerEvent) => Point;
}

/** Arrow keys move the corner, Enter adds one after it, Delete removes it. Directions are not mirrored in Arabic. */
function Corner({ editor, zone, corner, point: [x, y], pointOf }: CornerProps) {
  const { t, i18n } = useTranslation('cameras');
  const isHeld = useRef(false);
  const { zones, change } = editor;
  const percent = new Intl.NumberFormat(localeOf(i18n.language), { style: 'percent' });
  const number = new Intl.NumberFormat(localeOf(i18n.language));

  function onKeyDown(event: KeyboardEvent): void {
    const step = event.shiftKey ? LONG_STEP : STEP;
    const moves: Readonly<Record<string, Point>> = {
      ArrowLeft: [-step, 0],
      ArrowRight: [step, 0],
      ArrowUp: [0, -step],
      ArrowDown: [0, step],
    };
    const move = moves[event.key];
    if (move !== undefined) change(movePoint(zones, zone, corner, [x + move[0], y + move[1]]));
    else if (event.key === 'Enter') change(addPoint(zones, zone, corner));
    else if (event.key === 'Delete' || event.key === 'Backspace') change(removePoint(zones, zone, corner));
    else return;
    event.preventDefault();
  }

  return (
    <button
      type="button"
      className={styles.corner}
      style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
      aria-label={t('zones.corner', { corner: number.format(corner + 1), zone: number.format(zone + 1) })}
      aria-description={t('zones.place', { x: percent.format(x), y: percent.format(y) })}
      aria-keyshortcuts="ArrowLeft ArrowRight ArrowUp ArrowDown Enter Delete"
      onKeyDown={onKeyDown}
      onDoubleClick={() => change(addPoint(zones, zone, corner))}
      onPointerDown={(event) => {
        isHeld.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (isHeld.current) change(movePoint(zones, zone, corner, pointOf(event)));
      }}
      onPointerUp={() => {
        isHeld.current = false;
      }}
      onPointerCancel={() => {
        isHeld.current = false;
      }}
    />
  );
}
