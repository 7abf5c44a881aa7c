/** What the server itself needs: queues, events, audit log, leases, settings. */
import type { Generated } from 'kysely';
import type { ErasedKind } from '../erased-kinds.ts';
import type { Flag } from './columns.ts';

interface MailsTable {
  id: string;
  sealed: Uint8Array;
  created_at: number;
  next_try_at: number;
  attempts: number;
  failed_at: number | null;
}

interface IdempotencyKeysTable {
  actor_id: string;
  key: string;
  fingerprint: string;
  /** Null while the first request with the key is in progress (never visible outside its transaction). */
  status: number | null;
  sealed_answer: Uint8Array | null;
  created_at: number;
}

interface EventsTable {
  id: Generated<number>;
  /** Empty: belongs to no single facility; then the child or family decides whom it concerns. */
  facility_id: string;
  at: number;
  type: string;
  child_id: string | null;
  parent_id: string | null;
  incident_id: Generated<string | null>;
  /** 1: every parent who has a child inside at the time of sending gets the event too. */
  to_parents_inside: Generated<Flag>;
  /**
   * `family`: staff, and the account in `parent_id`; `guardians`: staff, and all guardians of the child; `account`: the account
   * alone.
   */
  audience: Generated<'family' | 'guardians' | 'account'>;
}

interface AuditLogTable {
  seq: number;
  /** Empty: belongs to no single facility. */
  facility_id: string;
  at: number;
  actor_kind: string | null;
  actor_id: string | null;
  actor_name: string | null;
  action: string;
  subject_kind: string | null;
  subject_id: string | null;
  from_address: string | null;
  request_id: string | null;
  /** JSON object. */
  details: string;
  hash: string;
}

interface AuditHeadTable {
  id: number;
  seq: number;
  hash: string;
  /** Keyed hash over seq and hash, which detects rows cut off at the end. */
  mac: string;
}

interface LeasesTable {
  name: string;
  holder: string;
  /** Number of acquisitions. */
  epoch: Generated<number>;
  /** End of the lease by the database's clock; 0 after a release. */
  until: number;
}

interface SettingsTable {
  /** Empty: the organisation's. */
  facility_id: string;
  key: string;
  /** JSON. */
  value: string;
}

/** Ids of erased people and faces. */
interface ErasuresTable {
  kind: ErasedKind;
  subject_id: string;
  at: number;
}

interface MetaTable {
  key: string;
  value: string;
}

export interface OperationTables {
  mails: MailsTable;
  idempotency_keys: IdempotencyKeysTable;
  events: EventsTable;
  audit_log: AuditLogTable;
  audit_head: AuditHeadTable;
  leases: LeasesTable;
  settings: SettingsTable;
  erasures: ErasuresTable;
  meta: MetaTable;
}
