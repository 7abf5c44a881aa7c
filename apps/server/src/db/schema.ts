/**
 * The tables as Kysely sees them, one interface each, the same on SQLite and PostgreSQL.
 * Times are milliseconds since 1970, booleans 0 or 1, sealed columns are ciphertext of the vault.
 */
import type { DeliveryFailure, DeliveryWay } from '@haris/contract/http/notices';
import type { RecognitionProblem } from '@haris/contract/http/recognition';
import type { SensorKind } from '@haris/contract/http/sensors';
import type { IncidentKind } from '@haris/contract/incident-kinds';
import type { Generated, Selectable } from 'kysely';

type Flag = 0 | 1;
type AccountKindColumn = 'parent' | 'admin';

interface ParentsTable {
  id: string;
  name: string;
  email: string;
  phone: string | null;
  password_hash: string | null;
  email_verified: Flag;
  pending_email: string | null;
  photo_id: string | null;
  language: 'en' | 'ar';
  /** 1 once the person has chosen the language; before, it is what a browser preferred. */
  language_chosen: Generated<Flag>;
  /** Folded name; lists are ordered by it. */
  sort_name: string;
  /** Folded name, e-mail and phone, a line each; lists are searched in it. */
  search_text: string;
  created_at: number;
  /** Who registered the account. */
  made_by: Generated<'self' | 'staff'>;
  /** Roughly, the network that it was registered from; null where staff made it. */
  made_from: Generated<string | null>;
  /**
   * Why the password counts as that of the person behind the e-mail: `staff` set it, it was set or first used by whoever
   * opened the mailed `link`, a code was shown at the `desk`, or the account is from `before` this was asked. Null: whoever
   * registered chose it, and nobody has proven that it was the owner of the e-mail.
   */
  password_proof: Generated<'staff' | 'link' | 'desk' | 'before' | null>;
  /** Device (`device:` and hash) or network (`network:` and keyed hash) that opened the link of verification. */
  link_opened_by: Generated<string | null>;
  /** When staff vouched for the account at the desk. */
  vouched_at: Generated<number | null>;
  /** When whoever owns the e-mail said not to have registered. */
  disowned_at: Generated<number | null>;
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

/** The code that a parent shows at the desk; at most one each. */
interface DeskCodesTable {
  parent_id: string;
  /** Keyed hash, because six digits can be guessed from a plain hash. */
  code_mac: string;
  /** Wrong ones typed so far. */
  tries: number;
  expires_at: number;
}

interface AdminsTable {
  id: string;
  name: string;
  email: string;
  password_hash: string;
  /** Who made the account with a password, and so knows it; null once the person has set an own one. */
  password_set_by: string | null;
  national_id_sealed: Uint8Array | null;
  /** Keyed hash, so that the database can forbid two of a kind without knowing the number. */
  national_id_mac: string | null;
  email_verified: Flag;
  language: 'en' | 'ar';
  /** 1 once the person has chosen the language; before, it is what a browser preferred. */
  language_chosen: Generated<Flag>;
  sort_name: string;
  search_text: string;
  created_at: number;
}

interface ChildrenTable {
  id: string;
  parent_id: string;
  name: string;
  photo_id: string | null;
  sort_name: string;
  created_at: number;
  /** Counts changes; writing it is how a transaction takes the child for itself on both databases. */
  version: number;
}

interface DataKeysTable {
  owner_kind: 'parent' | 'child' | 'admin';
  owner_id: string;
  wrapped: Uint8Array;
}

interface PhotosTable {
  id: string;
  owner_kind: 'parent' | 'child';
  owner_id: string;
  created_at: number;
}

/** The bytes of a photo, sealed with its owner's data key. A photo whose file was lost before it was moved here has none. */
interface PhotoBodiesTable {
  photo_id: string;
  sealed: Uint8Array;
}

interface FaceEncodingsTable {
  id: string;
  child_id: string;
  sealed: Uint8Array;
  model: string;
  quality: number;
  created_at: number;
}

/** An adult whom the cameras may recognise, or why no longer; who never asked has no row. */
interface AdultFacesTable {
  /** Another one for each enrolment. */
  id: string;
  account_kind: AccountKindColumn;
  account_id: string;
  /** Null where a new photo switched it off. */
  sealed: Uint8Array | null;
  model: string | null;
  quality: number | null;
  /** Why the new photo could not be used. */
  problem: RecognitionProblem | null;
  created_at: number;
}

/** Given by a parent and not confirmed by staff yet; an accepted or rejected one has no row any more. */
interface ProposalsTable {
  /** Another one for each proposal; the id of the encoding once it is accepted. */
  id: string;
  subject_kind: 'child' | 'parent';
  subject_id: string;
  field: 'name' | 'phone' | 'photo' | 'photos' | 'recognition';
  /** Empty if only one proposal for the field can wait; the row's own id if several can. */
  slot: string;
  /** Name or phone; for `recognition` why the new photo cannot be used, or null. */
  value: string | null;
  photo_id: string | null;
  /** The encoding, sealed with the subject's key. */
  sealed: Uint8Array | null;
  model: string | null;
  quality: number | null;
  /** The parent. */
  by_id: string;
  created_at: number;
}

interface GalleryTable {
  id: number;
  /** Grows with every change of the enrolled faces. */
  revision: number;
}

interface StaysTable {
  id: string;
  unique_entry_id: string;
  child_id: string;
  checked_in_by: string;
  entry_time: number;
  /** Whole minutes. */
  duration: number;
  checked_out_by: string | null;
  exit_time: number | null;
  /** When `child.time_up` was said; null until then. */
  time_up_at: number | null;
  /** When its check-in was undone: such a stay never took place, and is closed. Null for every other. */
  voided_at: Generated<number | null>;
}

/** A check-in or checkout that was undone, with what the stay said before. */
interface StayCorrectionsTable {
  id: string;
  stay_id: string;
  kind: 'check_in_undone' | 'checkout_undone';
  corrected_by: string;
  corrected_at: number;
  exit_time_before: number | null;
  checked_out_by_before: string | null;
  time_up_at_before: number | null;
}

interface SessionsTable {
  token_hash: string;
  kind: AccountKindColumn;
  account_id: string;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
  /** When the person last proved who they are: the sign-in, or a proof after it. */
  proved_at: number;
}

interface OneTimeTokensTable {
  token_hash: string;
  /** `disown`: has verified, and may still say that its owner did not register. */
  purpose: 'verify' | 'reset' | 'invitation' | 'disown';
  kind: AccountKindColumn;
  account_id: string;
  /** The address that the token proves. */
  email: string;
  created_at: number;
  expires_at: number;
}

interface TicketsTable {
  ticket_hash: string;
  session_hash: string;
  purpose: string;
  subject_id: string;
  expires_at: number;
}

interface ThrottleHitsTable {
  id: string;
  scope: string;
  /** Keyed hash of the account or address. */
  key: string;
  at: number;
}

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
  /** Null while the first request with the key is at work (never visible outside its transaction). */
  status: number | null;
  sealed_answer: Uint8Array | null;
  created_at: number;
}

