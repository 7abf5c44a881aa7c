/**
 * Decides from the encodings of one track whose face it is. Pure: knows neither pictures nor boxes. Fails closed: in
 * doubt a track has no name.
 */
import { findMatch, findNearest, type Gallery, type Near } from '../faces/match.ts';

/** The faces that are compared, and how near a face must be. Distances are Euclidean. */
export interface Rules {
  readonly gallery: Gallery;
  readonly threshold: number;
  /** The second nearest must be at least this much further away. */
  readonly margin: number;
}

interface Sample {
  readonly encoding: Float32Array;
  /** How good the face could be seen, 0–1. */
  readonly weight: number;
}

/** So many encodings must agree before a track is named. */
const AGREEING = 3;
/** The best encodings of a track that are kept. */
const KEPT = 6;
/** A single encoding trembles more than the mean of several: it may lie so much further away. */
const SINGLE_SLACK = 0.05;

export class Evidence {
  #samples: Sample[] = [];
  #match: Near | null = null;

  /** Whose face it is, with the distance of the mean; null: unknown, or not decided yet. */
  get match(): Near | null {
    return this.#match;
  }

  /** Whether there were enough encodings to say that it is nobody known. */
  get isDecided(): boolean {
    return this.#samples.length >= AGREEING;
  }

  /** Takes the name away; the track must be encoded anew. */
  clear(): void {
    this.#samples = [];
    this.#match = null;
  }

  /** One more encoding of the track. One that speaks against the name takes it away at once. */
  add(encoding: Float32Array, weight: number, rules: Rules): void {
    if (this.#match && !this.#agrees(encoding, this.#match.childId, rules)) this.clear();
    if (this.#samples.length >= KEPT) {
      const worst = this.#samples.reduce((least, sample) => (sample.weight < least.weight ? sample : least));
      // An unknown track must be able to change its mind: there the oldest goes, not the worst.
      this.#samples.splice(this.#match ? this.#samples.indexOf(worst) : 0, 1);
    }
    this.#samples.push({ encoding, weight });
    this.judge(rules);
  }

  /** Decides anew from what is there: after a new encoding, and when the known faces changed. */
  judge(rules: Rules): void {
    this.#match = null;
    if (this.#samples.length < AGREEING) return;
    const match = findMatch(rules.gallery, meanOf(this.#samples), rules.threshold, rules.margin);
    if (!match) return;
    const agreeing = this.#samples.filter(({ encoding }) => this.#agrees(encoding, match.childId, rules));
    if (agreeing.length >= AGREEING && agreeing.length > 0.7 * this.#samples.length) this.#match = match;
  }

  #agrees(encoding: Float32Array, subjectId: string, { gallery, threshold }: Rules): boolean {
    const [nearest] = findNearest(gallery, encoding, threshold + SINGLE_SLACK);
    return nearest?.childId === subjectId;
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

/** 0–1: 1 is a face like the enrolled one, 0 lies at the threshold. */
export function confidenceOf(distance: number, threshold: number): number {
  return Math.min(1, Math.max(0, 1 - distance / threshold));
}
