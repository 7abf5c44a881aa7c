/**
 * Finds, tracks, matches and names faces in live pictures, for all cameras of a facility. Each analysis describes exactly
 * one picture.
 */
import { randomUUID } from 'node:crypto';
import { type Subject, subjectKey } from '@haris/contract/subject';
import type { VisionGallery } from '@haris/contract/vision';
import type { Detection, Square } from '../faces/detector.ts';
import { createGallery } from '../faces/match.ts';
import { MATCH_FACE_MIN_WIDTH, type Networks } from '../faces/networks.ts';
import { lookAt, rateFace } from '../faces/quality.ts';
import { type Pixels, Pyramid } from '../picture/pixels.ts';
import { type Box, expectedRegionOf, sharpRegionOf } from '../picture/region.ts';
import { CloserLooks, wasLookedAt } from './closer-looks.ts';
import { Evidence, type Rules } from './naming.ts';
import { type Followed, Occlusions } from './occlusion.ts';
import { type Seen, type Sighted, Sightings } from './sightings.ts';
import { Tracker } from './tracker.ts';

/** Limits for a match, and the ids of the children inside, who may be named. */
export interface RecognitionRules {
  readonly threshold: number;
  readonly margin: number;
  readonly inside: readonly string[];
}

/** Rules that name nobody, used before the server has sent rules and after it disconnected. */
export const NO_RECOGNITION: RecognitionRules = { threshold: 0, margin: 0, inside: [] };

/** A face in a picture; its box is in pixels of that picture. */
export interface LiveFace {
  readonly box: Box;
  /** Null if the face is unknown or not decided yet, or if the child is not inside. */
  readonly subject: Subject | null;
  /** Whether the family may see the face sharp: a clearly detected child inside, whose surroundings were searched. */
  readonly showable: boolean;
  /** Whether an undetected person may be behind this face; then only the face itself may be shown. */
  readonly crowded: boolean;
}

export interface Analysis {
  readonly faces: readonly LiveFace[];
  /** Regions of faces that were expected but not found in this picture. */
  readonly expected: readonly Box[];
}

export interface LiveInput {
  readonly cameraId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly pixels: Pixels;
  /** Ids of watched children; their surroundings get a closer search. */
  readonly watched: ReadonlySet<string>;
}

/** Named tracks are compared again after this time, watched children much sooner. Milliseconds. */
const CHECK_MS = 2_000;
const CHECK_WATCHED_MS = 400;
/** A name that was not confirmed for this long is removed. Milliseconds. */
const CONFIRM_MS = 3_500;
/** An unknown face is compared again after this time. Milliseconds. */
const UNKNOWN_MS = 2_000;
/** Most encodings per picture, at some 15 ms each; fewer while somebody watches, to keep the next picture on time. */
const ENCODINGS_PER_PICTURE = 5;
const ENCODINGS_WHILE_WATCHED = 2;
const URGENT_PER_PICTURE = 8;
const MATCH_MIN_SCORE = 0.6;
const SHOW_MIN_SCORE = 0.5;

interface Person extends Followed, Sighted {
  encodedAt: number;
  /** When an encoding last confirmed the name. */
  confirmedAt: number;
  /** Key of the subject that the track was last named as. */
  lastNamed: string | null;
}

interface Camera {
  readonly tracker: Tracker<Person>;
  readonly occlusions: Occlusions<Person>;
  readonly closerLooks: CloserLooks;
}

type Tracked = Tracker<Person>['tracks'][number];

export class LiveRecognizer {
  readonly #networks: Networks;
  readonly #sightings: Sightings;
  readonly #cameras = new Map<string, Camera>();
  #rules: Rules = { gallery: [], threshold: 0, margin: 0 };
  #inside: ReadonlySet<string> = new Set();

  constructor(networks: Networks, onSeen: (seen: Seen) => void) {
    this.#networks = networks;
    this.#sightings = new Sightings(onSeen);
  }

  /** Replaces the gallery and judges all tracks again. */
  setGallery(entries: VisionGallery['entries']): void {
    this.#rules = { ...this.#rules, gallery: createGallery(entries) };
    this.#judgeAll();
  }

  /** Replaces the matching rules and judges all tracks again. */
  setRules({ threshold, margin, inside }: RecognitionRules): void {
    this.#rules = { ...this.#rules, threshold, margin };
    this.#inside = new Set(inside);
    this.#judgeAll();
  }

  #judgeAll(): void {
    for (const [cameraId, { tracker }] of this.#cameras) {
      for (const { own } of tracker.tracks) own.evidence.judge(this.#rules);
      this.#sightings.report(cameraId, tracker.tracks, Date.now(), this.#rules.threshold);
    }
  }

  /** Ends the tracks of a camera that has stopped. */
  forget(cameraId: string): void {
    const camera = this.#cameras.get(cameraId);
    if (!camera) return;
    this.#cameras.delete(cameraId);
    for (const { own, seenAt } of camera.tracker.tracks) this.#sightings.end(cameraId, own, seenAt);
  }

