/** Reports sightings on a camera: at once when a name appears or ends, otherwise once a second. */
import { randomUUID } from 'node:crypto';
import { type Subject, subjectKey } from '@haris/contract/subject';
import type { VisionNote } from '@haris/contract/vision-live';
import { confidenceOf, type Evidence } from './naming.ts';

export type Seen = Extract<VisionNote, { type: 'seen' }>;

/** A tracked person. */
export interface Sighted {
  /** Id of the current sighting; renewed each time one ends. */
  id: string;
  readonly evidence: Evidence;
  readonly bornAt: number;
  /** The sighting being reported; null if there is none. */
  seen: {
    readonly subject: Subject | null;
    readonly from: number;
    toldAt: number;
    confidence: number;
  } | null;
}

export interface SightedTrack {
  readonly own: Sighted;
  /** When the face was last found; `detection` is null if the newest picture does not show it. */
  readonly seenAt: number;
  readonly detection: unknown;
}

/** A face must stay unknown for this long to be reported. Milliseconds. */
const UNKNOWN_MS = 2_000;
const SEEN_EVERY_MS = 1_000;

export class Sightings {
  readonly #onSeen: (seen: Seen) => void;

  constructor(onSeen: (seen: Seen) => void) {
    this.#onSeen = onSeen;
  }

  /** Reports changed and due sightings of `tracks`. `threshold`: the distance at which the confidence is 0. */
  report(cameraId: string, tracks: readonly SightedTrack[], at: number, threshold: number): void {
    for (const { own, seenAt, detection } of tracks) {
      const { match, isDecided } = own.evidence;
      const subject = match?.subject ?? null;
      const isUnknown = !match && isDecided && seenAt - own.bornAt >= UNKNOWN_MS;
      if (own.seen && (!isSame(own.seen.subject, subject) || (!match && !isDecided)))
        this.end(cameraId, own, seenAt);
      if (!own.seen && (match || isUnknown)) own.seen = { subject, from: at, toldAt: 0, confidence: 0 };
      if (!own.seen || !detection || at - own.seen.toldAt < SEEN_EVERY_MS) continue;
      own.seen.toldAt = at;
      own.seen.confidence = match ? confidenceOf(match.distance, threshold) : 0;
      this.#send(cameraId, own, seenAt, false);
    }
  }

  /** Ends the current sighting of `own` and reports its end. */
  end(cameraId: string, own: Sighted, at: number): void {
    if (own.seen && own.seen.toldAt > 0) this.#send(cameraId, own, Math.max(at, own.seen.from), true);
    own.seen = null;
    own.id = randomUUID();
  }

  #send(cameraId: string, { id, seen }: Sighted, to: number, ended: boolean): void {
    if (!seen) return;
    this.#onSeen({
      type: 'seen',
      cameraId,
      trackId: id,
      subject: seen.subject,
      from: seen.from,
      to: Math.max(seen.from, to),
      confidence: seen.confidence,
      ended,
    });
  }
}

function isSame(a: Subject | null, b: Subject | null): boolean {
  return a === null || b === null ? a === b : subjectKey(a) === subjectKey(b);
}