interface EventsTable {
  id: Generated<number>;
  at: number;
  type: string;
  child_id: string | null;
  parent_id: string | null;
  incident_id: Generated<string | null>;
  /** 1: also for every parent who has a child inside when it is told. */
  to_parents_inside: Generated<Flag>;
}

interface AuditLogTable {
  seq: number;
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
  /** Keyed hash over seq and hash: rows cut off the end are noticed. */
  mac: string;
}

interface CamerasTable {
  id: string;
  name: string;
  area: string;
  kind: 'rtsp' | 'mjpeg' | 'v4l2' | 'file' | 'browser';
  /** The whole address with user and password; null for `browser`. */
  address_sealed: Uint8Array | null;
  /** JSON: polygons of [x, y], parts of the picture. */
  zones: string;
  enabled: Flag;
  sort_name: string;
  /** Folded name and area, a line each; lists are searched in it. */
  search_text: string;
  created_at: number;
}

interface CameraPairingsTable {
  camera_id: string;
  /** Keyed hash: a code is short enough to be found out from a plain one. */
  code_mac: string;
  expires_at: number;
}

interface CameraDevicesTable {
  camera_id: string;
  token_hash: string;
  /** The newest connection; older ones end when they see another one here. */
  connection: string | null;
  paired_at: number;
}

interface SightingsTable {
  id: string;
  child_id: string;
  camera_id: string;
  area: string;
  /** The face engine's name of the track, the same in every message about it. */
  track: string;
  from_at: number;
  to_at: number;
  confidence: number;
}

interface SeenAnnouncementsTable {
  child_id: string;
  camera_id: string;
  /** When `child.seen` was said last. */
  at: number;
}

