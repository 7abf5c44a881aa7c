/** Settings that staff change while the product runs; what nobody changed keeps the value of the environment. */
import { DEFAULT_ALARMS } from '@haris/contract/alarms';
import { NOT_SEEN_AFTER_MINUTES, SIGHTINGS_DAYS } from '@haris/contract/constants';
import { type Settings, settingsSchema } from '@haris/contract/objects';
import type { Kysely, Transaction } from 'kysely';
import type { Config } from '../config.ts';
import type { Database } from './schema.ts';

/** The settings in force. A stored value that no longer fits is passed over. */
export async function readSettings(
  db: Kysely<Database> | Transaction<Database>,
  config: Config,
): Promise<Settings> {
  const settings: Settings = {
    recognitionThreshold: config.recognition.threshold,
    recognitionMargin: config.recognition.margin,
    duplicateThreshold: config.recognition.duplicateThreshold,
    questionThreshold: config.recognition.questionThreshold,
    timeZone: config.timeZone,
    sightingsDays: SIGHTINGS_DAYS,
    notSeenAfterMinutes: NOT_SEEN_AFTER_MINUTES,
    rawReadingDays: 7,
    meanReadingDays: 730,
    alarms: DEFAULT_ALARMS,
    areaAlarms: [],
    backupDueDays: null,
    incidentDays: 365,
  };
  const rows = await db.selectFrom('settings').selectAll().execute();
  const stored: Record<string, unknown> = {};
  for (const row of rows)
    try {
      stored[row.key] = JSON.parse(row.value);
    } catch {
      // Passed over, as any value that does not fit.
    }
  const fitting = Object.entries(settingsSchema.shape).flatMap(([name, schema]) => {
    const value = schema.safeParse(stored[name]);
    return value.success ? [[name, value.data]] : [];
  });
  const merged: Settings = { ...settings, ...Object.fromEntries(fitting) };
  // What staff chose may no longer fit to a threshold that the environment has now: the stricter one counts.
  return {
    ...merged,
    duplicateThreshold: Math.max(merged.duplicateThreshold, merged.recognitionThreshold),
    questionThreshold: Math.max(merged.questionThreshold, merged.recognitionThreshold),
  };
}

const TURN = 'settings_turn';

/** Lets changes wait for one another, on both databases, so that each is judged against what the one before left. */
export async function takeSettings(trx: Transaction<Database>): Promise<void> {
  await trx
    .insertInto('meta')
    .values({ key: TURN, value: '' })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: '' }))
    .execute();
}

export async function writeSettings(trx: Transaction<Database>, changed: Partial<Settings>): Promise<void> {
  for (const [key, value] of Object.entries(changed)) {
    if (value === undefined) continue;
    const text = JSON.stringify(value);
    await trx
      .insertInto('settings')
      .values({ key, value: text })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: text }))
      .execute();
  }
}
