/** Dangers as the screens show them, and the page's one list of them, which every screen reads. Independent of React. */
import { useSyncExternalStore } from 'react';
import type { AirKind } from '../air-check.ts';

/** A danger that is not over, in the words of the current language. */
export interface ShownDanger {
  readonly key: string;
  readonly kind: AirKind;
  /** Null: the whole facility. */
  readonly area: string | null;
  readonly title: string;
  /** The measured value and its area. */
  readonly text: string;
  /** The limit that was reached, with its unit. */
  readonly limit: string;
  /** Message that the value is back below the limit; null before that. */
  readonly change: string | null;
  /** Start, in epoch milliseconds. */
  readonly since: number;
  /** Somebody has acknowledged it. It stays a danger until it is over. */
  readonly isAnswered: boolean;
  /** Name of the staff member who acknowledged it; null for parents, and until the server has confirmed it. */
  readonly answeredBy: string | null;
}

const NONE: readonly ShownDanger[] = [];
let dangers = NONE;
const listeners = new Set<() => void>();

/** Replaces the list; called by the incident centre alone. */
export function publishDangers(next: readonly ShownDanger[]): void {
  if (next === dangers || (next.length === 0 && dangers.length === 0)) return;
  dangers = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The dangers now: acknowledged or not, until they are over. */
export function useDangers(): readonly ShownDanger[] {
  return useSyncExternalStore(subscribe, () => dangers);
}

/** Whether a danger concerns a room: it is there, or in the whole facility. */
export function isDangerIn(danger: Pick<ShownDanger, 'area'>, area: string): boolean {
  return danger.area === null || danger.area === area;
}
