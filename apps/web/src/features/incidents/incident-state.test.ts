import { DEFAULT_ALARMS } from '@haris/contract/alarms';
import type { Incident } from '@haris/contract/http/incidents';
import { INCIDENT_KINDS } from '@haris/contract/incident-kinds';
import type { ReadingMessage } from '@haris/contract/live/readings';
import { describe, expect, it } from 'vitest';
import { airKey } from './air-check.ts';
import {
  dangersOf,
  type IncidentAction,
  type IncidentState,
  NO_INCIDENTS,
  reduceIncidents,
} from './incident-state.ts';

const NOW = Date.parse('2026-03-10T09:00:00.000Z');
const KEY = airKey('temperature', 'Playroom');

const reading = (temperature: number): ReadingMessage => ({
  temperature,
  humidity: null,
  mq2: null,
  at: new Date(NOW).toISOString(),
  area: 'Playroom',
  sensorId: 's1',
  truth: { temperature: 'live', humidity: 'none', mq2: 'none' },
  freshUntil: { temperature: null, humidity: null, mq2: null },
});

function incident(change: Partial<Incident> = {}): Incident {
  const made: Partial<Incident> = {
    _id: 'i1',
    kind: 'temperature',
    severity: 'safety',
    area: 'Playroom',
    raisedAt: new Date(NOW).toISOString(),
    acknowledgedAt: null,
    acknowledgedBy: null,
    ...change,
  };
  // The reducer does not read the other fields, which are texts for people.
  return made as Incident;
}

const checked = (temperature: number, now = NOW): IncidentAction => ({
  type: 'checked',
  kind: 'temperature',
  readings: [reading(temperature)],
  limitOf: (kind) => ({ ...DEFAULT_ALARMS[kind], delaySeconds: 0 }),
  now,
});
const listed = (...open: Incident[]): IncidentAction => ({ type: 'listed', open, now: NOW });
const acknowledged = (key: string, now = NOW): IncidentAction => ({ type: 'acknowledged', key, now });

const after = (...actions: IncidentAction[]) => actions.reduce(reduceIncidents, NO_INCIDENTS);
const dialogsOf = (state: IncidentState) => dangersOf(state).filter(({ isAnswered }) => !isAnswered);
const keysAfter = (...actions: IncidentAction[]) => dialogsOf(after(...actions)).map(({ key }) => key);

describe('one dialog per condition', () => {
  it('whoever found it first', () => {
    expect(keysAfter(checked(45))).toEqual([KEY]);
    expect(keysAfter(checked(45), listed(incident()))).toEqual(['i1']);
    expect(keysAfter(listed(incident()), checked(45))).toEqual(['i1']);
    expect(keysAfter(checked(45), listed(incident({ area: 'Kitchen' })))).toEqual(['i1', KEY]);
  });

  it('none for an evacuation, which has its own screen', () => {
    expect(keysAfter(listed(incident({ kind: 'evacuation' })))).toEqual([]);
  });

  it('only for dangers, whatever their severity says', () => {
    const shown = INCIDENT_KINDS.filter((kind) => keysAfter(listed(incident({ kind }))).length > 0);
    expect(shown).toEqual(['temperature', 'air', 'barred_person', 'missing_child', 'doubtful_release']);
  });
});

describe('one acknowledgement', () => {
  it('of the server’s incident closes the finding', () => {
    const state = after(checked(45), listed(incident()), acknowledged('i1'));
    expect(dialogsOf(state)).toEqual([]);
    expect(state.air.get(KEY)?.acknowledgedAt).toBe(NOW);
    expect([...state.answered]).toEqual(['i1']);
    expect(dialogsOf(reduceIncidents(state, listed()))).toEqual([]);
  });

  it('of the finding answers the incident that the server raised by then or just after, and no later one', () => {
    const raisedAt = (afterMs: number) =>
      listed(incident({ raisedAt: new Date(NOW + afterMs).toISOString() }));
    for (const same of [raisedAt(-1000), raisedAt(5000)]) {
      expect([...after(checked(45), acknowledged(KEY), same).answered]).toEqual(['i1']);
      expect(keysAfter(checked(45), acknowledged(KEY), same)).toEqual([]);
    }
    expect(keysAfter(checked(45), acknowledged(KEY), raisedAt(5001))).toEqual(['i1']);
  });

  it('of a finding that had an incident answers no other one, however soon it comes', () => {
    const next = incident({ _id: 'i2', raisedAt: new Date(NOW + 1).toISOString() });
    const state = after(checked(45), listed(incident()), acknowledged('i1'), listed(), listed(next));
    expect([...state.answered]).not.toContain('i2');
    expect(keysAfter(checked(45), listed(incident()), acknowledged('i1'), listed(), listed(next))).toEqual([
      'i2',
    ]);
  });

  it('by somebody else closes the finding, also when the incident is over already', () => {
    const seen = incident({ acknowledgedAt: new Date(NOW).toISOString() });
    expect(keysAfter(checked(45), listed(seen))).toEqual([]);
    expect(keysAfter(checked(45), listed(seen), listed())).toEqual([]);
    expect(keysAfter(checked(45), listed(incident()), listed())).toEqual([KEY]);
    const elsewhere: IncidentAction = { type: 'acknowledged-elsewhere', incidentId: 'i1', now: NOW };
    expect(keysAfter(checked(45), listed(incident()), listed(), elsewhere)).toEqual([]);
  });

  it('of a finding whose incident is over still answers that incident', () => {
    const state = after(checked(45), listed(incident()), listed(), acknowledged(KEY));
    expect(dialogsOf(state)).toEqual([]);
    expect([...state.answered]).toEqual(['i1']);
  });

  it('that the server refuses opens the dialog again', () => {
    const refused: IncidentAction = { type: 'refused', incidentId: 'i1' };
    const elsewhere = incident({ kind: 'air', area: null });
    expect(keysAfter(listed(elsewhere), acknowledged('i1'), refused)).toEqual(['i1']);
  });

  it('ends with its condition: the next one in the same place is another incident', () => {
    const over = [checked(45), listed(incident()), acknowledged('i1'), checked(20), listed()];
    expect(after(...over).incidentOf.size).toBe(0);
    expect(keysAfter(...over, checked(45, NOW + 60_000))).toEqual([KEY]);
  });
});

it('a check that finds nothing new changes nothing', () => {
  const state = after(checked(45));
  expect(reduceIncidents(state, checked(45))).toBe(state);
});

it('who stops watching the air has no findings', () => {
  expect(keysAfter(checked(45), { type: 'unwatched' })).toEqual([]);
});
