/**
 * Decides from the encodings of one track whose face it is. Fails closed: in doubt a track has no name. Pure.
 */
import { namedBelow } from '@haris/contract/face-distance';
import { type Subject, subjectKey } from '@haris/contract/subject';
import { findMatch, findNearest, type Gallery, type Look, type Near, once } from '../faces/match.ts';

/** The gallery and the limits for a match. Distances are Euclidean. */
export interface Rules {
  readonly gallery: Gallery;
  /** For a subject with several photos; see `namedBelow`. */
  readonly threshold: number;
  /** The second-nearest subject must be at least this much further away. */
  readonly margin: number;
}

/** Encodings that must agree before a track is named. */
const AGREEING = 3;
/** Most encodings kept per track. */
const KEPT = 6;
/** A single look varies more than the mean of several, so it may lie this much further away. */
const SINGLE_SLACK = 0.05;

export class Evidence {
  /** Weighted by the quality of the face, 0–1. */
  #samples: Look[] = [];
  #match: Near | null = null;

  /** The matched subject and the mean distance of the encodings; null if unknown or not decided yet. */
  get match(): Near | null {
    return this.#match;
  }

  /** Whether there are enough encodings to call the face unknown. */
  get isDecided(): boolean {
    return this.#samples.length >= AGREEING;
  }

  /** Forgets the name and all encodings. */
  clear(): void {
    this.#samples = [];
    this.#match = null;
  }

  /** Adds an encoding of the track. If it contradicts the name, the name and the older encodings are dropped. */
  add(encoding: Float32Array, weight: number, rules: Rules): void {
    if (this.#match && !this.#agrees(encoding, this.#match.subject, rules)) this.clear();
    if (this.#samples.length >= KEPT) {
      const worst = this.#samples.reduce((least, sample) => (sample.weight < least.weight ? sample : least));
      // An unknown track must be able to get a name: it loses its oldest sample, not its worst.
      this.#samples.splice(this.#match ? this.#samples.indexOf(worst) : 0, 1);
    }
    this.#samples.push({ encoding, weight });
    this.judge(rules);
  }

  /** Decides again. Call it when the gallery or the rules changed. */
  judge(rules: Rules): void {
    this.#match = null;
    if (this.#samples.length < AGREEING) return;
    const match = findMatch(rules.gallery, this.#samples, rules.threshold, rules.margin);
    if (!match) return;
    const agreeing = this.#samples.filter(({ encoding }) => this.#agrees(encoding, match.subject, rules));
    if (agreeing.length >= AGREEING && agreeing.length > 0.7 * this.#samples.length) this.#match = match;
  }

  #agrees(encoding: ArrayLike<number>, subject: Subject, { gallery, threshold }: Rules): boolean {
    const [nearest] = findNearest(gallery, once(encoding), threshold + SINGLE_SLACK);
    return (
      nearest !== undefined &&
      subjectKey(nearest.subject) === subjectKey(subject) &&
      nearest.distance < namedBelow(nearest.photos.length, threshold) + SINGLE_SLACK
    );
  }
}

/** Confidence of a match, 0–1: 1 at distance 0, 0 at the threshold. */
export function confidenceOf(distance: number, threshold: number): number {
  return Math.min(1, Math.max(0, 1 - distance / threshold));
}
