/** Dangers as the screens show them, and the page's one list of them, which every screen reads. Independent of React. */
import { useSyncExternalStore } from 'react';
import type { AirKind } from '../air-check.ts';

/** What all dangers have. None is over, and the texts are in the current language. */
interface CommonDanger {
  readonly key: string;
  readonly title: string;
  /** What is dangerous, and where or for whom. */
  readonly text: string;
  /** The room or the child that it concerns, in short; null: the whole facility. */
  readonly about: string | null;
  /** Start, in epoch milliseconds. */
  readonly since: number;
  /** Somebody has acknowledged it. It stays a danger until it is over. */
  readonly isAnswered: boolean;
  /** Name of the staff member who acknowledged it; null for parents, and until the server has confirmed it. */
  readonly answeredBy: string | null;
}

/** A danger in the air of a room. */
export interface AirDanger extends CommonDanger {
  readonly kind: AirKind;
  /** Null: the whole facility. */
  readonly area: string | null;
  /** Message that the value is back below the limit; null before that. */
  readonly change: string | null;
}

/** A barred person who tried to take a child. Only staff have it. */
export interface BarredDanger extends CommonDanger {
  readonly kind: 'barred_person';
  /** Null once the child is deleted. */
  readonly child: { readonly id: string; readonly name: string } | null;
  /** Name of the staff member at the desk; null if the account is gone. */
  readonly atDesk: string | null;
}

/** A child whom staff cannot find. Only staff have it. */
export interface MissingDanger extends CommonDanger {
  readonly kind: 'missing_child';
  /** Null once the child is deleted. */
  readonly child: { readonly id: string; readonly name: string } | null;
  /** Name of the staff member who raised it; null if the account is gone. */
  readonly raisedBy: string | null;
}

/** A release told later after which the child may be with the wrong adult. Only staff have it. */
export interface DoubtfulDanger extends CommonDanger {
  readonly kind: 'doubtful_release';
  /** Null once the child is deleted. */
  readonly child: { readonly id: string; readonly name: string } | null;
  /** Name of the staff member in whose name the release is; null if that is not known. */
  readonly releasedBy: string | null;
}

/** A danger of a kind that a newer server knows. */
interface UnknownDanger extends CommonDanger {
  readonly kind: 'unknown';
}

export type ShownDanger = AirDanger | BarredDanger | MissingDanger | DoubtfulDanger | UnknownDanger;

/** Whether it is in the air of rooms; the others make no room red. */
export function isInAir(danger: ShownDanger): danger is AirDanger {
  return danger.kind === 'temperature' || danger.kind === 'air';
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
export function isDangerIn(danger: Pick<AirDanger, 'area'>, area: string): boolean {
  return danger.area === null || danger.area === area;
}
