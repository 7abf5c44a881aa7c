/** Says which changes of the settings need a proof, by their effect (contract §6). Knows no session. */
import { isDeepStrictEqual } from 'node:util';
import type { Settings } from '@haris/contract/objects';

/**
 * Which new values of a setting need a proof. `change`: every other value, because it can silence an alert, make
 * faces count as somebody else's, or give children away with less. `less`: a smaller number, because what is older is deleted for
 * good. `more`: a larger one. `never`: the value neither silences, deletes nor permits anything; `elsewhere`: a rule of its own.
 */
const NEEDS_PROOF = {
  recognitionThreshold: 'change',
  recognitionMargin: 'change',
  duplicateThreshold: 'change',
  questionThreshold: 'change',
  alarms: 'change',
  areaAlarms: 'change',
  notSeenAfterMinutes: 'change',
  backupDueDays: 'change',
  rawReadingDays: 'less',
  meanReadingDays: 'less',
  sightingsDays: 'less',
  incidentDays: 'less',
  visitorDays: 'less',
  handover: 'change',
  handoverStaffProofs: 'change',
  // An open desk tablet acts for whoever stands before it.
  deskIdleMinutes: 'more',
  // What a tablet writes later is believed, and children's names lie on it.
  deskOffline: 'change',
  staffSecondFactor: 'elsewhere',
  secondPerson: 'elsewhere',
  facilityName: 'never',
  facilityPhone: 'never',
  facilityAddress: 'never',
  openingHours: 'never',
  holidays: 'never',
  timeZone: 'never',
  language: 'never',
  region: 'never',
  slipAllergies: 'never',
  stayEnds: 'never',
} as const satisfies Record<keyof Settings, 'change' | 'less' | 'more' | 'never' | 'elsewhere'>;

function needsProof(rule: (typeof NEEDS_PROOF)[keyof Settings], before: unknown, after: unknown): boolean {
  if (isDeepStrictEqual(before, after)) return false;
  switch (rule) {
    case 'change':
      return true;
    case 'less':
      return Number(after) < Number(before);
    case 'more':
      return Number(after) > Number(before);
    case 'never':
    case 'elsewhere':
      return false;
  }
}

/** Whether any of the changed settings needs a proof, compared with the stored ones. Pure. */
export function changeNeedsProof(before: Settings, changed: Partial<Settings>): boolean {
  return Object.entries(changed).some(([name, after]) => {
    const key = name as keyof Settings;
    return needsProof(NEEDS_PROOF[key], before[key], after);
  });
}
