/**
 * Settings that decide when the air, an area or the facility opens an incident, with defaults (spec §9) and overrides
 * per area.
 */
import * as z from 'zod/mini';
import { AIR_ALERT_FROM, TEMPERATURE_ALERT_FROM } from './constants.ts';

/** Largest number of areas with settings of their own. */
const AREAS_MAX = 500;

function within(least: number, most: number, what: string) {
  const message = `must be ${what} from ${least} to ${most}`;
  return z.number(message).check(z.gte(least, message), z.lte(most, message));
}

/** Smallest and largest value of each setting. */
export const ALARM_RANGES = {
  temperature: { from: [-40, 85], hysteresis: [0, 20] },
  air: { from: [0, 10_000], hysteresis: [0, 1_000] },
  seconds: [0, 3_600],
  capacity: [1, 10_000],
  notSeenMinutes: [1, 240],
} as const satisfies Record<string, Range | Record<'from' | 'hysteresis', Range>>;
type Range = readonly [least: number, most: number];

const wholeSeconds = within(...ALARM_RANGES.seconds, 'a whole number of seconds').check(z.int());
const capacitySchema = z.nullable(within(...ALARM_RANGES.capacity, 'a whole number').check(z.int()));

/**
 * An incident opens when a value has stayed at or above `from` for `delaySeconds`. It closes when the value has
 * stayed at or below `from` − `hysteresis` for `clearSeconds`. An untrusted value can open an incident but never
 * close it.
 */
function limitSchema({ from, hysteresis }: Record<'from' | 'hysteresis', Range>) {
  return z.object({
    from: within(...from, 'a number'),
    hysteresis: within(...hysteresis, 'a number'),
    delaySeconds: wholeSeconds,
    clearSeconds: wholeSeconds,
  });
}

/** Limits that an area may override. The number of children that a room holds is the room's capacity (decision 043). */
const alarmsSchema = z.object({
  /** °C. */
  temperature: limitSchema(ALARM_RANGES.temperature),
  /** Raw value of the MQ-2 sensor. */
  air: limitSchema(ALARM_RANGES.air),
  /** Whether a face that stays unknown to a camera opens an incident. The engine cannot tell adults from children. */
  unknownPerson: z.boolean('must be true or false'),
});
export type AreaAlarms = z.infer<typeof alarmsSchema>;

/** Minutes without a sighting after which a child inside counts as not seen. */
export const notSeenMinutesSchema = within(...ALARM_RANGES.notSeenMinutes, 'a whole number of minutes').check(
  z.int(),
);
export type AlarmLimit = Alarms['temperature'];

/** Settings of the whole facility. */
export const placeAlarmsSchema = z
  .object({
    ...alarmsSchema.shape,
    /** Largest number of children inside; null: no limit. */
    capacity: capacitySchema,
  })
  .register(z.globalRegistry, { id: 'Alarms' });
export type Alarms = z.infer<typeof placeAlarmsSchema>;

const areaSchema = z.object({
  area: z
    .string('The area is required')
    .check(z.trim(), z.minLength(1, 'The area is required'), z.maxLength(100)),
  ...z.partial(alarmsSchema).shape,
  /** Absent or null: a child who is not seen in this area opens no incident. */
  notSeenAfterMinutes: z.optional(z.nullable(notSeenMinutesSchema)),
});

function isEachOnce(areas: readonly { readonly area: string }[]): boolean {
  return new Set(areas.map(({ area }) => area)).size === areas.length;
}
const ONCE = { error: 'An area may stand here once' };

/** Overrides for one area; a field left out takes the facility's value. An area occurs at most once. */
export const areaAlarmsSchema = z.array(areaSchema).check(z.maxLength(AREAS_MAX), z.refine(isEachOnce, ONCE));

const changedAreaSchema = z.extend(areaSchema, {
  capacity: z.optional(z.never('The room has the capacity: PUT /api/rooms/{id}')),
});

/** The same in a request. It refuses the former limit of children per area, which would be dropped without a word. */
export const changedAreaAlarmsSchema = z
  .array(changedAreaSchema)
  .check(z.maxLength(AREAS_MAX), z.refine(isEachOnce, ONCE));

export const DEFAULT_ALARMS: Alarms = {
  temperature: { from: TEMPERATURE_ALERT_FROM, hysteresis: 1, delaySeconds: 0, clearSeconds: 60 },
  air: { from: AIR_ALERT_FROM, hysteresis: 50, delaySeconds: 0, clearSeconds: 60 },
  capacity: null,
  unknownPerson: false,
};

/** The settings in force in an area. */
export function alarmsOf(
  { alarms, areaAlarms }: { alarms: Alarms; areaAlarms: z.infer<typeof areaAlarmsSchema> },
  area: string,
): AreaAlarms {
  const own = areaAlarms.find((one) => one.area === area);
  return {
    temperature: own?.temperature ?? alarms.temperature,
    air: own?.air ?? alarms.air,
    unknownPerson: own?.unknownPerson ?? alarms.unknownPerson,
  };
}

/**
 * Minutes after which a child counts as not seen; null: it is off, as by default. `lastArea`: where a camera saw the child
 * last. A child whom no camera has seen (null) may be where nobody watches, so it counts only if it is switched on in
 * all areas with a camera (`areas`).
 */
export function notSeenMinutesOf(
  { areaAlarms }: { areaAlarms: z.infer<typeof areaAlarmsSchema> },
  lastArea: string | null,
  areas: readonly string[],
): number | null {
  const minutesIn = (area: string) =>
    areaAlarms.find((one) => one.area === area)?.notSeenAfterMinutes ?? null;
  if (lastArea !== null) return minutesIn(lastArea);
  const all = areas.map(minutesIn);
  const set = all.filter((minutes) => minutes !== null);
  return set.length > 0 && set.length === all.length ? Math.max(...set) : null;
}
