/** The children inside by room; a room can be folded away. */
import type { Room } from '@haris/contract/http/rooms';
import { Badge, UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRooms } from '../../../calls/rooms.ts';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { useLoaded } from '../../../ui/load-again.ts';
import { useMayMove } from '../moves/use-move.ts';
import { groupByRoom } from './arrange.ts';
import classes from './inside.module.css';
import { InsideList, type InsideListProps, type ShownChild } from './inside-list.tsx';

type ListProps = Omit<InsideListProps, 'shown' | 'labelledBy'>;

export interface RoomGroupsProps extends ListProps {
  shown: readonly ShownChild[];
}

const NO_ROOMS: readonly Room[] = [];

/** Loaded once the rooms are shown: nobody drags before. */
async function loadRoomDrag() {
  return (await import('../moves/room-drag.tsx')).RoomDrag;
}

export function RoomGroups({ shown, ...list }: RoomGroupsProps) {
  const byId = useMemo(() => new Map(shown.map((one) => [one._id, one])), [shown]);
  const known = useRooms().data ?? NO_ROOMS;
  const rooms = useMemo(
    () =>
      groupByRoom(
        shown.map(({ child }) => child),
        known.find(({ isDefault }) => isDefault)?.name,
      ),
    [shown, known],
  );
  const mayMove = useMayMove();
  const RoomDrag = useLoaded(loadRoomDrag, mayMove);
  const root = useRef<HTMLDivElement>(null);
  return (
    <div ref={root} data-draggable={RoomDrag === null ? undefined : true} className={classes.rooms}>
      {rooms.map((room) => (
        <RoomGroup
          key={room.name ?? ''}
          name={room.name}
          roomId={known.find(({ name }) => name === room.name)?._id}
          shown={room.children.flatMap(({ _id }) => byId.get(_id) ?? [])}
          {...list}
        />
      ))}
      {RoomDrag === null || !mayMove ? null : (
        <RoomDrag root={root} inside={shown.flatMap(({ child, hasLeft }) => (hasLeft ? [] : [child]))} />
      )}
    </div>
  );
}

function RoomGroup({
  name,
  roomId,
  shown,
  ...list
}: ListProps & { name: string | null; roomId: string | undefined; shown: readonly ShownChild[] }) {
  const { t } = useTranslation('dashboard');
  const format = useClockFormat();
  const [isOpen, setOpen] = useState(true);
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes.room} data-room={roomId}>
      <h3 className={classes.roomHead}>
        <UnstyledButton
          id={id}
          className={classes.roomButton}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <IconChevronDown size={18} aria-hidden />
          <bdi>{name ?? t('inside.noRoom')}</bdi>
          <Badge variant="light" size="sm" circle={shown.length < 10}>
            {format.count(shown.length)}
          </Badge>
        </UnstyledButton>
      </h3>
      {isOpen ? <InsideList {...list} shown={shown} labelledBy={id} /> : null}
    </section>
  );
}
