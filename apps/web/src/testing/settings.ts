/** Settings of a facility with all defaults, and the state of its first run. */
import { DEFAULT_ALARMS } from '@haris/contract/alarms';
import { SETUP_ITEMS, type Setup, type SetupItem, setupSchema } from '@haris/contract/http/setup';
import { type Settings, settingsSchema } from '@haris/contract/objects';

export function settings(more: Partial<Settings> = {}): Settings {
  return settingsSchema.parse({
    recognitionThreshold: 0.45,
    recognitionMargin: 0.05,
    duplicateThreshold: 0.5,
    questionThreshold: 0.55,
    facilityName: null,
    facilityPhone: null,
    facilityAddress: null,
    openingHours: null,
    holidays: [],
    timeZone: 'Africa/Cairo',
    language: 'en',
    region: 'EG',
    rawReadingDays: 7,
    meanReadingDays: 365,
    sightingsDays: 30,
    notSeenAfterMinutes: 15,
    alarms: DEFAULT_ALARMS,
    areaAlarms: [],
    backupDueDays: null,
    incidentDays: 365,
    visitorDays: 30,
    staffSecondFactor: false,
    deskIdleMinutes: 2,
    deskOffline: false,
    secondPerson: false,
    handover: 'record',
    handoverStaffProofs: ['known', 'second'],
    slipAllergies: false,
    stayEnds: [],
    ...more,
  });
}

/** Links in mails that open everywhere, and no address for phones. */
export function reach(more: Partial<Setup['reach']> = {}): Setup['reach'] {
  const links = { url: 'https://haris.test', onlyHere: false };
  return { addresses: [], listensToNetwork: false, links, seen: null, ...more };
}

/** A facility that is set up, so that the dashboard shows no checklist; `open` names items that are not done. */
export function setup({ open = [], ...more }: Partial<Setup> & { open?: readonly SetupItem[] } = {}): Setup {
  return setupSchema.parse({
    items: SETUP_ITEMS.map((id) => ({ id, state: open.includes(id) ? 'open' : 'done' })),
    dismissed: false,
    timeZoneIsChosen: true,
    mayManageMail: true,
    needsOwnAddress: false,
    mail: { isSent: true, folder: null, kept: 0 },
    reach: reach(),
    sample: 'impossible',
    ...more,
  });
}
