/** Accounts of parents and staff, roles, and what vouches for an account. */
import type { ApprovalAction } from '@haris/contract/http/approvals';
import type { Generated } from 'kysely';
import type { AccountKindColumn, Flag } from './columns.ts';

interface ParentsTable {
  id: string;
  name: string;
  email: string;
  phone: string | null;
  password_hash: string | null;
  email_verified: Flag;
  pending_email: string | null;
  /** Staff member who entered the pending address, until somebody has agreed to it; null if it waits for its link alone. */
  pending_email_by: Generated<string | null>;
  /** When the pending address was entered. */
  pending_email_at: Generated<number | null>;
  photo_id: string | null;
  language: 'en' | 'ar';
  /** 1 once the person has chosen the language; until then it is the browser's preference. */
  language_chosen: Generated<Flag>;
  /** Folded name; lists are ordered by it. */
  sort_name: string;
  created_at: number;
  /** Who registered the account. */
  made_by: Generated<'self' | 'staff'>;
  /** Rough network of the registration; null if staff created the account. */
  made_from: Generated<string | null>;
  /**
   * Proof that the password belongs to the owner of the e-mail: `staff` set it, it was set or first used through the
   * mailed `link`, a code was shown at the `desk`, or the account dates from `before` this column. Null: the person who
   * registered chose it, and has not proven to be the owner of the e-mail.
   */
  password_proof: Generated<'staff' | 'link' | 'desk' | 'before' | null>;
  /** Device (`device:` and hash) or network (`network:` and keyed hash) that opened the verification link. */
  link_opened_by: Generated<string | null>;
  /** Time at which staff vouched for the account at the desk. */
  vouched_at: Generated<number | null>;
  /** Time at which the owner of the e-mail denied having registered. */
  disowned_at: Generated<number | null>;
  /** When staff blocked the family; since then nobody can sign in. */
  blocked_at: Generated<number | null>;
}

/** A change by a parent of which the account's address is told, or what staff rejected of a child. */
export type FamilyChange =
  | 'own_photo'
  | 'own_name'
  | 'own_phone'
  | 'child_photo'
  | 'child_name'
  | 'child_birth_date'
  | 'child_photos'
  | 'collector'
  | 'pass'
  | RejectedChange;

export type RejectedChange =
  | 'child_photo_rejected'
  | 'child_name_rejected'
  | 'child_birth_date_rejected'
  | 'child_photos_rejected';

/** Changes that go with the next mail about changes, because a limit held their own mail back. */
interface HeldChangesTable {
  parent_id: string;
  /** The account's address at the time of the change. */
  email: string;
  change: FamilyChange;
}

interface StaffTable {
  id: string;
  name: string;
  email: string;
  /** Empty: none. The person signs in at the identity provider (decision 046). */
  password_hash: string;
  /**
   * The staff member who created the account with a password, and so knows it; null once the person has chosen a
   * password.
   */
  password_set_by: string | null;
  national_id_sealed: Uint8Array | null;
  /** Keyed hash, so that a unique index can forbid duplicates without knowing the number. */
  national_id_mac: string | null;
  email_verified: Flag;
  language: 'en' | 'ar';
  /** 1 once the person has chosen the language; until then it is the browser's preference. */
  language_chosen: Generated<Flag>;
  photo_id: Generated<string | null>;
  sort_name: string;
  search_text: string;
  created_at: number;
}

interface FacilitiesTable {
  id: string;
  created_at: number;
}

/** Roles that were made here; those that come with Haris are constants of the contract. */
interface RolesTable {
  id: string;
  name: string;
  /** Folded name; unique. */
  sort_name: string;
  /** JSON: a list of permissions. */
  permissions: string;
  created_at: number;
}

/** The role of a staff member at a facility (decision 042). */
interface MembershipsTable {
  staff_id: string;
  /** Empty: at every facility. */
  facility_id: string;
  role_id: string;
}

/** Requests for the approval of a second person (decision 047). */
interface ApprovalsTable {
  id: string;
  /** Added to inserted rows by the facility plugin. */
  facility_id: Generated<string>;
  action: ApprovalAction;
  /** The call: method, path and sorted query. */
  target: string;
  subject_kind: 'admin' | 'parent' | 'child' | null;
  subject_id: string | null;
  asked_by: string;
  asked_at: number;
  state: 'waiting' | 'approved' | 'refused' | 'withdrawn';
  decided_by: string | null;
  decided_at: number | null;
  used_at: number | null;
}

/** Browsers in which an account signed in. */
interface KnownDevicesTable {
  device_hash: string;
  account_kind: AccountKindColumn;
  account_id: string;
  last_at: number;
}

/** Networks from which an account signed in. */
interface KnownNetworksTable {
  /** Keyed hash. */
  network_mac: string;
  account_kind: AccountKindColumn;
  account_id: string;
  last_at: number;
}

/** Code that a parent shows at the desk; at most one per parent. */
interface DeskCodesTable {
  parent_id: string;
  /** Keyed hash, because six digits can be guessed from a plain hash. */
  code_mac: string;
  /** Number of wrong attempts. */
  tries: number;
  expires_at: number;
}

export interface PeopleTables {
  parents: ParentsTable;
  held_changes: HeldChangesTable;
  staff: StaffTable;
  facilities: FacilitiesTable;
  roles: RolesTable;
  memberships: MembershipsTable;
  approvals: ApprovalsTable;
  known_devices: KnownDevicesTable;
  known_networks: KnownNetworksTable;
  desk_codes: DeskCodesTable;
}