interface PresenceEpisodesTable {
  child_id: string;
  /** The stay in which `child.not_seen` was said and the child was not seen since. */
  not_seen_stay: string | null;
  /** When the child was seen last while not checked in. */
  outside_seen_at: number | null;
}

interface SensorsTable {
  id: string;
  name: string;
  area: string;
  kind: SensorKind;
  demo: Flag;
  /** Its account on the broker, which is also its name in topics. */
  username: string;
  /** Prefix of its topics (Tasmota: the topic between the prefix and the rest). Never changes. */
  topic: string;
  /** Keyed hashes of random secrets. */
  password_mac: string;
  device_key_mac: string;
  /** Seconds between two readings as staff have set it. */
  period: number | null;
  refused_count: number;
  refused_at: number | null;
  refused_reason: string | null;
  sort_name: string;
  search_text: string;
  created_at: number;
}

interface HomeAssistantAccountsTable {
  id: string;
  name: string;
  username: string;
  password_mac: string;
  created_at: number;
  /** The member of staff who answers for it; null where it is of before this was kept, and that person has left. */
  made_by: string | null;
}

interface SensorReadingsTable {
  sensor_id: string;
  at: number;
  /** The device's own id of the message; null without one. */
  key: string | null;
  temperature: number | null;
  humidity: number | null;
  mq2: number | null;
}

/** What the servers have heard of a sensor; each reads here what the others have heard. */
interface SensorStatesTable {
  sensor_id: string;
  /** Of the newest stored reading. */
  heard_at: number | null;
  online: 0 | 1 | null;
  online_at: number | null;
  /** When the device, or its last will, said so. */
  said_at: number | null;
}
export type SensorStateRow = Selectable<SensorStatesTable>;

/** What a server sees of a camera, while it sees it. */
interface CameraStatesTable {
  camera_id: string;
  server: string;
  /** A report of the face engine, as JSON. */
  report: string;
  /** By the database's clock. */
  at: number;
}

interface SensorMeansTable {
  sensor_id: string;
  step: 'minute' | 'hour';
  /** The step's first moment. */
  at: number;
  temperature_count: number;
  temperature_mean: number | null;
  temperature_min: number | null;
  temperature_max: number | null;
  humidity_count: number;
  humidity_mean: number | null;
  humidity_min: number | null;
  humidity_max: number | null;
  mq2_count: number;
  mq2_mean: number | null;
  mq2_min: number | null;
  mq2_max: number | null;
}

interface IncidentsTable {
  id: string;
  kind: IncidentKind;
  /** Names the episode: of those with the same name at most one is open. */
  episode: string;
  area: string | null;
  subject_kind: 'sensor' | 'camera' | 'child' | null;
  subject_id: string | null;
  /** The child's. */
  parent_id: string | null;
  worst: number | null;
  threshold: number | null;
  /** Since when its readings have been calm. */
  calm_since: number | null;
  raised_at: number;
  cleared_at: number | null;
  acknowledged_at: number | null;
  acknowledged_by: string | null;
  /** As the person was called then. */
  acknowledged_name: string | null;
}

/** Only ever added to. */
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

/** Steps that are due; told again until somebody has taken them. */
interface IncidentStepsTable {
  incident_id: string;
  step: number;
  phase: 'raised' | 'escalated' | 'cleared';
  at: number;
  /** One server tells it until then. */
  claimed_until: number;
  told_at: number | null;
}

/** Whom the steps of an incident have reached: they are told when it is over. */
interface IncidentAudienceTable {
  incident_id: string;
  account_kind: AccountKindColumn;
  account_id: string;
}

/** Episodes that may begin: above the limit since a moment, but not for the delay yet. */
interface PendingEpisodesTable {
  episode: string;
  since: number;
}

/** Only ever added to. */
interface EvacuationTicksTable {
  incident_id: string;
  child_id: string;
  at: number;
  by_id: string;
  by_name: string;
  device: string;
  state: 'present' | 'missing';
  received_at: number;
}

interface LeasesTable {
  name: string;
  holder: string;
  /** Counts who had it; grows with every taking. */
  epoch: Generated<number>;
  /** By the database's clock; 0 once it was given back. */
  until: number;
}

interface PushSubscriptionsTable {
  id: string;
  /** The session from which the device was added: they end together. */
  session_hash: string;
  account_kind: AccountKindColumn;
  account_id: string;
  /** Keyed hash: who knows the address of a device can have it disturbed. */
  endpoint_mac: string;
  sealed: Uint8Array;
  device: string;
  created_at: number;
}

