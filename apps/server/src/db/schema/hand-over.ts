/** Adults who may, or must not, take a child, and who took it (decision 049). */
import type { ProofKind } from '@haris/contract/release';
import type { Flag } from './columns.ts';

/** Accounts that answer for a child. The first of them is also in the child's own row. */
interface GuardiansTable {
  child_id: string;
  parent_id: string;
  /** Whether the account may watch the child, change its data, and name who collects it. */
  may_live: Flag;
  may_edit: Flag;
  may_collect: Flag;
  /** Whether it may take the child home. */
  may_take: Flag;
  /** The staff member who added it; null: the child was added to this account. */
  added_by: string | null;
  added_at: number;
  /** Without it the row has no effect. */
  accepted_at: number | null;
  ended_at: number | null;
  ended_by: string | null;
}

/** Adults without an account whom a family has named. Days are `YYYY-MM-DD` at the facility; null: no limit. */
interface CollectorsTable {
  id: string;
  child_id: string;
  /** Name, relation, phone and document, sealed with the child's key. */
  sealed: Uint8Array;
  valid_from: string | null;
  valid_until: string | null;
  /** JSON: numbers 0 (Sunday) to 6; empty: every day. */
  weekdays: string;
  /** Advances when name, relation or phone change, which also removes the confirmation. */
  version: number;
  /** The parent, or the staff member who entered it for the family. */
  named_by: string;
  created_at: number;
  /** When staff saw an identity document; null before. */
  confirmed_at: number | null;
  confirmed_by: string | null;
  ended_at: number | null;
}

/** One-time passes that a guardian sends to a collector. */
interface CollectorPassesTable {
  id: string;
  collector_id: string;
  /** SHA-256 of the token. */
  token_hash: string;
  /** The only day on which it counts, `YYYY-MM-DD` at the facility. */
  day: string;
  created_by: string;
  created_at: number;
  /** The stay that it ended; null before. */
  used_stay_id: string | null;
  revoked_at: number | null;
  /** See `row-seals.ts`; null in rows of an older version, which are not believed. */
  seal: string | null;
}

/** Adults to whom a child must not be handed. */
interface BarredAdultsTable {
  id: string;
  child_id: string;
  /** Name, phone and note, sealed with the child's key. */
  sealed: Uint8Array;
  /** The account or collector that is this person; null if none. */
  adult_id: string | null;
  /** JSON: `{ id, version }` of adults with the same name or phone who are somebody else. */
  others: string;
  /** Date of the court's document, `YYYY-MM-DD`. */
  document_date: string | null;
  created_by: string;
  created_at: number;
  lifted_by: string | null;
  lifted_at: number | null;
}

/** Who took a child at the end of a stay, and by which proof. */
interface ReleasesTable {
  stay_id: string;
  child_id: string;
  /** Both null if staff named nobody. */
  adult_kind: 'guardian' | 'collector' | null;
  adult_id: string | null;
  proof: ProofKind | null;
  /** The step of a pick-up code, so that it is not accepted again. */
  code_step: number | null;
  released_by: string;
  /** The second staff member. */
  second_by: string | null;
  /** Whether staff saw an identity document at this hand-over. */
  had_document: Flag;
  at: number;
  /** The guardian who did not expect it; null if nobody said so. */
  unexpected_by: string | null;
  /** When the newest of those said so who did not. */
  unexpected_at: number | null;
  /** JSON: ids of other guardians who have said so later. */
  unexpected_also: string;
}

/** Attempts to hand a child to a barred adult. */
interface ReleaseRefusalsTable {
  id: string;
  stay_id: string;
  child_id: string;
  adult_id: string | null;
  by_id: string;
  at: number;
}

/** The epoch from which a guardian's pick-up code is derived; a new one ends the codes on all phones. */
interface PickupCodesTable {
  parent_id: string;
  epoch: string;
  created_at: number;
}

export interface HandOverTables {
  guardians: GuardiansTable;
  collectors: CollectorsTable;
  collector_passes: CollectorPassesTable;
  barred_adults: BarredAdultsTable;
  releases: ReleasesTable;
  release_refusals: ReleaseRefusalsTable;
  pickup_codes: PickupCodesTable;
}
