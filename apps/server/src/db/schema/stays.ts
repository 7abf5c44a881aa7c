/** Rooms, stays in them, announced pick-ups, and visitors. */
import type { StayEndKind } from '@haris/contract/fields';
import type { PickupSource } from '@haris/contract/objects';
import type { Generated } from 'kysely';
import type { Flag } from './columns.ts';

/** A room of a facility (decision 043). Cameras, sensors, limits and incidents refer to it by name, in `area`. */
interface RoomsTable {
  id: string;
  facility_id: Generated<string>;
  name: string;
  /** Folded name, unique in the facility. */
  sort_name: string;
  /** Null: no limit. */
  capacity: number | null;
  capacity_kind: 'hard' | 'soft';
  /** JSON: `{ underMonths, childrenPerStaff }`, youngest first. */
  ratios: string;
  /** Exactly one room of a facility has 1. */
  is_default: Flag;
  created_at: number;
  /** Counts changes; writing it locks the room on both databases. */
  version: number;
}

/** A change of a stay's room. Rows are only added. */
interface RoomMovesTable {
  id: string;
  facility_id: Generated<string>;
  stay_id: string;
  from_room_id: string | null;
  to_room_id: string;
  by_id: string;
  at: number;
}

/** Times of staff in rooms; at most one open row per person. */
interface RoomStaffTable {
  id: string;
  facility_id: Generated<string>;
  staff_id: string;
  room_id: string;
  from_at: number;
  to_at: number | null;
}

/** A head count of a group that has arrived in another room (decision 056). */
interface HeadCountsTable {
  id: string;
  /** Added to inserted rows by the facility plugin. */
  facility_id: Generated<string>;
  from_room_id: string;
  to_room_id: string;
  started_by: string;
  started_at: number;
  ended_by: string | null;
  ended_at: number | null;
  /** Null until somebody has ended it. */
  outcome: 'moved' | 'cancelled' | null;
}

/** A child of a head count, with what staff last said of it. */
interface HeadCountChildrenTable {
  count_id: string;
  child_id: string;
  /** The stay that was open then. */
  stay_id: string;
  /** 1: was not on the list, and stood there. */
  is_added: Flag;
  /** Null: nobody has said anything. */
  state: 'here' | 'stays' | null;
  by_id: string | null;
  at: number | null;
  /** When the count raised the danger that the child is missing; null: not since the last word was taken back. */
  alerted_at: number | null;
}

interface StaysTable {
  id: string;
  /** Added to inserted rows by the facility plugin. */
  facility_id: Generated<string>;
  unique_entry_id: string;
  child_id: string;
  checked_in_by: string;
  entry_time: number;
  /** In whole minutes. */
  duration: number;
  checked_out_by: string | null;
  exit_time: number | null;
  /** When `child.time_up` was emitted; null until then. */
  time_up_at: number | null;
  /** When the next check of the sleeping child is due; null while it is awake (decision 052). */
  sleep_due_at: Generated<number | null>;
  /** When the check-in was undone, which makes the stay void and closes it. Null for all other stays. */
  voided_at: Generated<number | null>;
  /** The child's current or last room; null for a stay that ended before rooms existed. */
  room_id: Generated<string | null>;
  /** When the child came into that room; null for a stay that was open when rooms were introduced. */
  room_since: Generated<number | null>;
  /** On the entry slip only, never on the parent's phone; null for a stay that is older than this column. */
  slip_token: Generated<string | null>;
  /** When the booking of its day ended, written at the checkout; null without one, and while the stay is open. */
  booked_until: Generated<number | null>;
  /** Which end was chosen at the check-in; null for a period, and for a stay that is older than this column. */
  end_kind: Generated<StayEndKind | null>;
}

/** Announced pick-ups (decision 036); at most one per stay. A row counts while its stay is open. */
interface PickupsTable {
  stay_id: string;
  child_id: string;
  /** The account that announced it. */
  parent_id: string;
  source: PickupSource;
  arrives_at: number;
  announced_at: number;
  /** When staff confirmed that they have seen it. */
  seen_at: number | null;
}

/** An undone check-in or checkout, or one whose time was put right, with the stay's previous values. */
interface StayCorrectionsTable {
  id: string;
  stay_id: string;
  /** `checkout_undone` also for a checkout that was replaced by another one. */
  kind: 'check_in_undone' | 'checkout_undone' | 'check_in_moved';
  corrected_by: string;
  corrected_at: number;
  exit_time_before: number | null;
  checked_out_by_before: string | null;
  time_up_at_before: number | null;
  /** Of `check_in_moved` only. */
  entry_time_before: number | null;
}

/** Extensions of stays, including those that were undone. */
interface StayExtensionsTable {
  id: string;
  stay_id: string;
  /** In whole minutes. */
  duration_before: number;
  duration_after: number;
  time_up_at_before: number | null;
  extended_by: string;
  extended_at: number;
  undone_by: string | null;
  undone_at: number | null;
  /** When the notification of the parent was enqueued, or found to be needless; null until then. */
  notified_at: number | null;
}

/** People without an account whom staff signed in by name: visitors, and colleagues without a session. */
interface VisitorsTable {
  id: string;
  /** Added to inserted rows by the facility plugin. */
  facility_id: Generated<string>;
  kind: 'visitor' | 'staff';
  name: string;
  search_text: string;
  phone: string | null;
  reason: string | null;
  signed_in_at: number;
  signed_in_by: string;
  signed_out_at: number | null;
  signed_out_by: string | null;
}

export interface StayTables {
  rooms: RoomsTable;
  room_moves: RoomMovesTable;
  room_staff: RoomStaffTable;
  head_counts: HeadCountsTable;
  head_count_children: HeadCountChildrenTable;
  stays: StaysTable;
  pickups: PickupsTable;
  stay_corrections: StayCorrectionsTable;
  stay_extensions: StayExtensionsTable;
  visitors: VisitorsTable;
}
