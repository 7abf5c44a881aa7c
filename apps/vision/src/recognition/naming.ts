/**
 * Decides from the encodings of one track whose face it is. Fails closed: in doubt a track has no name. Pure.
 */
import { type Subject, subjectKey } from '@haris/contract/subject';
import { findMatch, findNearest, type Gallery, type Near } from '../faces/match.ts';

/** The gallery and the limits for a match. Distances are Euclidean. */
export interface Rules {
  readonly gallery: Gallery;
  readonly threshold: number;
  /** The second-nearest subject must be at least this much further away. */
  readonly margin: number;
}

interface Sample {
  readonly encoding: Float32Array;
  /** Quality of the face, 0–1. */
  readonly weight: number;
}

/** Encodings that must agree before a track is named. */
const AGREEING = 3;
/** Most encodings kept per track. */
const KEPT = 6;
/** A single encoding varies more than the mean of several, so it may lie this much further away. */
const SINGLE_SLACK = 0.05;

export class Evidence {
  #samples: Sample[] = [];
  #match: Near | null = null;

  /** The matched subject and the distance of the mean encoding; null if unknown or not decided yet. */
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
    const match = findMatch(rules.gallery, meanOf(this.#samples), rules.threshold, rules.margin);
    if (!match) return;
    const agreeing = this.#samples.filter(({ encoding }) => this.#agrees(encoding, match.subject, rules));
    if (agreeing.length >= AGREEING && agreeing.length > 0.7 * this.#samples.length) this.#match = match;
  }

  #agrees(encoding: Float32Array, subject: Subject, { gallery, threshold }: Rules): boolean {
    const [nearest] = findNearest(gallery, encoding, threshold + SINGLE_SLACK);
    return nearest !== undefined && subjectKey(nearest.subject) === subjectKey(subject);
  }
}

function meanOf(samples: readonly Sample[]): Float64Array {
  const total = samples.reduce((sum, { weight }) => sum + weight, 0);
  const mean = new Float64Array(samples[0]?.encoding.length ?? 0);
  for (const { encoding, weight } of samples)
    encoding.forEach((value, i) => {
      mean[i] = (mean[i] ?? 0) + (value * weight) / total;
    });
  return mean;
}

/** Confidence of a match, 0–1: 1 at distance 0, 0 at the threshold. */
export function confidenceOf(distance: number, threshold: number): number {
  return Math.min(1, Math.max(0, 1 - distance / threshold));
}
