/**
 * Faces of live pictures: found, followed, compared and named, for all cameras of a site. Answers for one picture what
 * is in that very picture. Knows ids and numbers only, no wire and no process.
 */
import { randomUUID } from 'node:crypto';
import type { RosterEntry, VisionNote } from '@haris/contract/vision-live';
import type { Detection, Square } from '../faces/detector.ts';
import { createGallery } from '../faces/match.ts';
import { MATCH_FACE_MIN_WIDTH, type Networks } from '../faces/networks.ts';
import { lookAt, rateFace } from '../faces/quality.ts';
import { type Pixels, Pyramid } from '../picture/pixels.ts';
import { type Box, expectedRegionOf, sharpRegionOf } from '../picture/region.ts';
import { CloserLooks, wasLookedAt } from './closer-looks.ts';
import { confidenceOf, Evidence, type Rules } from './naming.ts';
import { type Followed, Occlusions } from './occlusion.ts';
import { Tracker } from './tracker.ts';

export interface Roster {
  readonly threshold: number;
  readonly margin: number;
  readonly entries: readonly RosterEntry[];
}

/** A face of a picture. Boxes are pixels of that picture. */
export interface LiveFace {
  readonly box: Box;
  /** Whose face it is; null for unknown, for not yet known and for a child that is not inside. */
  readonly subjectId: string | null;
  /** Whether it may be shown sharp to its own family: a child inside, plainly found, and its surroundings looked at. */
  readonly showable: boolean;
  /** Somebody whose face is not found may be behind this one: no more than the face itself may be shown. */
  readonly crowded: boolean;
}

export interface Analysis {
  readonly faces: readonly LiveFace[];
  /** Regions where a face is expected that was not found in this picture. */
  readonly expected: readonly Box[];
}

export type Seen = Extract<VisionNote, { type: 'seen' }>;

export interface LiveInput {
  readonly cameraId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly pixels: Pixels;
  /** Children that somebody watches: only their surroundings are looked at closely. */
  readonly watched: ReadonlySet<string>;
}

/** Named tracks are compared again after so long; those that a family watches much sooner. Milliseconds. */
const CHECK_MS = 2_000;
const CHECK_WATCHED_MS = 400;
/** A name that could not be confirmed for so long is taken away. */
const CONFIRM_MS = 3_500;
/** An unknown face is compared again after so long. */
const UNKNOWN_MS = 2_000;
const SEEN_EVERY_MS = 1_000;
/** Encodings are some 15 ms each: so many per picture, so that the next picture does not wait for long if somebody waits. */
const ENCODINGS_PER_PICTURE = 5;
const ENCODINGS_WHILE_WATCHED = 2;
const URGENT_PER_PICTURE = 8;
const MATCH_MIN_SCORE = 0.6;
const SHOW_MIN_SCORE = 0.5;

interface Person extends Followed {
  id: string;
  readonly evidence: Evidence;
  encodedAt: number;
  /** When the face and the name were last found to agree. */
  confirmedAt: number;
  lastNamed: string | null;
  seen: {
    readonly subjectId: string | null;
    readonly from: number;
    toldAt: number;
    confidence: number;
  } | null;
}

interface Camera {
  readonly tracker: Tracker<Person>;
  readonly occlusions: Occlusions<Person>;
  readonly closerLooks: CloserLooks;
}

type Tracked = Tracker<Person>['tracks'][number];

export class LiveRecognizer {
  readonly #networks: Networks;
  readonly #onSeen: (seen: Seen) => void;
  readonly #cameras = new Map<string, Camera>();
  #rules: Rules = { gallery: [], threshold: 0, margin: 0 };
  #entries = new Map<string, RosterEntry>();

  constructor(networks: Networks, onSeen: (seen: Seen) => void) {
    this.#networks = networks;
    this.#onSeen = onSeen;
  }

