/** Settings that staff change while the product runs; the others come from the environment. */
import { DEFAULT_ALARMS } from '@haris/contract/alarms';
import {
  DESK_IDLE_MINUTES,
  NOT_SEEN_AFTER_MINUTES,
  SIGHTINGS_DAYS,
  VISITOR_DAYS,
} from '@haris/contract/constants';
import { type Settings, settingsSchema } from '@haris/contract/objects';
import { DEFAULT_REGION } from '@haris/contract/regions';
import type { Kysely, Transaction } from 'kysely';
import type { Config } from '../config.ts';
import { ALL_FACILITIES, facilityOrNull, MAIN_FACILITY } from '../facility.ts';
import { regionOfTimeZone } from '../region.ts';
import type { Database } from './schema.ts';

/** The effective settings. Ignores invalid stored values. */
export async function readSettings(
  db: Kysely<Database> | Transaction<Database>,
  config: Config,
): Promise<Settings> {
  const settings: Settings = {
    recognitionThreshold: config.recognition.threshold,
    recognitionMargin: config.recognition.margin,
    duplicateThreshold: config.recognition.duplicateThreshold,
    questionThreshold: config.recognition.questionThreshold,
    facilityName: null,
    facilityPhone: null,
    facilityAddress: null,
    openingHours: null,
    holidays: [],
    timeZone: config.timeZone,
    language: 'en',
    region: DEFAULT_REGION,
    sightingsDays: SIGHTINGS_DAYS,
    notSeenAfterMinutes: NOT_SEEN_AFTER_MINUTES,
    rawReadingDays: 7,
    meanReadingDays: 730,
    alarms: DEFAULT_ALARMS,
    areaAlarms: [],
    backupDueDays: null,
    incidentDays: 365,
    visitorDays: VISITOR_DAYS,
    staffSecondFactor: false,
    deskIdleMinutes: DESK_IDLE_MINUTES,
    deskOffline: false,
    secondPerson: false,
    handover: 'record',
    handoverStaffProofs: ['known', 'second'],
    slipAllergies: false,
    stayEnds: [],
  };
  const stored = await findChosenSettings(db);
  const merged: Settings = { ...settings, ...stored };
  // The environment's threshold may have changed since staff set theirs: the stricter one applies.
  return {
    ...merged,
    region: stored.region ?? regionOfTimeZone(merged.timeZone),
    duplicateThreshold: Math.max(merged.duplicateThreshold, merged.recognitionThreshold),
    questionThreshold: Math.max(merged.questionThreshold, merged.recognitionThreshold),
  };
}

/** Settings that each facility has for itself; the others are the organisation's (decision 048). */
const FACILITY_SETTINGS = [
  'facilityName',
  'facilityPhone',
  'facilityAddress',
  'openingHours',
  'holidays',
  'timeZone',
  'language',
  'region',
  'notSeenAfterMinutes',
  'alarms',
  'areaAlarms',
  'deskIdleMinutes',
  'deskOffline',
  'handover',
  'handoverStaffProofs',
  'slipAllergies',
  'stayEnds',
] as const satisfies readonly (keyof Settings)[];

/** Whether a setting belongs to each facility. */
export function isFacilitySetting(key: string): boolean {
  return (FACILITY_SETTINGS as readonly string[]).includes(key);
}

/**
 * The settings that staff have changed: those of the organisation and of the current facility, or of the main one in work
 * for no single facility. Ignores invalid stored values.
 */
export async function findChosenSettings(
  db: Kysely<Database> | Transaction<Database>,
): Promise<Partial<Settings>> {
  const facility = facilityOrNull() ?? MAIN_FACILITY;
  const rows = await db
    .selectFrom('settings')
    .select(['key', 'value'])
    .where('facility_id', 'in', [ALL_FACILITIES, facility])
    .execute();
  const stored: Record<string, unknown> = {};
  for (const row of rows)
    try {
      stored[row.key] = JSON.parse(row.value);
    } catch {
      // Ignored like any other invalid value.
    }
  const fitting = Object.entries(settingsSchema.shape).flatMap(([name, schema]) => {
    const value = schema.safeParse(stored[name]);
    return value.success ? [[name, value.data]] : [];
  });
  return Object.fromEntries(fitting);
}

const LOCK = 'settings_turn';

/** Locks the settings until the transaction ends, on both databases, so that each change sees the previous one. */
export async function lockSettings(trx: Transaction<Database>): Promise<void> {
  await trx
    .insertInto('meta')
    .values({ key: LOCK, value: '' })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: '' }))
    .execute();
}

/** Stores the facility's own settings for the facility of the current work, and the others for the organisation. */
export async function writeSettings(trx: Transaction<Database>, changed: Partial<Settings>): Promise<void> {
  for (const [key, value] of Object.entries(changed)) {
    if (value === undefined) continue;
    const facility_id = isFacilitySetting(key) ? (facilityOrNull() ?? MAIN_FACILITY) : ALL_FACILITIES;
    const text = JSON.stringify(value);
    await trx
      .insertInto('settings')
      .values({ facility_id, key, value: text })
      .onConflict((conflict) => conflict.columns(['facility_id', 'key']).doUpdateSet({ value: text }))
      .execute();
  }
}