interface NoticePreferencesTable {
  account_kind: AccountKindColumn;
  account_id: string;
  /** JSON. */
  value: string;
}

interface NoticeDeliveriesTable {
  id: string;
  account_kind: AccountKindColumn | 'webhook';
  account_id: string;
  way: DeliveryWay;
  /** The device; empty for the other ways. */
  target: string;
  /** The incident, or the test. */
  incident_id: string;
  kind: string;
  step: number;
  phase: 'raised' | 'escalated' | 'cleared' | 'test';
  /** Place among the notices of its incident. */
  turn: number;
  /** 1: quiet hours held it back. */
  held: Flag;
  /** What is to be said; null once it has ended. */
  sealed: Uint8Array | null;
  created_at: number;
  next_try_at: number;
  attempts: number;
  state: 'waiting' | 'sent' | 'failed' | 'dropped';
  reason: DeliveryFailure | null;
  ended_at: number | null;
  receipt_hash: string | null;
  /** When the device itself said that it is there. */
  arrived_at: number | null;
}

interface SettingsTable {
  key: string;
  /** JSON. */
  value: string;
}

interface MetaTable {
  key: string;
  value: string;
}

/** What was erased, by id. */
interface ErasuresTable {
  kind: 'parent' | 'child' | 'admin' | 'adult_face';
  subject_id: string;
  at: number;
}

export interface Database {
  parents: ParentsTable;
  admins: AdminsTable;
  known_devices: KnownDevicesTable;
  known_networks: KnownNetworksTable;
  desk_codes: DeskCodesTable;
  children: ChildrenTable;
  data_keys: DataKeysTable;
  photos: PhotosTable;
  photo_bodies: PhotoBodiesTable;
  face_encodings: FaceEncodingsTable;
  adult_faces: AdultFacesTable;
  proposals: ProposalsTable;
  gallery: GalleryTable;
  stays: StaysTable;
  stay_corrections: StayCorrectionsTable;
  sessions: SessionsTable;
  one_time_tokens: OneTimeTokensTable;
  tickets: TicketsTable;
  throttle_hits: ThrottleHitsTable;
  mails: MailsTable;
  idempotency_keys: IdempotencyKeysTable;
  events: EventsTable;
  audit_log: AuditLogTable;
  audit_head: AuditHeadTable;
  cameras: CamerasTable;
  camera_pairings: CameraPairingsTable;
  camera_devices: CameraDevicesTable;
  sightings: SightingsTable;
  seen_announcements: SeenAnnouncementsTable;
  presence_episodes: PresenceEpisodesTable;
  sensors: SensorsTable;
  home_assistant_accounts: HomeAssistantAccountsTable;
  sensor_readings: SensorReadingsTable;
  sensor_states: SensorStatesTable;
  camera_states: CameraStatesTable;
  sensor_means: SensorMeansTable;
  incidents: IncidentsTable;
  incident_timeline: IncidentTimelineTable;
  incident_steps: IncidentStepsTable;
  incident_audience: IncidentAudienceTable;
  pending_episodes: PendingEpisodesTable;
  evacuation_ticks: EvacuationTicksTable;
  leases: LeasesTable;
  push_subscriptions: PushSubscriptionsTable;
  notice_preferences: NoticePreferencesTable;
  notice_deliveries: NoticeDeliveriesTable;
  settings: SettingsTable;
  erasures: ErasuresTable;
  meta: MetaTable;
}

export type ParentRow = Selectable<ParentsTable>;
export type ProposalRow = Selectable<ProposalsTable>;
export type SensorRow = Selectable<SensorsTable>;
export type HomeAssistantAccountRow = Selectable<HomeAssistantAccountsTable>;
export type AdminRow = Selectable<AdminsTable>;
export type CameraRow = Selectable<CamerasTable>;
export type StayRow = Selectable<StaysTable>;
export type IncidentRow = Selectable<IncidentsTable>;
export type IncidentTimelineRow = Selectable<IncidentTimelineTable>;
export type IncidentStepRow = Selectable<IncidentStepsTable>;
export type EvacuationTickRow = Selectable<EvacuationTicksTable>;
export type AuditRow = Selectable<AuditLogTable>;
export type PushSubscriptionRow = Selectable<PushSubscriptionsTable>;
export type NoticeDeliveryRow = Selectable<NoticeDeliveriesTable>;