  /**
   * Finds the faces of a picture and passes them to `answer` at once, with the names known so far. Then encodes some of the
   * faces, to name them in later pictures.
   */
  async analyse(input: LiveInput, answer: (analysis: Analysis) => void): Promise<void> {
    const { cameraId, at } = input;
    const pyramid = new Pyramid(input.pixels);
    const camera = this.#cameras.get(cameraId) ?? newCamera();
    this.#cameras.set(cameraId, camera);
    const { tracker, occlusions } = camera;
    const places = tracker.predict(at).map(({ box, own }) => {
      return { box, isWatched: isWatched(own.evidence.match?.subject, input.watched) };
    });
    const closer = camera.closerLooks.choose(places, input.pixels, at);
    const faces = await this.#networks.detector.detectLive(pyramid, closer);
    const ended = tracker.update(faces, at);
    occlusions.update(tracker.tracks, ended, at);
    for (const { own } of ended) this.#sightings.end(cameraId, own, at);

    let urgent = 0;
    for (const track of tracker.tracks) {
      const { evidence } = track.own;
      if (track.mixed) evidence.clear();
      if (!evidence.match) continue;
      if (track.jumped) {
        if (!this.#canEncode(track, input.pixels) || urgent++ >= URGENT_PER_PICTURE) evidence.clear();
        else await this.#encode(track, pyramid, at);
      }
      if (at - track.own.confirmedAt > CONFIRM_MS) evidence.clear();
    }
    answer(this.#describe(camera, faces, closer, input));

    const most = input.watched.size > 0 ? ENCODINGS_WHILE_WATCHED : ENCODINGS_PER_PICTURE;
    for (const track of this.#due(tracker, input).slice(0, most)) await this.#encode(track, pyramid, at);
    this.#resolveClaims(tracker);
    this.#sightings.report(cameraId, tracker.tracks, at, this.#rules.threshold);
  }

  #describe(
    { tracker, occlusions }: Camera,
    faces: readonly Detection[],
    squares: readonly Square[],
    { at, pixels }: LiveInput,
  ): Analysis {
    const byFace = new Map<Detection, Tracked>();
    for (const track of tracker.tracks) if (track.detection) byFace.set(track.detection, track);
    return {
      faces: faces.map((face) => {
        const box = { x: face.x, y: face.y, width: face.width, height: face.height };
        const own = byFace.get(face)?.own;
        const crowded = own === undefined || occlusions.mayHide(own, at);
        const subject = own?.evidence.match?.subject;
        if (!subject || (subject.kind === 'child' && !this.#inside.has(subject.id)))
          return { box, subject: null, showable: false, crowded };
        const looked = wasLookedAt(squares, sharpRegionOf(box), pixels);
        const showable = subject.kind === 'child' && face.score >= SHOW_MIN_SCORE && looked;
        return { box, subject, showable, crowded };
      }),
      expected: tracker.tracks.filter(({ detection }) => !detection).map(({ box }) => expectedRegionOf(box)),
    };
  }

  #canEncode({ detection, mixed }: Tracked, { width, height }: Pixels): boolean {
    if (!detection || mixed) return false;
    const reach = 0.02 * detection.width;
    return (
      detection.width >= MATCH_FACE_MIN_WIDTH &&
      detection.score >= MATCH_MIN_SCORE &&
      detection.x >= -reach &&
      detection.y >= -reach &&
      detection.x + detection.width <= width + reach &&
      detection.y + detection.height <= height + reach
    );
  }

  /** Tracks that should be compared now, the most urgent first. */
  #due(tracker: Tracker<Person>, { at, watched, pixels }: LiveInput): Tracked[] {
    const urgencyOf = ({ own }: Tracked): number => {
      const waited = at - own.encodedAt;
      const { match, isDecided } = own.evidence;
      if (match) return waited / (isWatched(match.subject, watched) ? CHECK_WATCHED_MS : CHECK_MS);
      // Undecided faces come first, and among them the face that has waited longest.
      return isDecided ? waited / UNKNOWN_MS : 10 + waited / UNKNOWN_MS;
    };
    return tracker.tracks
      .filter((track) => this.#canEncode(track, pixels) && track.own.encodedAt !== at)
      .map((track) => ({ track, urgency: urgencyOf(track) }))
      .filter(({ urgency }) => urgency >= 1)
      .sort((a, b) => b.urgency - a.urgency)
      .map(({ track }) => track);
  }

  async #encode({ detection, own }: Tracked, pyramid: Pyramid, at: number): Promise<void> {
    if (!detection) return;
    const encoding = await this.#networks.encode(pyramid, detection);
    const { width, height } = pyramid.full;
    const weight = rateFace(detection, lookAt(pyramid, detection), { width, height, sentScale: 1 });
    own.evidence.add(encoding, weight, this.#rules);
    own.encodedAt = at;
    if (!own.evidence.match) return;
    own.confirmedAt = at;
    own.lastNamed = subjectKey(own.evidence.match.subject);
  }

  /** Clears the names of tracks that share one name: nobody appears twice in one picture. */
  #resolveClaims(tracker: Tracker<Person>): void {
    const claims = new Map<string, Tracked[]>();
    for (const track of tracker.tracks) {
      const { match } = track.own.evidence;
      if (!match) continue;
      const key = subjectKey(match.subject);
      claims.set(key, [...(claims.get(key) ?? []), track]);
    }
    for (const tracks of claims.values())
      if (tracks.length > 1) for (const { own } of tracks) own.evidence.clear();
  }
}

function isWatched(subject: Subject | undefined, watched: ReadonlySet<string>): boolean {
  return subject?.kind === 'child' && watched.has(subject.id);
}

function newCamera(): Camera {
  return { tracker: new Tracker(newPerson), occlusions: new Occlusions(), closerLooks: new CloserLooks() };
}

function newPerson(at: number): Person {
  return {
    id: randomUUID(),
    evidence: new Evidence(),
    encodedAt: 0,
    confirmedAt: at,
    bornAt: at,
    lastNamed: null,
    seen: null,
  };
}
