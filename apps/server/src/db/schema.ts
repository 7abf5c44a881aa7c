/**
 * The tables as Kysely sees them, one interface each, the same on SQLite and PostgreSQL. Times are milliseconds since
 * 1970, booleans are 0 or 1, sealed columns are ciphertext of the vault.
 */
import type { Selectable } from 'kysely';
import type { BookingTables } from './schema/bookings.ts';
import type { CameraTables } from './schema/cameras.ts';
import type { ChildTables } from './schema/children.ts';
import type { HandOverTables } from './schema/hand-over.ts';
import type { IncidentTables } from './schema/incidents.ts';
import type { KioskTables } from './schema/kiosks.ts';
import type { OperationTables } from './schema/operation.ts';
import type { PeopleTables } from './schema/people.ts';
import type { SensorTables } from './schema/sensors.ts';
import type { SignInTables } from './schema/sign-in.ts';
import type { StayTables } from './schema/stays.ts';

export type { SessionFactor } from './schema/columns.ts';

export interface Database
  extends PeopleTables,
    ChildTables,
    StayTables,
    HandOverTables,
    BookingTables,
    SignInTables,
    KioskTables,
    CameraTables,
    SensorTables,
    IncidentTables,
    OperationTables {}

export type SensorStateRow = Selectable<Database['sensor_states']>;
export type OidcLinkRow = Selectable<Database['oidc_links']>;
export type SecondFactorRow = Selectable<Database['second_factors']>;
export type TicketRow = Selectable<Database['tickets']>;
export type DetailChangeRow = Selectable<Database['detail_changes']>;
export type HeldChangeRow = Selectable<Database['held_changes']>;
export type ParentRow = Selectable<Database['parents']>;
export type ProposalRow = Selectable<Database['proposals']>;
export type CareCardRow = Selectable<Database['care_cards']>;
export type FaceEncodingRow = Selectable<Database['face_encodings']>;
export type SensorRow = Selectable<Database['sensors']>;
export type HomeAssistantAccountRow = Selectable<Database['home_assistant_accounts']>;
export type StaffRow = Selectable<Database['staff']>;
export type RoleRow = Selectable<Database['roles']>;
export type ApprovalRow = Selectable<Database['approvals']>;
export type MembershipRow = Selectable<Database['memberships']>;
export type CameraRow = Selectable<Database['cameras']>;
export type KioskRequestRow = Selectable<Database['kiosk_requests']>;
export type RoomRow = Selectable<Database['rooms']>;
export type HeadCountRow = Selectable<Database['head_counts']>;
export type StayRow = Selectable<Database['stays']>;
export type CollectorRow = Selectable<Database['collectors']>;
export type CollectorPassRow = Selectable<Database['collector_passes']>;
export type BarredAdultRow = Selectable<Database['barred_adults']>;
export type ReleaseRow = Selectable<Database['releases']>;
export type StayExtensionRow = Selectable<Database['stay_extensions']>;
export type IdempotencyKeyRow = Selectable<Database['idempotency_keys']>;
export type IncidentRow = Selectable<Database['incidents']>;
export type IncidentSubjectRow = Selectable<Database['incident_subjects']>;
export type IncidentTimelineRow = Selectable<Database['incident_timeline']>;
export type IncidentStepRow = Selectable<Database['incident_steps']>;
export type EvacuationTickRow = Selectable<Database['evacuation_ticks']>;
export type VisitorRow = Selectable<Database['visitors']>;
export type AuditRow = Selectable<Database['audit_log']>;
export type PushSubscriptionRow = Selectable<Database['push_subscriptions']>;
export type NotificationDeliveryRow = Selectable<Database['notification_deliveries']>;
