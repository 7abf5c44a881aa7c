/** Moves a child by dragging its row or tile to another room: the rooms to drop it on, and the name under the pointer. */
import type { Child } from '@haris/contract/objects';
import { Portal } from '@mantine/core';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isFull, useRooms } from '../../../calls/rooms.ts';
import { isRefusedOffline } from '../stays/offline.ts';
import { followDrags, type Point } from './follow-drags.ts';
import classes from './room-drag.module.css';
import { useMove } from './use-move.ts';
import { useRoomWords } from './use-room-words.ts';

export interface RoomDragProps {
  /** Holds the rows (`data-child`); rooms below it are those with `data-room`. */
  root: RefObject<HTMLElement | null>;
  inside: readonly Child[];
}

/** Renders nothing until a child is dragged. Keyboard users press `m` instead; screen readers offer the buttons. */
export function RoomDrag({ root, inside }: RoomDragProps) {
  const { t } = useTranslation('dashboard');
  const rooms = useRooms().data ?? [];
  const wordsOf = useRoomWords();
  const move = useMove();
  const [dragged, setDragged] = useState<{ readonly child: Child; readonly at: Point } | null>(null);
  const [overId, setOverId] = useState<string | null>(null);
  const chip = useRef<HTMLDivElement>(null);
  const target = rooms.find(({ _id }) => _id === overId && _id !== dragged?.child.roomId);

  function drop(roomId: string | null) {
    const child = dragged?.child;
    setDragged(null);
    setOverId(null);
    if (child === undefined || roomId === null || roomId === child.roomId || isRefusedOffline()) return;
    move.mutate({ children: [child], roomId });
  }

  const latest = useRef({ start, drop });
  useLayoutEffect(() => {
    latest.current = { start, drop };
  });

  function start(childId: string, at: Point) {
    const child = inside.find(({ _id }) => _id === childId);
    if (child !== undefined) setDragged({ child, at });
  }

  useEffect(() => {
    if (root.current === null) return;
    return followDrags(root.current, {
      onStart: (childId, point) => latest.current.start(childId, point),
      onMove(point, roomId) {
        if (chip.current !== null) place(chip.current, point);
        setOverId(roomId);
      },
      onEnd: (roomId) => latest.current.drop(roomId),
    });
  }, [root]);

  // The sections of the rooms are rendered elsewhere, and must not render again with each move.
  useLayoutEffect(() => {
    for (const section of root.current?.querySelectorAll<HTMLElement>('[data-room]') ?? [])
      section.toggleAttribute('data-over', section.dataset.room === target?._id);
    document.documentElement.toggleAttribute('data-dragging', dragged !== null);
  });
  useEffect(() => () => document.documentElement.removeAttribute('data-dragging'), []);

  if (dragged === null) return null;
  return (
    <Portal>
      <div className={classes.dock} aria-hidden>
        <div className={classes.title}>{t('move.title')}</div>
        <div className={classes.rooms}>
          {rooms
            .filter(({ _id }) => _id !== dragged.child.roomId)
            .map((room) => (
              <div
                key={room._id}
                className={classes.room}
                data-room={room._id}
                data-over={room._id === target?._id || undefined}
                data-full={isFull(room) || undefined}
              >
                {wordsOf(room)}
              </div>
            ))}
        </div>
      </div>
      <div
        ref={(element) => {
          chip.current = element;
          if (element !== null && element.style.transform === '') place(element, dragged.at);
        }}
        className={classes.chip}
        data-target={target === undefined ? undefined : true}
        aria-hidden
      >
        <bdi>{dragged.child.name}</bdi>
        {target === undefined ? null : <span className={classes.to}>{target.name}</span>}
      </div>
    </Portal>
  );
}

/** Coordinates of the pointer are physical, whatever the direction of the text. */
function place(chip: HTMLElement, { x, y }: Point): void {
  chip.style.transform = `translate(${x}px, ${y}px) translate(-50%, -140%)`;
}
