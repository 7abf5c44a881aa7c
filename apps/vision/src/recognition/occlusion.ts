/**
 * Remembers faces that were lost beside others. A person who walks behind another is not found while only a cheek and an
 * ear are visible, and may stay hidden for longer than a track lasts. Until the face is found elsewhere, or enough time has
 * passed, it is assumed to be behind the faces that were near. Pure. Boxes are in pixels, times in milliseconds.
 */
import { type Box, expectedRegionOf, sharpRegionOf, touches } from '../picture/region.ts';
import type { Track } from './tracker.ts';

/** Data of a tracked face besides its place. */
export interface Followed {
  /** When the face was first found. */
  readonly bornAt: number;
  /** Key of the face's last name, even if withdrawn; null if it never had one. */
  readonly lastNamed: string | null;
}

type Face<T> = Track & { readonly own: T };

interface Lost<T> {
  readonly own: T;
  /** Where the face was last expected. */
  readonly place: Box;
  /** When the face was last found. */
  readonly seenAt: number;
  /** The people whom it may be behind. */
  readonly behind: Set<T>;
}

/** A new face counts as crowded for this long, because somebody never seen may be behind it. Milliseconds. */
const NEW_FOR_MS = 5_000;
/** A lost face is assumed to have left after this time. Milliseconds. */
const GONE_AFTER_MS = 20_000;
/** A face found in fewer frames is often only a second box around another face. */
const FACE_FINDS = 3;
/** A lost face reappears within this many face widths of its last place or of a face that it may be behind. */
const REACH = 3;

export class Occlusions<T extends Followed> {
  #lost: Lost<T>[] = [];
  /** For each tracked face, the people it could have gone behind since it was last found. */
  readonly #near = new Map<T, Set<T>>();
  readonly #explained = new WeakSet<T>();

  /** Call this after each frame with all tracks and with the tracks that ended. */
  update(tracks: readonly Face<T>[], ended: readonly Face<T>[], at: number): void {
    for (const face of [...tracks, ...ended]) {
      if (face.detection) {
        this.#near.delete(face.own);
        continue;
      }
      const near = this.#near.get(face.own) ?? new Set<T>();
      this.#near.set(face.own, near);
      for (const other of tracks) if (other !== face && isNear(other, face.box)) near.add(other.own);
    }
    for (const { own, box, seenAt, finds } of ended) {
      const behind = this.#near.get(own) ?? new Set<T>();
      this.#near.delete(own);
      if (finds < FACE_FINDS) continue;
      // A lost face behind this one may now be behind its neighbours too.
      for (const lost of this.#lost)
        if (lost.behind.has(own)) for (const other of behind) lost.behind.add(other);
      this.#lost.push({ own, place: box, seenAt, behind });
    }
    this.#lost = this.#lost.filter((lost) => at - lost.seenAt < GONE_AFTER_MS);
    for (const track of tracks) this.#explain(track, tracks);
    for (const lost of this.#lost)
      for (const track of tracks) if (isNear(track, lost.place)) lost.behind.add(track.own);
  }

  /** Whether a lost face may be behind this one at `at`. */
  mayHide(own: T, at: number): boolean {
    const isNew = at - own.bornAt < NEW_FOR_MS && !this.#explained.has(own);
    return isNew || this.#lost.some(({ behind }) => behind.has(own));
  }

  /** Takes a new face for a lost face if it appears within reach of it or has its name. */
  #explain({ own, box, finds }: Face<T>, tracks: readonly Face<T>[]): void {
    if (finds < FACE_FINDS || this.#explained.has(own)) return;
    const reachable = this.#lost
      .filter(({ seenAt }) => seenAt < own.bornAt)
      .map((lost) => {
        const before = tracks.filter((track) => track.own !== own && lost.behind.has(track.own));
        const places = [lost.place, ...before.map((track) => track.box)];
        const away = Math.min(...places.map((place) => distance(place, box) / place.width));
        return { lost, away };
      });
    const named = reachable.find(
      ({ lost }) => own.lastNamed !== null && lost.own.lastNamed === own.lastNamed,
    );
    const nearest = reachable.filter(({ away }) => away < REACH).sort((a, b) => a.away - b.away)[0];
    const found = (named ?? nearest)?.lost;
    if (!found) return;
    this.#explained.add(own);
    this.#lost = this.#lost.filter((lost) => lost !== found);
    // Faces that may have been behind the lost face may be behind it still.
    for (const { behind } of this.#lost) if (behind.has(found.own)) behind.add(own);
  }
}

const isNear = ({ detection }: Track, place: Box): boolean =>
  detection !== null && touches(sharpRegionOf(detection), expectedRegionOf(place));

const distance = (a: Box, b: Box): number =>
  Math.hypot(a.x + a.width / 2 - b.x - b.width / 2, a.y + a.height / 2 - b.y - b.height / 2);
