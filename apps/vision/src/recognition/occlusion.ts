/**
 * Remembers faces that were lost beside others. Whoever walks behind somebody is not found for as long as only a cheek and
 * an ear can be seen, and may stay there, or walk along, for longer than a face can be followed. Until the face is found
 * elsewhere, or enough time has passed, it is taken to be behind those who were near. Pure; boxes in pixels, times in
 * milliseconds.
 */
import { type Box, expectedRegionOf, sharpRegionOf, touches } from '../picture/region.ts';
import type { Track } from './tracker.ts';

/** What is known of a followed face besides where it is. */
export interface Followed {
  /** When it was found first. */
  readonly bornAt: number;
  /** Who it was named as last, also if that was taken back; null if it never was. */
  readonly lastNamed: string | null;
}

type Face<T> = Track & { readonly own: T };

interface Lost<T> {
  readonly own: T;
  /** Where it was expected last. */
  readonly place: Box;
  /** When it was found last. */
  readonly seenAt: number;
  /** Behind whom it may be. */
  readonly behind: Set<T>;
}

/** Who comes in may have somebody behind that was never seen: it is looked at for so long first. */
const NEW_FOR_MS = 5_000;
/** After so long it is taken to have gone. */
const GONE_AFTER_MS = 20_000;
/** What is found in fewer pictures is too often a second box around a face that was found. */
const FACE_FINDS = 3;
/** Who comes out from behind somebody is found within so many widths of the face beside or where it was lost. */
const REACH = 3;

export class Occlusions<T extends Followed> {
  #lost: Lost<T>[] = [];
  /** For faces that are followed still: whom they could have gone behind since they were last found. */
  readonly #near = new Map<T, Set<T>>();
  readonly #explained = new WeakSet<T>();

  /** After each picture: all faces that are followed, and of them those that began; and those that are followed no longer. */
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
      // Whoever was behind this one may be behind the same others now.
      for (const lost of this.#lost)
        if (lost.behind.has(own)) for (const other of behind) lost.behind.add(other);
      this.#lost.push({ own, place: box, seenAt, behind });
    }
    this.#lost = this.#lost.filter((lost) => at - lost.seenAt < GONE_AFTER_MS);
    for (const track of tracks) this.#explain(track, tracks);
    for (const lost of this.#lost)
      for (const track of tracks) if (isNear(track, lost.place)) lost.behind.add(track.own);
  }

  /** Whether somebody who is not found may be behind this face at `at`. */
  mayHide(own: T, at: number): boolean {
    const isNew = at - own.bornAt < NEW_FOR_MS && !this.#explained.has(own);
    return isNew || this.#lost.some(({ behind }) => behind.has(own));
  }

  /** A face that began after another was lost, and where that one can be or with its name, is that one. */
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
    // Who may be behind the face as it was followed before may be behind it still.
    for (const { behind } of this.#lost) if (behind.has(found.own)) behind.add(own);
  }
}

const isNear = ({ detection }: Track, place: Box): boolean =>
  detection !== null && touches(sharpRegionOf(detection), expectedRegionOf(place));

const distance = (a: Box, b: Box): number =>
  Math.hypot(a.x + a.width / 2 - b.x - b.width / 2, a.y + a.height / 2 - b.y - b.height / 2);
