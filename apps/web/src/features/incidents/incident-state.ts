/**
 * Merges the server's incidents with the page's own findings: one dialog per condition, and one acknowledgement for
 * both. A pure reducer.
 */
import type { ReadingMessage } from '@haris/contract/live/readings';
import {
  type AirIncident,
  type AirIncidents,
  type AirKind,
  acknowledgeAir,
  airKey,
  checkAir,
  type LimitOf,
} from './air-check.ts';
import { isDangerous, type ShownIncident } from './shown-incident.ts';

export interface IncidentState {
  /** Open incidents of the server. */
  readonly open: readonly ShownIncident[];
  /** The page's own findings. */
  readonly air: AirIncidents;
  /** Incident ids of the server for the page's findings, by {@link airKey}; kept after the incident has closed. */
  readonly incidentOf: ReadonlyMap<string, string>;
  /** Ids of incidents acknowledged on this device, whether or not the server has confirmed it. */
  readonly answered: ReadonlySet<string>;
}

export const NO_INCIDENTS: IncidentState = {
  open: [],
  air: new Map(),
  incidentOf: new Map(),
  answered: new Set(),
};

/**
 * The server may raise the first incident of a finding up to this long after somebody has acknowledged the finding: the
 * reading reaches the page first, and the page knows the server's clock only roughly. Milliseconds.
 */
const SAME_CONDITION_MS = 5000;

/** `now`: epoch milliseconds of the server's clock. */
export type IncidentAction =
  | { type: 'listed'; open: readonly ShownIncident[]; now: number }
  | { type: 'checked'; kind: AirKind; readings: readonly ReadingMessage[]; limitOf: LimitOf; now: number }
  /** This person no longer sees incidents about the air. */
  | { type: 'unwatched' }
  /** Somebody acknowledged a dialog on this device; `key` is its key in {@link dangersOf}. */
  | { type: 'acknowledged'; key: string; now: number }
  | { type: 'acknowledged-elsewhere'; incidentId: string; now: number }
  /** The server refused the acknowledgement. */
  | { type: 'refused'; incidentId: string };

/** Applies an action; returns the same state if nothing has changed. */
export function reduceIncidents(state: IncidentState, action: IncidentAction): IncidentState {
  switch (action.type) {
    case 'listed':
      return reconcile({ ...state, open: action.open }, action.now);
    case 'checked': {
      const air = checkAir(state.air, action.kind, action.readings, action.now, action.limitOf);
      return air === state.air ? state : reconcile({ ...state, air }, action.now);
    }
    case 'unwatched':
      return state.air.size === 0 ? state : { ...state, air: NO_INCIDENTS.air, incidentOf: new Map() };
    case 'acknowledged':
      return reconcile(acknowledge(state, action.key, action.now), action.now);
    case 'acknowledged-elsewhere': {
      // Looked up in `incidentOf`, because a closed incident is no longer in the list.
      const keys = [...state.incidentOf].filter(([, id]) => id === action.incidentId).map(([key]) => key);
      const air = keys.reduce((known, key) => acknowledgeAir(known, key, action.now), state.air);
      return air === state.air ? state : { ...state, air };
    }
    case 'refused':
      return { ...state, answered: new Set([...state.answered].filter((id) => id !== action.incidentId)) };
  }
}

/** Acknowledges both the server's incident and the page's finding of the same condition. */
function acknowledge(state: IncidentState, key: string, now: number): IncidentState {
  const incident = state.open.find(({ _id }) => _id === key);
  const finding = incident === undefined ? key : findingOf(incident);
  // The server records the acknowledgement of an incident even after it has closed.
  const incidentId = incident?._id ?? state.incidentOf.get(key);
  return {
    ...state,
    air: finding === null ? state.air : acknowledgeAir(state.air, finding, now),
    answered: incidentId === undefined ? state.answered : new Set(state.answered).add(incidentId),
  };
}

/** Links each finding to the server's incident of the same condition, and copies acknowledgements between them. */
function reconcile(state: IncidentState, now: number): IncidentState {
  let { air } = state;
  const incidentOf = new Map([...state.incidentOf].filter(([key]) => air.has(key)));
  const answered = new Set(state.answered);
  for (const incident of state.open) {
    const key = findingOf(incident);
    const found = key === null ? undefined : air.get(key);
    if (key === null || found === undefined) continue;
    const before = incidentOf.get(key);
    incidentOf.set(key, incident._id);
    if (incident.acknowledgedAt !== null) air = acknowledgeAir(air, key, now);
    // An incident raised after the acknowledgement is a new one, so it stays open, unless the server was only late.
    else if (found.acknowledgedAt !== null) {
      const lateMs = before === undefined ? SAME_CONDITION_MS : 0;
      if (Date.parse(incident.raisedAt) <= found.acknowledgedAt + lateMs) answered.add(incident._id);
    }
  }
  return {
    ...state,
    air,
    incidentOf,
    answered: answered.size === state.answered.size ? state.answered : answered,
  };
}

/** Key of the page's finding for the same condition; null if the page cannot detect this kind of incident. */
function findingOf({ kind, area }: ShownIncident): string | null {
  return (kind === 'temperature' || kind === 'air') && area !== null ? airKey(kind, area) : null;
}

/** Whether the incident opens a modal dialog: only a danger does, and an evacuation has its own screen. */
function hasDialog(incident: ShownIncident): boolean {
  return isDangerous(incident) && incident.kind !== 'evacuation';
}

/**
 * A danger that is not over: the server's incident, with the page's own finding of the same condition if there is one,
 * or only a finding. Acknowledging it changes only `isAnswered`.
 */
export type Danger = { readonly key: string; readonly isAnswered: boolean } & (
  | { readonly incident: ShownIncident; readonly finding: AirIncident | undefined }
  | { readonly incident: null; readonly finding: AirIncident }
);

export function dangersOf({ open, air, answered }: IncidentState): Danger[] {
  const dangers: Danger[] = [];
  /** Keys of conditions for which the server has an incident. */
  const known = new Set<string>();
  for (const incident of open) {
    const found = findingOf(incident);
    if (found !== null) known.add(found);
    if (!hasDialog(incident)) continue;
    const finding = found === null ? undefined : air.get(found);
    const isAnswered = incident.acknowledgedAt !== null || answered.has(incident._id);
    dangers.push({ key: incident._id, isAnswered, incident, finding });
  }
  for (const [key, finding] of air) {
    if (!finding.isRaised || known.has(key)) continue;
    dangers.push({ key, isAnswered: finding.acknowledgedAt !== null, incident: null, finding });
  }
  return dangers;
}
