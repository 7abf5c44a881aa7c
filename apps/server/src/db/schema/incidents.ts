/** Incidents, evacuations, and notifications. */
import type { IncidentKind } from '@haris/contract/incident-kinds';
import type { DeliveryChannel, DeliveryFailure } from '@haris/contract/notifications';
import type { Generated } from 'kysely';
import type { AccountKindColumn, Flag } from './columns.ts';

interface IncidentsTable {
  id: string;
  /** Added to inserted rows by the facility plugin. */
  facility_id: Generated<string>;
  kind: IncidentKind;
  /** Name of the condition, which has at most one open incident. */
  condition: string;
  area: string | null;
  subject_kind: 'sensor' | 'camera' | 'child' | 'room' | null;
  subject_id: string | null;
  /** The parent who sees it, of the child concerned; null if it is not for a parent. */
  parent_id: string | null;
  /** 0: only for the parent, as a reminder of the end of a stay. */
  for_staff: Generated<Flag>;
  worst: number | null;
  threshold: number | null;
  /** Where the missing child was last: the area in which a camera saw it, else its room. Null for other kinds. */
  last_area: Generated<string | null>;
  /** When a camera saw it there; null: no camera did. */
  last_seen_at: Generated<number | null>;
  /** When its readings became calm. */
  calm_since: number | null;
  raised_at: number;
  cleared_at: number | null;
  acknowledged_at: number | null;
  acknowledged_by: string | null;
  /** The person's name at that time. */
  acknowledged_name: string | null;
}

/** Conditions that an incident of a grouped kind covers, one row each. */
interface IncidentSubjectsTable {
  incident_id: string;
  condition: string;
  subject_kind: 'sensor' | 'camera' | 'child' | 'room';
  subject_id: string;
  area: string | null;
  joined_at: number;
  /** When the condition ended; null while it holds. */
  left_at: number | null;
  /** Since when the condition has been absent, before it counts as ended. */
  calm_since: number | null;
}

/** Rows are only added. */
interface IncidentTimelineTable {
  incident_id: string;
  position: number;
  at: number;
  what: 'raised' | 'updated' | 'escalated' | 'acknowledged' | 'cleared';
  by_id: string | null;
  by_name: string | null;
  step: number | null;
  value: number | null;
  note: string | null;
}

/** Due steps; retried until a receiver has accepted them. */
interface IncidentStepsTable {
  incident_id: string;
  step: number;
  phase: 'raised' | 'escalated' | 'cleared';
  at: number;
  /** End of the claim's lease, or time of the next attempt; 0 before the first. */
  next_try_at: number;
  attempts: number;
  notified_at: number | null;
}

/** People whom steps of an incident have reached; they are notified of its end. */
interface IncidentAudienceTable {
  incident_id: string;
  account_kind: AccountKindColumn;
  account_id: string;
}

/** Conditions whose value is above the limit, but not yet for the delay. */
interface PendingConditionsTable {
  /** Added to inserted rows by the facility plugin. */
  facility_id: Generated<string>;
  condition: string;
  since: number;
}

/** Rows are only added. */
interface EvacuationTicksTable {
  incident_id: string;
  /** `person`: a staff member or a visitor. */
  subject_kind: 'child' | 'person';
  subject_id: string;
  at: number;
  by_id: string;
  by_name: string;
  device: string;
  /** `away`, for a person only: not in the building. */
  state: 'present' | 'missing' | 'away';
  received_at: number;
}

/** Staff on the roll call of an evacuation. */
interface EvacuationStaffTable {
  incident_id: string;
  staff_id: string;
}

interface PushSubscriptionsTable {
  id: string;
  /** The session that added the device, which ends with it. */
  session_hash: string;
  account_kind: AccountKindColumn;
  account_id: string;
  /** Keyed hash, because anybody who knows a device's address can send to it. */
  endpoint_mac: string;
  sealed: Uint8Array;
  device: string;
  created_at: number;
}

interface NotificationPreferencesTable {
  account_kind: AccountKindColumn;
  account_id: string;
  /** JSON. */
  value: string;
}

interface NotificationDeliveriesTable {
  id: string;
  account_kind: AccountKindColumn | 'webhook';
  account_id: string;
  channel: DeliveryChannel;
  /** The device; empty for the other channels. */
  target: string;
  /** The incident or the test. */
  incident_id: string;
  kind: string;
  step: number;
  phase: 'raised' | 'escalated' | 'cleared' | 'test';
  /** Sequence number within its incident: deliveries to one place leave in this order. */
  sequence: number;
  /** 1: quiet hours delay it. */
  held: Flag;
  /** The sealed content; null once the delivery has ended. */
  sealed: Uint8Array | null;
  created_at: number;
  next_try_at: number;
  attempts: number;
  state: 'waiting' | 'sent' | 'failed' | 'dropped';
  reason: DeliveryFailure | null;
  ended_at: number | null;
  receipt_hash: string | null;
  /** When the device confirmed its arrival. */
  arrived_at: number | null;
}

export interface IncidentTables {
  incidents: IncidentsTable;
  incident_subjects: IncidentSubjectsTable;
  incident_timeline: IncidentTimelineTable;
  incident_steps: IncidentStepsTable;
  incident_audience: IncidentAudienceTable;
  pending_conditions: PendingConditionsTable;
  evacuation_ticks: EvacuationTicksTable;
  evacuation_staff: EvacuationStaffTable;
  push_subscriptions: PushSubscriptionsTable;
  notification_preferences: NotificationPreferencesTable;
  notification_deliveries: NotificationDeliveriesTable;
}
