/** A room to choose, with its children, its capacity and whether it is full. */
import type { Room } from '@haris/contract/http/rooms';
import { useTranslation } from 'react-i18next';
import { isFull } from '../../../calls/rooms.ts';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';

export function useRoomWords(): (room: Room) => string {
  const { t } = useTranslation('dashboard');
  const format = useClockFormat();
  return (room) => {
    const { name, children, capacity } = room;
    if (capacity === null) return t('move.room', { name, children: format.count(children) });
    const words = { name, children: format.count(children), capacity: format.count(capacity) };
    return t(isFull(room) ? 'move.fullRoom' : 'move.roomOf', words);
  };
}
