/** Follows a child that is dragged with the mouse or a finger, and the room under it. Makes no calls and draws nothing. */
import { DragDropManager, Draggable, PointerActivationConstraints, PointerSensor } from '@dnd-kit/dom';

/** Pixels that a mouse must move before it drags; less is a click. */
const DRAG_FROM_PX = 6;
/** A finger drags after so long (milliseconds) without going further than this (pixels): otherwise it scrolls. */
const HOLD_MS = 300;
const HOLD_WITHIN_PX = 8;

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface DragListener {
  onStart: (childId: string, point: Point) => void;
  /** `roomId`: `data-room` of the element under the pointer; null if there is no room. */
  onMove: (point: Point, roomId: string | null) => void;
  /** `roomId` is null if it was dropped elsewhere, or cancelled. */
  onEnd: (roomId: string | null) => void;
}

function roomAt({ x, y }: Point): string | null {
  return document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-room]')?.dataset.room ?? null;
}

/** The child at which a drag begins; buttons are pressed, not dragged. */
function childAt({ target }: Event): string | undefined {
  if (!(target instanceof Element) || target.closest('button, input') !== null) return undefined;
  return target.closest<HTMLElement>('[data-child]')?.dataset.child;
}

/**
 * Lets the children below `root` (elements with `data-child`) be dragged. One listener serves all rows: there may be two
 * hundred. Returns a function that ends it.
 */
export function followDrags(root: HTMLElement, listener: DragListener): () => void {
  let childId: string | undefined;
  const manager = new DragDropManager({
    // The page stays where it is: all rooms are in the strip, which is where it would begin to scroll.
    plugins: [],
    sensors: [
      PointerSensor.configure({
        activationConstraints: ({ pointerType }) =>
          pointerType === 'touch'
            ? [new PointerActivationConstraints.Delay({ value: HOLD_MS, tolerance: HOLD_WITHIN_PX })]
            : [new PointerActivationConstraints.Distance({ value: DRAG_FROM_PX })],
        preventActivation(event) {
          childId = childAt(event);
          return childId === undefined;
        },
      }),
    ],
  });
  const source = new Draggable({ id: 'child', element: root }, manager);
  const { monitor } = manager;
  const stops = [
    monitor.addEventListener('dragstart', ({ operation }) => {
      if (childId !== undefined) listener.onStart(childId, operation.position.current);
    }),
    monitor.addEventListener('dragmove', ({ to, operation }) => {
      const point = to ?? operation.position.current;
      listener.onMove(point, roomAt(point));
    }),
    monitor.addEventListener('dragend', ({ operation, canceled }) => {
      listener.onEnd(canceled ? null : roomAt(operation.position.current));
    }),
  ];
  // A held finger must not open the menu of a link instead.
  const onMenu = (event: Event) => {
    if (event instanceof PointerEvent && event.pointerType === 'touch' && childAt(event) !== undefined)
      event.preventDefault();
  };
  root.addEventListener('contextmenu', onMenu);
  return () => {
    for (const stop of stops) stop();
    root.removeEventListener('contextmenu', onMenu);
    source.destroy();
    manager.destroy();
  };
}
