/** Children, photos, faces, and the changes by parents that wait for staff. */
import type { RecognitionProblem } from '@haris/contract/http/recognition';
import type { Generated } from 'kysely';
import type { AccountKindColumn, Flag } from './columns.ts';

interface ChildrenTable {
  id: string;
  name: string;
  photo_id: string | null;
  sort_name: string;
  created_at: number;
  /** Counts changes; writing it locks the child on both databases. */
  version: number;
  /** `YYYY-MM-DD`. */
  birth_date: Generated<string | null>;
  /** When staff confirmed this name and this photo; null: never (decision 026). */
  name_confirmed_at: Generated<number | null>;
  photo_confirmed_at: Generated<number | null>;
}

/** The facilities that know a child: their staff see the child and its family (decision 048). */
interface ChildFacilitiesTable {
  child_id: string;
  facility_id: string;
  created_at: number;
  /** Where it is checked in there; null: in the default room. */
  home_room_id: Generated<string | null>;
  /** The last version of the care card that its staff have opened (decision 050). */
  care_seen: Generated<number>;
}

/** What somebody must know who looks after the child; nobody has saved a card for a child without a row. */
interface CareCardsTable {
  child_id: string;
  /** Counts the saves, from 1. */
  version: number;
  /** The version of the family's last save; 0: none. */
  parent_version: number;
  /** The card, and its allergies as lists show them: JSON, sealed with the child's key. */
  sealed: Uint8Array;
  sign: Uint8Array;
  updated_at: number;
  updated_by: 'parent' | 'staff';
}

/** An entry of a child's care log (decision 052). Rows are added and signed, never changed. */
interface CareEntriesTable {
  id: string;
  child_id: string;
  /** Added to inserted rows by the facility plugin. */
  facility_id: Generated<string>;
  /** The facility's local day of `at`. */
  day: string;
  /** When it happened, and when it was entered. */
  at: number;
  recorded_at: number;
  recorded_by: string;
  /** The entry that this one corrects; unique. */
  corrects: string | null;
  asks_signature: Flag;
  /** Whether the family is notified. */
  tells_family: Flag;
  /** The content as JSON, sealed with the child's key. */
  sealed: Uint8Array;
  signed_at: Generated<number | null>;
  signed_by: Generated<string | null>;
  /** JSON, sealed with the child's key. */
  signature: Generated<Uint8Array | null>;
}

interface DataKeysTable {
  owner_kind: 'parent' | 'child' | 'admin';
  owner_id: string;
  wrapped: Uint8Array;
}

interface PhotosTable {
  id: string;
  owner_kind: 'parent' | 'child' | 'admin';
  owner_id: string;
  created_at: number;
  /** The collector of the child whom the photo shows, or the bar of the adult; both null for a photo of its owner. */
  collector_id: string | null;
  bar_id: string | null;
}

/**
 * The bytes of a photo, sealed with its owner's data key. Missing if the photo's file was lost before its migration to
 * rows.
 */
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

/** An adult whom the cameras may recognise, or the reason why they no longer do. Adults who never asked have no row. */
interface AdultFacesTable {
  /** A new id for each enrolment. */
  id: string;
  account_kind: AccountKindColumn;
  account_id: string;
  /** Null after a new photo switched recognition off. */
  sealed: Uint8Array | null;
  model: string | null;
  quality: number | null;
  /** Why the new photo could not be used. */
  problem: RecognitionProblem | null;
  created_at: number;
}

/** Changes by a parent that staff have not confirmed; accepted and rejected proposals have no row. */
interface ProposalsTable {
  /** A new id for each proposal; becomes the id of the encoding when accepted. */
  id: string;
  subject_kind: 'child' | 'parent';
  subject_id: string;
  field: 'name' | 'phone' | 'birthDate' | 'photo' | 'photos' | 'recognition';
  /** Empty if only one proposal for the field can wait; otherwise the id of this row. */
  slot: string;
  /** Name, phone or birth date; for `recognition`, why the new photo cannot be used, or null. */
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

/** When a detail that staff compare people with last took another value. Details that never changed have no row. */
interface DetailChangesTable {
  subject_id: string;
  subject_kind: 'child' | 'parent';
  field: 'name' | 'phone' | 'photo';
  at: number;
}

interface GalleryTable {
  id: number;
  /** Advances with every change of the enrolled faces. */
  revision: number;
}

export interface ChildTables {
  children: ChildrenTable;
  child_facilities: ChildFacilitiesTable;
  care_cards: CareCardsTable;
  care_entries: CareEntriesTable;
  data_keys: DataKeysTable;
  photos: PhotosTable;
  photo_bodies: PhotoBodiesTable;
  face_encodings: FaceEncodingsTable;
  adult_faces: AdultFacesTable;
  proposals: ProposalsTable;
  detail_changes: DetailChangesTable;
  gallery: GalleryTable;
}
