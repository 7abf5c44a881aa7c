/** The room of a check-in: the children's own until somebody chooses another, and the reason to exceed its limit. */
import type { Room } from '@haris/contract/http/rooms';
import type { Child } from '@haris/contract/objects';
import { useState } from 'react';
import { isFull, useRooms } from '../../../calls/rooms.ts';
import { useMay } from '../../../session/may.ts';
import type { Place } from '../stays/check-in.ts';

export type EntryRoom = ReturnType<typeof useEntryRoom>;

const NO_ROOMS: readonly Room[] = [];

/** `chosen`: the children who come in. */
export function useEntryRoom(chosen: readonly Child[]) {
  const rooms = useRooms().data ?? NO_ROOMS;
  const mayExceed = useMay()('rooms.manage');
  const [picked, setPicked] = useState<string | null>(null);
  const [reason, setReason] = useState('');
  const [isAsked, setAsked] = useState(false);

  const usual = rooms.find(({ isDefault }) => isDefault)?._id ?? null;
  const roomOf = ({ homeRoomId }: Child) => picked ?? homeRoomId ?? usual;
  const targetsOf = (children: readonly Child[]) => Map.groupBy(children, roomOf);
  const targets = targetsOf(chosen);
  const isMixed = targets.size > 1;
  const shown = rooms.find(
    ({ _id }) => _id === (chosen.length === 0 ? (picked ?? usual) : [...targets.keys()][0]),
  );
  const fullFor = (children: readonly Child[]) =>
    [...targetsOf(children)].some(([id, coming]) => {
      const room = rooms.find(({ _id }) => _id === id);
      return room !== undefined && isFull(room, coming.length);
    });

  return {
    rooms,
    /** The room to show as chosen; null if the children go to different ones. */
    shown: isMixed ? null : (shown ?? null),
    isMixed,
    /** Whether a room has no place for all who come. */
    isTooFull: chosen.length > 0 ? fullFor(chosen) : shown !== undefined && isFull(shown),
    /** Whether this person may exceed a hard limit. */
    mayExceed,
    reason,
    /** Whether a reason was asked for and is still missing. */
    isReasonMissing: isAsked && reason.trim() === '',
    setReason,
    pick(id: string | null) {
      setPicked(id);
      setReason('');
      setAsked(false);
    },
    /**
     * The fields to send for these children; null if a required reason is missing. The server decides whether there is
     * a place.
     */
    place(children: readonly Child[]): Place | null {
      const isExceeding = mayExceed && fullFor(children);
      const given = reason.trim();
      setAsked(isExceeding && given === '');
      if (isExceeding && given === '') return null;
      return {
        ...(picked === null ? {} : { roomId: picked }),
        ...(isExceeding ? { overCapacityReason: given } : {}),
      };
    },
  };
}
