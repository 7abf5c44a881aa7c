/** Air readings: quantities, ranges, how far a value can be trusted, and the messages of `WS /ws`. */
import * as z from 'zod/mini';
import { momentSchema } from '../objects.ts';

/**
 * Opened with `?ticket=` (of `/api/tickets`, for sensors) or the sub-protocols `bearer, <token>`; refused with 401 at
 * the upgrade.
 */
export const READINGS_PATH = '/ws';
/** Close code when the session has ended or the account has too many sockets. The client must not reconnect. */
export const READINGS_NOT_YOURS = 1008;

/** Temperature in °C, relative humidity in %, `mq2` the raw reading of the gas sensor (ppm-like, no unit). */
export const QUANTITIES = ['temperature', 'humidity', 'mq2'] as const;
export type Quantity = (typeof QUANTITIES)[number];

/** Measurable range, both ends included; values outside are refused. */
export const READING_RANGES: Readonly<Record<Quantity, readonly [least: number, most: number]>> = {
  temperature: [-40, 85],
  humidity: [0, 100],
  mq2: [0, 10_000],
};

/** Warm-up time of an MQ-2 after its device comes online; earlier values mean little. Milliseconds. */
export const MQ2_WARM_UP_MS = 3 * 60_000;
/** A value is stale after this many periods without a newer one. */
export const STALE_AFTER_PERIODS = 3;
/** A value that has not changed at all for this long counts as stuck. Milliseconds. */
export const STUCK_AFTER_MS = 3_600_000;

/**
 * How far a value can be trusted. `none`: nothing received yet; `live`; `warming_up`: the MQ-2 is still heating;
 * `stuck`: the same raw value for an hour; `stale`: no reading for three periods; `offline`: reported by the device
 * or by its last will.
 */
export const truthSchema = z.enum(['none', 'live', 'warming_up', 'stuck', 'stale', 'offline']);
export type Truth = z.infer<typeof truthSchema>;

const WORST_FIRST: readonly Truth[] = ['offline', 'stale', 'stuck', 'warming_up', 'live'];

/** The least trusted state. Values that were never received do not count; `none` if no value was received. */
export function worstTruth(truths: readonly Truth[]): Truth {
  return WORST_FIRST.find((truth) => truths.includes(truth)) ?? 'none';
}

/** Whether a value can be shown as the current one. */
export function isCurrent(truth: Truth): boolean {
  return truth === 'live' || truth === 'warming_up';
}

function perQuantity<S extends z.ZodMiniType>(schema: S) {
  return z.object({ temperature: schema, humidity: schema, mq2: schema });
}

/**
 * A message of the socket: the latest values of one sensor, null if none was received yet. `at` is the time of the
 * newest value. Each value becomes stale at its `freshUntil`, even without a message.
 */
export const readingMessageSchema = z.object({
  temperature: z.nullable(z.number()),
  humidity: z.nullable(z.number()),
  mq2: z.nullable(z.number()),
  at: momentSchema,
  area: z.string(),
  sensorId: z.string(),
  truth: perQuantity(truthSchema),
  freshUntil: perQuantity(z.nullable(momentSchema)),
});
export type ReadingMessage = z.infer<typeof readingMessageSchema>;

/** The sensor was deleted, or has sent nothing yet under its current name and area. */
export const sensorGoneSchema = z.object({ gone: z.literal(true), sensorId: z.string() });

export const readingsSocketSchema = z.union([readingMessageSchema, sensorGoneSchema]);
