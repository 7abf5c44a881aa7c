/** Joins incidents into cards, one per cause, for the list and the quiet line. Pure. */
import { isGrouped } from '@haris/contract/incident-kinds';
import { isDangerous, type ShownIncident, type ShownSubject } from './shown-incident.ts';

export type AlertState = 'open' | 'acknowledged' | 'over';

export interface AlertCard {
  readonly key: string;
  readonly kind: ShownIncident['kind'];
  readonly severity: ShownIncident['severity'];
  readonly state: AlertState;
  /** The incidents, oldest first; more than one if later subjects opened another one. */
  readonly incidents: readonly [ShownIncident, ...ShownIncident[]];
  /** Subjects that are still in it; all of them once it is over. */
  readonly subjects: readonly ShownSubject[];
  /** Rooms of the subjects, without duplicates. */
  readonly areas: readonly string[];
  /** Start of the oldest incident: ISO 8601. */
  readonly since: string;
}

function stateOf({ clearedAt, acknowledgedAt }: ShownIncident): AlertState {
  if (clearedAt !== null) return 'over';
  return acknowledgedAt === null ? 'open' : 'acknowledged';
}

const STATES: readonly AlertState[] = ['open', 'acknowledged', 'over'];

/** Dangers first until they are over, then what nobody has acknowledged, children and rooms before devices. */
function rankOf({ severity, state }: AlertCard): number {
  if (severity === 'safety' && state !== 'over') return STATES.indexOf(state) - STATES.length;
  return STATES.indexOf(state) * 2 + Number(severity === 'operation' && state === 'open');
}

/** Joins open incidents of one kind and state; an incident that is over is not joined. */
export function cardsOf(incidents: readonly ShownIncident[]): AlertCard[] {
  const groups = Map.groupBy(incidents, (incident) => {
    const state = stateOf(incident);
    return incident.kind !== 'unknown' && isGrouped(incident.kind) && state !== 'over'
      ? `${incident.kind} ${state}`
      : incident._id;
  });
  return [...groups]
    .map(([key, members]) => toCard(key, members))
    .toSorted((a, b) => rankOf(a) - rankOf(b) || b.since.localeCompare(a.since));
}

function toCard(key: string, members: readonly ShownIncident[]): AlertCard {
  const sorted = members.toSorted((a, b) => a.raisedAt.localeCompare(b.raisedAt));
  const incidents = sorted as unknown as [ShownIncident, ...ShownIncident[]];
  const [first] = incidents;
  const all = sorted.flatMap((incident) => incident.subjects);
  const present = all.filter(({ until }) => until === null);
  const subjects = present.length > 0 ? present : all;
  const areas =
    subjects.length > 0
      ? subjects.flatMap(({ area }) => area ?? [])
      : first.area === null
        ? []
        : [first.area];
  return {
    key,
    kind: first.kind,
    severity: first.severity,
    state: stateOf(first),
    incidents,
    subjects,
    areas: [...new Set(areas)],
    since: first.raisedAt,
  };
}

/** Incidents that one press on “Acknowledge all” covers: dangers are acknowledged one by one. */
export function quietIncidents(cards: readonly AlertCard[]): ShownIncident[] {
  return cards
    .filter((card) => card.state === 'open' && !isDangerous(card))
    .flatMap(({ incidents }) => incidents);
}