  /** The people that may be named from now on; tracks are judged anew at once. */
  setRoster({ threshold, margin, entries }: Roster): void {
    this.#entries = new Map(entries.map((entry) => [entry.subjectId, entry]));
    const gallery = createGallery(
      entries.map(({ subjectId, encodings }) => ({ childId: subjectId, encodings })),
    );
    this.#rules = { gallery, threshold, margin };
    for (const [cameraId, { tracker }] of this.#cameras) {
      for (const { own } of tracker.tracks) own.evidence.judge(this.#rules);
      this.#tell(cameraId, tracker, Date.now());
    }
  }

  /** Ends the tracks of a camera that is no longer looked at. */
  forget(cameraId: string): void {
    const camera = this.#cameras.get(cameraId);
    if (!camera) return;
    this.#cameras.delete(cameraId);
    for (const { own, seenAt } of camera.tracker.tracks) this.#end(cameraId, own, seenAt);
  }

  /**
   * Finds the faces of a picture and gives them to `answer` with the names known so far, as soon as possible; then
   * compares some of them, which names them in the pictures that follow.
   */
  async analyse(input: LiveInput, answer: (analysis: Analysis) => void): Promise<void> {
    const { cameraId, at } = input;
    const pyramid = new Pyramid(input.pixels);
    const camera = this.#cameras.get(cameraId) ?? newCamera();
    this.#cameras.set(cameraId, camera);
    const { tracker, occlusions } = camera;
    const places = tracker.predict(at).map(({ box, own }) => {
      const subject = own.evidence.match?.childId;
      return { box, isWatched: subject !== undefined && input.watched.has(subject) };
    });
    const closer = camera.closerLooks.choose(places, input.pixels, at);
    const faces = await this.#networks.detector.detectLive(pyramid, closer);
    const ended = tracker.update(faces, at);
    occlusions.update(tracker.tracks, ended, at);
    for (const { own } of ended) this.#end(cameraId, own, at);

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
    this.#tell(cameraId, tracker, at);
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
        const entry = this.#entries.get(own?.evidence.match?.childId ?? '');
        if (!entry || (entry.kind === 'child' && !entry.inside))
          return { box, subjectId: null, showable: false, crowded };
        const looked = wasLookedAt(squares, sharpRegionOf(box), pixels);
        const showable = entry.kind === 'child' && face.score >= SHOW_MIN_SCORE && looked;
        return { box, subjectId: entry.subjectId, showable, crowded };
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
      if (match) return waited / (watched.has(match.childId) ? CHECK_WATCHED_MS : CHECK_MS);
      // A new face first, but each in turn.
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
    own.lastNamed = own.evidence.match.childId;
  }

  /** One child is on a camera's picture once: of two tracks with one name the further one is wrong, or both are. */
  #resolveClaims(tracker: Tracker<Person>): void {
    const claims = new Map<string, Tracked[]>();
    for (const track of tracker.tracks) {
      const subjectId = track.own.evidence.match?.childId;
      if (subjectId) claims.set(subjectId, [...(claims.get(subjectId) ?? []), track]);
    }
    for (const tracks of claims.values())
      if (tracks.length > 1) for (const { own } of tracks) own.evidence.clear();
  }

  /** Reports who is seen: at once when a name comes or goes, else once a second. */
  #tell(cameraId: string, tracker: Tracker<Person>, at: number): void {
    for (const { own, seenAt, detection } of tracker.tracks) {
      const { match, isDecided } = own.evidence;
      const subjectId = match?.childId ?? null;
      const isUnknown = !match && isDecided && seenAt - own.bornAt >= UNKNOWN_MS;
      if (own.seen && (own.seen.subjectId !== subjectId || (!match && !isDecided)))
        this.#end(cameraId, own, seenAt);
      if (!own.seen && (match || isUnknown)) own.seen = { subjectId, from: at, toldAt: 0, confidence: 0 };
      if (!own.seen || !detection || at - own.seen.toldAt < SEEN_EVERY_MS) continue;
      own.seen.toldAt = at;
      own.seen.confidence = match ? confidenceOf(match.distance, this.#rules.threshold) : 0;
      this.#report(cameraId, own, seenAt, false);
    }
  }

  #end(cameraId: string, own: Person, at: number): void {
    if (own.seen && own.seen.toldAt > 0) this.#report(cameraId, own, Math.max(at, own.seen.from), true);
    own.seen = null;
    own.id = randomUUID();
  }

  #report(cameraId: string, { id, seen }: Person, to: number, ended: boolean): void {
    if (!seen) return;
    this.#onSeen({
      type: 'seen',
      cameraId,
      trackId: id,
      subjectId: seen.subjectId,
      from: seen.from,
      to: Math.max(seen.from, to),
      confidence: seen.confidence,
      ended,
    });
  }
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
