/** When the air, an area or the whole place raises an alarm: settings with their defaults (spec §9), and overrides per area. */
import { z } from 'zod';
import { AIR_ALERT_FROM, TEMPERATURE_ALERT_FROM } from './constants.ts';

/** Areas that may have settings of their own. */
const AREAS_MAX = 500;

function within(least: number, most: number, what: string) {
  const message = `must be ${what} from ${least} to ${most}`;
  return z.number(message).min(least, message).max(most, message);
}

const wholeSeconds = within(0, 3_600, 'a whole number of seconds').int(
  'must be a whole number of seconds from 0 to 3600',
);
const capacitySchema = within(1, 10_000, 'a whole number')
  .int('must be a whole number from 1 to 10000')
  .nullable();

/**
 * An alarm is raised when a value has been at or above `from` for `delaySeconds`. It is over when the value has been at or
 * below `from` − `hysteresis` for `clearSeconds`, seen in readings that may be believed.
 */
function limitSchema([least, most]: readonly [number, number], widest: number) {
  return z.object({
    from: within(least, most, 'a number'),
    hysteresis: within(0, widest, 'a number'),
    delaySeconds: wholeSeconds,
    clearSeconds: wholeSeconds,
  });
}

const alarmsSchema = z.object({
  /** °C. */
  temperature: limitSchema([-40, 85], 20),
  /** Raw mq2. */
  air: limitSchema([0, 10_000], 1_000),
  /** Children inside that are as many as there may be: of an area by where cameras saw them last; null: not watched. */
  capacity: capacitySchema,
  /** Whether a face that stays unknown before a camera is told of. The engine cannot tell grown-ups from children. */
  unknownPerson: z.boolean('must be true or false'),
});
export type Alarms = z.infer<typeof alarmsSchema>;
export type AlarmLimit = Alarms['temperature'];

/** For the whole place; `capacity` counts all children inside. */
export const placeAlarmsSchema = alarmsSchema.meta({ id: 'Alarms' });

/** What differs in one area; what it leaves out is as in the whole place. Each area once. */
export const areaAlarmsSchema = z
  .array(
    z.object({
      area: z.string('The area is required').trim().min(1, 'The area is required').max(100),
      ...alarmsSchema.partial().shape,
    }),
  )
  .max(AREAS_MAX)
  .refine((areas) => new Set(areas.map(({ area }) => area)).size === areas.length, {
    error: 'An area may stand here once',
  });

export const DEFAULT_ALARMS: Alarms = {
  temperature: { from: TEMPERATURE_ALERT_FROM, hysteresis: 1, delaySeconds: 0, clearSeconds: 60 },
  air: { from: AIR_ALERT_FROM, hysteresis: 50, delaySeconds: 0, clearSeconds: 60 },
  capacity: null,
  unknownPerson: false,
};

/** What counts in an area. */
export function alarmsOf(
  { alarms, areaAlarms }: { alarms: Alarms; areaAlarms: z.infer<typeof areaAlarmsSchema> },
  area: string,
): Alarms {
  const own = areaAlarms.find((one) => one.area === area);
  return {
    temperature: own?.temperature ?? alarms.temperature,
    air: own?.air ?? alarms.air,
    // The number of the whole place says nothing of one room.
    capacity: own?.capacity ?? null,
    unknownPerson: own?.unknownPerson ?? alarms.unknownPerson,
  };
}
