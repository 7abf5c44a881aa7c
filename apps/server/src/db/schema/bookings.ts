/** Bookings and absences (decision 051). Rows of a child at a facility; they go with either. Days are local dates. */
import type { Generated } from 'kysely';
import type { AccountKindColumn } from './columns.ts';

/** A weekly pattern that applies from a day until a later one does. */
interface BookingPatternsTable {
  child_id: string;
  /** Added to inserted rows by the facility plugin. */
  facility_id: Generated<string>;
  /** `YYYY-MM-DD`. */
  valid_from: string;
  /** JSON: for each weekday `{ from, to }` in local time, or null. */
  week: string;
  set_by: string;
  set_at: number;
}

/** Other times of one day. */
interface BookingExceptionsTable {
  child_id: string;
  facility_id: Generated<string>;
  day: string;
  /** `HH:MM`; both null: the child does not come. */
  from_time: string | null;
  to_time: string | null;
  set_by: string;
  set_at: number;
}

/** Days on which a child does not come. A family's report has one row per facility, all with the same id. */
interface AbsencesTable {
  id: string;
  facility_id: Generated<string>;
  child_id: string;
  /** Both included. */
  from_day: string;
  to_day: string;
  /** JSON `{ reason, note }`, sealed by the vault: it can be about health. */
  sealed: Uint8Array;
  reporter_kind: AccountKindColumn;
  reported_by: string;
  reported_at: number;
}

/** "Coming later": when somebody said that the child comes on that day. */
interface BookingArrivalsTable {
  child_id: string;
  facility_id: Generated<string>;
  day: string;
  arrives_at: number;
  announced_by: string;
  announced_at: number;
}

export interface BookingTables {
  booking_patterns: BookingPatternsTable;
  booking_exceptions: BookingExceptionsTable;
  absences: AbsencesTable;
  booking_arrivals: BookingArrivalsTable;
}
