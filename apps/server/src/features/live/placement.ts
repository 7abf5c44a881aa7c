/** Chooses the camera that shows a subject, and the note for a viewer who has to wait. */
import type { LiveNote } from '@haris/contract/live/video';
import type { Context } from '../../context.ts';
import type { CameraRow } from '../../db/schema.ts';
import type { Subject } from './rights.ts';
import { createWhereabouts, type Whereabouts } from './whereabouts.ts';

type Waiting = Extract<LiveNote, { type: 'waiting' }>;

const CAMERA_DOWN: Waiting = { type: 'waiting', reason: 'camera_down' };
const NO_CAMERA: Waiting = { type: 'waiting', reason: 'no_camera' };
const NOT_SEEN_YET: Waiting = { type: 'waiting', reason: 'not_seen_yet' };

export interface Placement {
  /** Camera to show; null if no camera can be shown. */
  readonly camera: CameraRow | null;
  /** Why the subject cannot be seen now; null if it can be seen. */
  readonly waiting: Waiting | null;
}

/** Properties of a viewer that decide which camera it gets. */
export interface Placed {
  readonly subject: Subject;
  /** When the child was checked in. Milliseconds since 1970. */
  readonly entryTime: number;
  /** Facility at which the child is inside: only its cameras may show it. Null: not known yet. */
  readonly facility: string | null;
  /** Camera that the viewer currently gets. */
  cameraId(): string | null;
}

export interface Placements {
  readonly whereabouts: Whereabouts;
  /** Replaces the cameras, in the order of their names. */
  setCameras(cameras: readonly CameraRow[]): void;
  /** Facility of a camera; null if the camera is gone. */
  facilityOf(cameraId: string): string | null;
  isLive(cameraId: string): boolean;
  /** Whether a camera of a facility is live. */
  isAnyLive(facility: string): boolean;
  place(viewer: Placed): Placement;
}

export function createPlacements({ live, clock }: Pick<Context, 'live' | 'clock'>): Placements {
  const whereabouts = createWhereabouts();
  let cameras: readonly CameraRow[] = [];

  const findLive = (cameraId: string | null): CameraRow | null => {
    const camera = cameras.find(({ id }) => id === cameraId);
    return camera?.enabled === 1 && live.report(camera.id)?.state === 'live' ? camera : null;
  };
  const isLive = (cameraId: string): boolean => findLive(cameraId) !== null;
  const camerasOf = (facility: string | null): readonly CameraRow[] =>
    cameras.filter(({ facility_id }) => facility_id === facility);
  const findFirstLive = (facility: string | null): CameraRow | null =>
    camerasOf(facility).find(({ id }) => isLive(id)) ?? null;

  function placeChild(childId: string, { entryTime: since, facility, cameraId }: Placed): Placement {
    const own = camerasOf(facility);
    // A camera elsewhere that takes another child for this one must not be shown.
    const isOwn = (cameraId: string): boolean => own.some(({ id }) => id === cameraId);
    const isOwnLive = (cameraId: string): boolean => isOwn(cameraId) && isLive(cameraId);
    const asked = { since, now: clock.now(), present: cameraId(), isLive: isOwnLive };
    const found = whereabouts.locate(childId, asked);
    const last = whereabouts.last(childId, since, isOwn);
    // If the child was not recognised, a parent sees everybody blurred, so any camera may be shown.
    const camera = found === null ? findFirstLive(facility) : findLive(found);
    const isNoneEnabled = !own.some(({ enabled }) => enabled === 1);
    if (isNoneEnabled || (last === null && camera === null)) return { camera: null, waiting: NO_CAMERA };
    if (last === null) return { camera, waiting: NOT_SEEN_YET };
    return { camera, waiting: found !== null && isLive(last) ? null : CAMERA_DOWN };
  }

  return {
    whereabouts,
    setCameras(rows) {
      cameras = rows;
    },
    facilityOf: (cameraId) => cameras.find(({ id }) => id === cameraId)?.facility_id ?? null,
    isLive,
    isAnyLive: (facility) => findFirstLive(facility) !== null,
    place(viewer) {
      const { subject } = viewer;
      if (subject.kind === 'child') return placeChild(subject.id, viewer);
      const camera = findLive(subject.id);
      return { camera, waiting: camera ? null : CAMERA_DOWN };
    },
  };
}
