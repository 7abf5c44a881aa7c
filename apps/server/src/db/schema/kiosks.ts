/** Tablets at the door and at the desk. */
import type { Generated } from 'kysely';
import type { Flag } from './columns.ts';

/** A tablet at which families announce themselves (decision 038), or one that staff share (decision 045). */
interface KiosksTable {
  id: string;
  /** Added to inserted rows by the facility plugin. */
  facility_id: Generated<string>;
  kind: Generated<'kiosk' | 'desk'>;
  name: string;
  sort_name: string;
  /** Writing it locks the kiosk on both databases. */
  created_at: number;
}

interface KioskPairingsTable {
  kiosk_id: string;
  /** Keyed hash, because a code is short enough to be guessed from a plain hash. */
  code_mac: string;
  expires_at: number;
}

interface KioskDevicesTable {
  kiosk_id: string;
  token_hash: string;
  paired_at: number;
  last_used_at: number | null;
  /** See `row-seals.ts`; null in rows of an older version, which are not believed. */
  seal: string | null;
}

interface KioskPinsTable {
  parent_id: string;
  /** argon2id of a keyed hash, because few digits can be guessed from a plain hash. */
  pin_hash: string;
  set_at: number;
}

/** Code that a parent's page shows for a kiosk to scan; at most one per session. */
interface KioskCodesTable {
  session_hash: string;
  parent_id: string;
  code_hash: string;
  expires_at: number;
  /** See `row-seals.ts`; null in rows of an older version, which are not believed. */
  seal: string | null;
}

/** Right of a family that has proven itself to make one request at one kiosk. */
interface KioskGrantsTable {
  grant_hash: string;
  kiosk_id: string;
  parent_id: string;
  proved_by: 'pin' | 'code';
  expires_at: number;
  /** See `row-seals.ts`; null in rows of an older version, which are not believed. */
  seal: string | null;
}

/** The right of a desk tablet to write in a person's name while it has no connection; one per sign-in there (decision 055). */
interface DeskTicketsTable {
  token_hash: string;
  desk_id: string;
  staff_id: string;
  /** The session that the same sign-in opened. */
  session_hash: string;
  made_at: number;
  /** Nothing that happened later counts. */
  expires_at: number;
  /** When the session was ended, which ends the ticket for what happened later. */
  ended_at: number | null;
  /** See `row-seals.ts`. */
  seal: string | null;
}

/** What happened at a desk tablet without a connection, told later. */
interface DeskEntriesTable {
  /** Chosen by the tablet. */
  id: string;
  /** Added to inserted rows by the facility plugin. */
  facility_id: Generated<string>;
  desk_id: string;
  kind: 'check_in' | 'check_out';
  /** As the tablet named it; not always a child that is known here. */
  child_id: string;
  /** Null: the ticket is not one of this tablet. */
  staff_id: string | null;
  happened_at: number;
  /** The time that the tablet claimed, if it could not be. Otherwise null. */
  claimed_at: number | null;
  is_unsure: Flag;
  received_at: number;
  /** Keyed hash of all that the entry says. */
  fingerprint: string;
  outcome: 'applied' | 'merged' | 'conflict';
  /** Why it is a conflict; null for the others. */
  reason: string | null;
  /** Whether the child was checked in or out by it. */
  took_effect: Flag;
  /** The stay as the tablet named it: another one than the stay has, if another desk has checked the child in too. */
  entry_code: string;
  /** The stay that it concerns, if there is one. */
  stay_id: string | null;
  /**
   * Who took the child and by which kind of proof, or for how long and into which room it came, sealed with the child's key; null for a
   * child that is not known here, and for a check-in that is older than conflicts.
   */
  sealed: Uint8Array | null;
  /** When the child may have left with the wrong adult by it, so that the danger opens; null for the others. */
  doubtful_at: number | null;
  /** When staff have settled the conflict, who, and how; null while it is open. */
  settled_at: number | null;
  settled_by: string | null;
  choice: 'keep' | 'take' | null;
  /** What they wrote about it, sealed with the child's key. */
  note: Uint8Array | null;
}

/** Requests that families made at a kiosk, one row per child. */
interface KioskRequestsTable {
  id: string;
  /** Added to inserted rows by the facility plugin. */
  facility_id: Generated<string>;
  /** The same for children who were announced together. */
  visit_id: string;
  kiosk_id: string;
  kiosk_name: string;
  parent_id: string;
  child_id: string;
  kind: 'check_in' | 'pick_up';
  /** In whole minutes; null for a pick-up. */
  duration: number | null;
  proved_by: 'pin' | 'code';
  state: 'waiting' | 'done' | 'refused' | 'ended';
  created_at: number;
  expires_at: number;
  ended_at: number | null;
}

export interface KioskTables {
  kiosks: KiosksTable;
  kiosk_pairings: KioskPairingsTable;
  kiosk_devices: KioskDevicesTable;
  kiosk_pins: KioskPinsTable;
  kiosk_codes: KioskCodesTable;
  kiosk_grants: KioskGrantsTable;
  kiosk_requests: KioskRequestsTable;
  desk_tickets: DeskTicketsTable;
  desk_entries: DeskEntriesTable;
}
