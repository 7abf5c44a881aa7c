/** Cache between readings: the settings, and the conditions of temperature and air that are not quiet. */
import type { Settings } from '@haris/contract/objects';
import type { Context } from '../../../context.ts';
import { findOpenIncidents } from '../../../db/incidents.ts';
import { findPendingConditions } from '../../../db/pending-conditions.ts';
import type { IncidentRow } from '../../../db/schema.ts';
import { readSettings } from '../../../db/settings.ts';
import { acrossFacilities, inFacility } from '../../../facility.ts';
import { type ConditionState, QUIET } from '../condition.ts';

/** The cache expires after this, in case another server's change came without a wake-up. Milliseconds. */
const KNOWN_FOR_MS = 5_000;

export interface KnownStates {
  /** Reloads the states if they may have changed, and returns the settings of a facility. */
  read(facility: string): Promise<Settings>;
  get(condition: string): ConditionState;
  set(condition: string, state: ConditionState): void;
  /** Invalidates the cache. */
  forget(): void;
  stop(): void;
}

export function openKnownStates({ db, config, wakeup }: Context): KnownStates {
  const settings = new Map<string, Settings>();
  /** States by condition; quiet states are left out. */
  let states = new Map<string, ConditionState>();
  let isKnown = false;
  let knownAt = 0;
  const forget = (): void => {
    isKnown = false;
  };
  const stop = wakeup.listen(forget);
  return {
    async read(facility) {
      const isFresh = isKnown && performance.now() - knownAt < KNOWN_FOR_MS;
      const known = settings.get(facility);
      if (isFresh && known) return known;
      if (!isFresh) settings.clear();
      // Set before reading, so that a wake-up in between causes another read.
      isKnown = true;
      knownAt = performance.now();
      try {
        const own = await inFacility(facility, () => readSettings(db, config));
        states = await acrossFacilities(() => readStates(db));
        settings.set(facility, own);
        return own;
      } catch (error) {
        isKnown = false;
        throw error;
      }
    },
    get: (condition) => states.get(condition) ?? QUIET,
    set(condition, state) {
      if (state.phase === 'quiet') states.delete(condition);
      else states.set(condition, state);
    },
    forget,
    stop,
  };
}

async function readStates(db: Context['db']): Promise<Map<string, ConditionState>> {
  const states = new Map<string, ConditionState>();
  for (const { condition, since } of await findPendingConditions(db))
    states.set(condition, { phase: 'pending', since });
  for (const row of await findOpenIncidents(db, ['temperature', 'air']))
    states.set(row.condition, activeState(row));
  return states;
}

/** The state of a condition that has an open incident. */
export function activeState(row: IncidentRow): ConditionState {
  return { phase: 'active', worst: row.worst ?? Number.NEGATIVE_INFINITY, calmSince: row.calm_since };
}
