/**
 * Tracks faces from frame to frame by their boxes alone: by intersection over union with the place predicted from the last
 * speed. Pure. Boxes are in pixels, times in milliseconds.
 */
import { type Detection, overlap } from '../faces/detector.ts';
import type { Box } from '../picture/region.ts';

export interface Track {
  /** Where the face is, or is expected to be while it is not found. */
  box: Box;
  /** The face as found in the last picture; null while it is not found. */
  detection: Detection | null;
  /** When the face was last found. */
  seenAt: number;
  /** In how many pictures it was found. */
  finds: number;
  /** Whether the face was last found away from its expected place or after a gap, so that it may be another face. */
  jumped: boolean;
  /** Whether the face may have been swapped with another face in the last frame. */
  mixed: boolean;
}

interface Motion {
  /** Speed of the box's middle, pixels per millisecond. */
  vx: number;
  vy: number;
  /** Where the face was last found. */
  found: Box;
}

/** A track whose face is not found for this long ends. */
const LOST_AFTER_MS = 1_000;
/** Longest time over which the last speed predicts a face's place. */
const PREDICT_MS = 300;
/** Faces are searched every 200 ms or sooner. After a longer gap a face must be compared again. */
const GAP_MS = 250;
const NEW_MIN_SCORE = 0.5;
const NEW_MIN_WIDTH = 24;
/** Least intersection over union of a face with where it was expected. */
const SAME_OVERLAP = 0.2;
/** Fast faces overlap less: the middle may be off by this fraction of the width if the sizes are similar. */
const SAME_DISTANCE = 0.6;
const SAME_SIZE = 1.6;
const JUMP_OVERLAP = 0.4;
/** A face does not grow or shrink by more than this factor between two pictures. */
const JUMP_SIZE = 1.3;
/** Two faces that overlap by more than this may be swapped. */
const MIXED_OVERLAP = 0.1;

export class Tracker<T extends object> {
  readonly #make: (at: number) => T;
  #tracks: (Track & Motion & { own: T })[] = [];

  /** `make` creates the caller's data for a new track. */
  constructor(make: (at: number) => T) {
    this.#make = make;
  }

  get tracks(): readonly (Track & { own: T })[] {
    return this.#tracks;
  }

  /** Where the tracks are expected at `at`. */
  predict(at: number): readonly { readonly box: Box; readonly own: T }[] {
    return this.#tracks.map((track) => ({ box: expect(track, at), own: track.own }));
  }

  /** Continues the tracks with the faces of a frame taken at `at`; returns the tracks that ended. */
  update(faces: readonly Detection[], at: number): readonly (Track & { own: T })[] {
    const expected = this.#tracks.map((track) => ({ track, box: expect(track, at) }));
    const pairs = expected
      .flatMap(({ track, box }) =>
        faces.filter((face) => canBe(box, face)).map((face) => ({ track, face, shared: overlap(box, face) })),
      )
      .sort((a, b) => b.shared - a.shared || near(a.track.box, a.face) - near(b.track.box, b.face));
    const taken = new Map<Detection, Track>();
    for (const track of this.#tracks) {
      track.detection = null;
      track.jumped = false;
      // A track that fits several faces, or whose face fits another track, may have been swapped. Low-score faces do not
      // count: too often they are parts of another face.
      const own = pairs.filter((pair) => pair.track === track && pair.face.score >= NEW_MIN_SCORE);
      track.mixed =
        own.length > 1 ||
        own.some(({ face }) => pairs.some((pair) => pair.face === face && pair.track !== track));
    }
    for (const { track, face, shared } of pairs) {
      if (track.detection || taken.has(face)) continue;
      taken.set(face, track);
      const elapsed = at - track.seenAt;
      const grown = face.width / track.found.width;
      track.jumped = shared < JUMP_OVERLAP || elapsed > GAP_MS || grown > JUMP_SIZE || grown < 1 / JUMP_SIZE;
      track.detection = face;
      if (elapsed > 0) {
        const speed = (now: number, before: number): number => (now - before) / elapsed;
        track.vx = (track.vx + speed(middleX(face), middleX(track.found))) / 2;
        track.vy = (track.vy + speed(middleY(face), middleY(track.found))) / 2;
      }
      track.seenAt = at;
      track.finds++;
      track.found = face;
    }
    for (const { track, box } of expected) track.box = track.detection ?? box;
    const ended = this.#tracks.filter((track) => at - track.seenAt > LOST_AFTER_MS);
    this.#tracks = this.#tracks.filter((track) => !ended.includes(track));
    for (const face of faces)
      if (!taken.has(face) && face.score >= NEW_MIN_SCORE && face.width >= NEW_MIN_WIDTH)
        this.#tracks.push({
          box: face,
          detection: face,
          seenAt: at,
          finds: 1,
          found: face,
          jumped: false,
          mixed: false,
          vx: 0,
          vy: 0,
          own: this.#make(at),
        });
    for (const a of this.#tracks)
      for (const b of this.#tracks)
        if (a !== b && overlap(a.box, b.box) > MIXED_OVERLAP) {
          a.mixed = true;
          b.mixed = true;
        }
    return ended;
  }
}

const middleX = (box: Box): number => box.x + box.width / 2;
const middleY = (box: Box): number => box.y + box.height / 2;
const near = (a: Box, b: Box): number => Math.hypot(middleX(a) - middleX(b), middleY(a) - middleY(b));

function expect({ found: { x, y, width, height }, vx, vy, seenAt }: Track & Motion, now: number): Box {
  const elapsed = Math.max(0, Math.min(PREDICT_MS, now - seenAt));
  return { x: x + vx * elapsed, y: y + vy * elapsed, width, height };
}

function canBe(box: Box, face: Box): boolean {
  if (overlap(box, face) >= SAME_OVERLAP) return true;
  const ratio = box.width / face.width;
  return ratio < SAME_SIZE && ratio > 1 / SAME_SIZE && near(box, face) < SAME_DISTANCE * box.width;
}
