/** A room for page tests, as in the contract. */
import type { Room } from '@haris/contract/http/rooms';

export function room(more: Partial<Room> = {}): Room {
  return {
    _id: 'room-1',
    name: 'Playroom',
    capacity: null,
    capacityKind: 'soft',
    ratios: [],
    isDefault: false,
    children: 0,
    staff: [],
    ratio: null,
    isOverCapacity: false,
    isUnderstaffed: null,
    cameras: 0,
    sensors: 0,
    homeChildren: 0,
    ...more,
  };
}
