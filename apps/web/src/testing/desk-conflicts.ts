/** Conflicts of desk tablets for page tests: each function fills the fields that a test does not set. */
import type { DeskConflict } from '@haris/contract/http/desk-conflicts';

type Desk = DeskConflict['desk'];
type Stay = NonNullable<DeskConflict['stay']>;

const salma = { _id: 'admin-salma', name: 'Salma Adel' };

/** Desk 2 wrote that Mona took the child at 3:10 PM in Cairo, and told it at 3:41 PM. */
export function deskWord(more: Partial<Desk> = {}): Desk {
  return {
    kind: 'check_out',
    tablet: { _id: 'desk-2', name: 'Desk 2' },
    at: '2026-03-18T13:10:00.000Z',
    claimedAt: null,
    isUnsure: false,
    receivedAt: '2026-03-18T13:41:00.000Z',
    by: { _id: 'admin-hana', name: 'Hana Nabil' },
    adult: { _id: 'parent-mona', kind: 'guardian', name: 'Mona Hassan' },
    proof: 'slip',
    ...more,
  };
}

/** Inside since noon in Cairo. */
export function stayNow(more: Partial<Stay> = {}): Stay {
  return {
    entryTime: '2026-03-18T10:00:00.000Z',
    exitTime: null,
    isVoid: false,
    checkedInBy: salma,
    checkedOutBy: null,
    room: 'Bees',
    adult: null,
    proof: null,
    ...more,
  };
}

/** Omar left by the word of Desk 2, and somebody saw him later. */
export function deskConflict(more: Partial<DeskConflict> = {}): DeskConflict {
  return {
    _id: 'conflict-omar',
    revision: 'revision-1',
    reason: 'seen_later',
    child: { _id: 'child-omar', name: 'Omar Hassan' },
    desk: deskWord(),
    stay: stayNow(),
    canTake: true,
    settled: null,
    ...more,
  };
}
