/** The room of a check-in: that of the children, or another one; it says which are full. */
import { NativeSelect, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isFull } from '../../../calls/rooms.ts';
import { OverCapacityReason } from '../moves/over-capacity-reason.tsx';
import { useRoomWords } from '../moves/use-room-words.ts';
import type { EntryRoom } from './use-entry-room.ts';

export interface RoomPickerProps {
  room: EntryRoom;
  /** Number of children to check in. */
  coming: number;
  size?: 'sm' | 'md';
}

/** Renders nothing while there is one room, unless that is full. */
export function RoomPicker({ room, coming, size = 'md' }: RoomPickerProps) {
  const { t } = useTranslation('dashboard');
  const wordsOf = useRoomWords();
  const { rooms, shown, isMixed, isTooFull, mayExceed } = room;
  if (rooms.length < 2 && !isTooFull) return null;
  const refusal = mayExceed ? t('entry.roomOver') : t('entry.roomFull');
  return (
    <Stack gap="xs">
      <NativeSelect
        size={size}
        label={t('entry.room')}
        value={shown?._id ?? ''}
        error={isTooFull ? refusal : undefined}
        onChange={({ currentTarget }) => room.pick(currentTarget.value === '' ? null : currentTarget.value)}
        data={[
          ...(isMixed ? [{ value: '', label: t('entry.homeRooms') }] : []),
          ...rooms.map((one) => ({
            value: one._id,
            label: wordsOf(one),
            disabled: !mayExceed && one !== shown && isFull(one, Math.max(1, coming)),
          })),
        ]}
      />
      {isTooFull && mayExceed ? (
        <OverCapacityReason reason={room.reason} isMissing={room.isReasonMissing} onChange={room.setReason} />
      ) : null}
    </Stack>
  );
}
