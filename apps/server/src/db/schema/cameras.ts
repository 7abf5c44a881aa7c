/** Cameras, and where they saw children. */
import type { Generated } from 'kysely';
import type { Flag } from './columns.ts';

interface CamerasTable {
  id: string;
  /** Added to inserted rows by the facility plugin. */
  facility_id: Generated<string>;
  name: string;
  area: string;
  kind: 'rtsp' | 'mjpeg' | 'v4l2' | 'file' | 'browser';
  /** The full address with user and password; null for `browser`. */
  address_sealed: Uint8Array | null;
  /** JSON: polygons of [x, y], as fractions of the picture. */
  zones: string;
  enabled: Flag;
  sort_name: string;
  /** Folded name and area, one per line; lists are searched in it. */
  search_text: string;
  created_at: number;
}

interface CameraPairingsTable {
  camera_id: string;
  /** Keyed hash, because a code is short enough to be guessed from a plain hash. */
  code_mac: string;
  expires_at: number;
}

interface CameraDevicesTable {
  camera_id: string;
  token_hash: string;
  /** Id of the current connection; an older connection closes when it finds a different id here. */
  connection: string | null;
  paired_at: number;
  /** See `row-seals.ts`; null in rows of an older version, which are not believed. */
  seal: string | null;
}

/** A server's report of a camera. */
interface CameraStatesTable {
  camera_id: string;
  server: string;
  /** A report of the face engine, as JSON. */
  report: string;
  /** Time by the database's clock. */
  at: number;
}

interface SightingsTable {
  id: string;
  /** Added to inserted rows by the facility plugin. */
  facility_id: Generated<string>;
  child_id: string;
  camera_id: string;
  area: string;
  /** The track's name in the face engine, the same in every message about it. */
  track: string;
  from_at: number;
  to_at: number;
  confidence: number;
}

interface SeenAnnouncementsTable {
  child_id: string;
  camera_id: string;
  /** When `child.seen` was last emitted. */
  at: number;
}

interface PresenceConditionsTable {
  child_id: string;
  /** The stay for which `child.not_seen` was emitted; null once the child was seen again. */
  not_seen_stay: string | null;
  /** When the child was last seen while not checked in. */
  outside_seen_at: number | null;
}

export interface CameraTables {
  cameras: CamerasTable;
  camera_pairings: CameraPairingsTable;
  camera_devices: CameraDevicesTable;
  camera_states: CameraStatesTable;
  sightings: SightingsTable;
  seen_announcements: SeenAnnouncementsTable;
  presence_conditions: PresenceConditionsTable;
}
