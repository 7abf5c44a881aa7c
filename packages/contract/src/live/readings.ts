/** Readings of the air: quantities, their ranges, how far a value may be believed, and the messages of `WS /ws`. */
import { z } from 'zod';
import { momentSchema } from '../objects.ts';

/** Opened with `?ticket=` (of `/api/tickets`, for sensors) or the sub-protocols `bearer, <token>`; refused with 401 at the upgrade. */
export const READINGS_PATH = '/ws';
/** The socket is closed with this code when its session is over, or when the account has too many: not to be reopened. */
export const READINGS_NOT_YOURS = 1008;

/** Temperature in °C, relative humidity in %, `mq2` the raw reading of the gas sensor (ppm-like, no unit). */
export const QUANTITIES = ['temperature', 'humidity', 'mq2'] as const;
export type Quantity = (typeof QUANTITIES)[number];

/** What a sensor can measure at all, both ends included; everything else is refused. */
export const READING_RANGES: Readonly<Record<Quantity, readonly [least: number, most: number]>> = {
  temperature: [-40, 85],
  humidity: [0, 100],
  mq2: [0, 10_000],
};

/** An MQ-2 heats up for this long after its device came online; before, its values mean little. Milliseconds. */
export const MQ2_WARM_UP_MS = 3 * 60_000;
/** A value is stale after this many periods without a new one. */
export const STALE_AFTER_PERIODS = 3;
/** A value that has not changed at all for this long is taken for stuck. Milliseconds. */
export const STUCK_AFTER_MS = 3_600_000;

/**
 * How far a value may be believed. `none`: nothing was received yet; `live`; `warming_up`: an MQ-2 that still heats up;
 * `stuck`: the same raw value for an hour; `stale`: no reading for three periods; `offline`: the device has said so, or
 * its last will.
 */
export const truthSchema = z.enum(['none', 'live', 'warming_up', 'stuck', 'stale', 'offline']);
export type Truth = z.infer<typeof truthSchema>;

/** Whether a value may be shown as what it is now. */
export function isCurrent(truth: Truth): boolean {
  return truth === 'live' || truth === 'warming_up';
}

function perQuantity<S extends z.ZodType>(schema: S) {
  return z.object({ temperature: schema, humidity: schema, mq2: schema });
}

/**
 * A message of the socket: the latest values of one sensor, null where none was received yet. `at` is the newest
 * value's moment. Each value is to be taken for stale after its `freshUntil`, also when no message says so.
 */
export const readingMessageSchema = z.object({
  temperature: z.number().nullable(),
  humidity: z.number().nullable(),
  mq2: z.number().nullable(),
  at: momentSchema,
  area: z.string(),
  sensorId: z.string(),
  truth: perQuantity(truthSchema),
  freshUntil: perQuantity(momentSchema.nullable()),
});
export type ReadingMessage = z.infer<typeof readingMessageSchema>;

/** Says that a sensor is gone, or that it has never sent anything under its present name and area. */
export const sensorGoneSchema = z.object({ gone: z.literal(true), sensorId: z.string() });

export const readingsSocketSchema = z.union([readingMessageSchema, sensorGoneSchema]);
