/** Sensors of the air: devices, their accounts, their readings by HTTP, and the history (contract §4). */
import { z } from 'zod';
import { areaSchema, nameSchema } from '../fields.ts';
import { QUANTITIES, READING_RANGES, truthSchema } from '../live/readings.ts';
import { momentSchema } from '../objects.ts';
import { defineRoute, listQueryShape, messageSchema, pageShape } from './route.ts';

export const SENSOR_KINDS = ['haris', 'esphome', 'tasmota'] as const;
export type SensorKind = (typeof SENSOR_KINDS)[number];
/** Request header in which a device without MQTT proves itself. */
export const DEVICE_KEY_HEADER = 'x-device-key';
/** A device may send so many readings by HTTP at once, and then so many a second. */
export const READINGS_BURST = 20;
export const READINGS_PER_SECOND = 2;
/** Sensors that one installation may have. */
export const SENSORS_MAX = 1000;
/** Accounts for Home Assistant that one installation may have. */
export const HOME_ASSISTANT_ACCOUNTS_MAX = 20;

export const HISTORY_STEPS = ['raw', 'minute', 'hour'] as const;
export type HistoryStep = (typeof HISTORY_STEPS)[number];
/** The longest span that one question about the history may cover, per step. Milliseconds. */
export const HISTORY_SPAN_MAX_MS: Readonly<Record<HistoryStep, number>> = {
  raw: 24 * 3_600_000,
  minute: 8 * 24 * 3_600_000,
  hour: 400 * 24 * 3_600_000,
};
/** Points that one answer may have; a span with more is answered by its newest ones. */
export const HISTORY_POINTS_MAX = 12_000;
/** Seconds between two readings that staff may set; unset, the server learns it. */
export const PERIOD_SECONDS_MIN = 1;
export const PERIOD_SECONDS_MAX = 3_600;

const PERIOD_PROBLEM = `The period must be a whole number of seconds from ${PERIOD_SECONDS_MIN} to ${PERIOD_SECONDS_MAX}`;
const periodSchema = z
  .number(PERIOD_PROBLEM)
  .int(PERIOD_PROBLEM)
  .min(PERIOD_SECONDS_MIN, PERIOD_PROBLEM)
  .max(PERIOD_SECONDS_MAX, PERIOD_PROBLEM)
  .nullable();

/** A value, and how far it may be believed. */
const valueSchema = z.object({
  value: z.number().nullable(),
  truth: truthSchema,
  at: momentSchema.nullable(),
  /** After it the value is stale, also when nobody says so. */
  freshUntil: momentSchema.nullable(),
});

/** Why something that a device sent was refused. */
export const REFUSALS = ['not_a_number', 'out_of_range', 'unreadable', 'nothing_known', 'too_many'] as const;
export type Refusal = (typeof REFUSALS)[number];

export const sensorSchema = z
  .object({
    _id: z.string(),
    name: z.string(),
    area: z.string(),
    kind: z.enum(SENSOR_KINDS),
    /** Simulated: only ever in the demo. */
    demo: z.boolean(),
    /** Its account on the broker, and the topic below (Tasmota: with) which it publishes. */
    username: z.string(),
    topic: z.string(),
    /** The whole sensor: the least of its values' truths. */
    state: truthSchema,
    temperature: valueSchema,
    humidity: valueSchema,
    mq2: valueSchema,
    /** Seconds between two readings: set by staff, or null to learn it. */
    period: z.number().nullable(),
    /** What it is taken for now. Seconds. */
    periodInForce: z.number(),
    /** What it sent and was refused, since it was added; and the last of it. */
    refused: z.object({
      count: z.number().int().nonnegative(),
      lastAt: momentSchema.nullable(),
      lastReason: z.enum(REFUSALS).nullable(),
    }),
    createdAt: momentSchema,
  })
  .meta({ id: 'Sensor' });
export type Sensor = z.infer<typeof sensorSchema>;

export const createSensorBodySchema = z.object({
  name: nameSchema,
  area: areaSchema,
  kind: z.enum(SENSOR_KINDS, { error: `Kind must be one of ${SENSOR_KINDS.join(', ')}` }),
  period: periodSchema.optional(),
});

/** How devices reach the broker; null where there is none. */
const brokerSchema = z.object({
  host: z.string(),
  port: z.number().int(),
  tls: z.boolean(),
  /** False: a broker of its own (`MQTT_URL`), where the accounts must be made by hand. */
  embedded: z.boolean(),
});

/** What a device needs, told once. `topic` is where a `haris` device publishes; the prefix or device topic of the others. */
const secretsShape = {
  username: z.string(),
  password: z.string(),
  topic: z.string(),
  deviceKey: z.string(),
  broker: brokerSchema.nullable(),
  /** For the kind `esphome`: a whole configuration for an ESP32 with DHT22 and MQ-2. */
  esphomeYaml: z.string().optional(),
};

const rangeOf = (quantity: (typeof QUANTITIES)[number]) => {
  const [least, most] = READING_RANGES[quantity];
  const problem = `${quantity} must be a number from ${least} to ${most}`;
  return z.number(problem).min(least, problem).max(most, problem).optional();
};
/**
 * By what a device tells its messages apart: text of up to 64 characters, or a whole number. The same id of the same sensor
 * is stored once.
 */
export const readingIdSchema = z
  .union([z.string().min(1).max(64), z.number().int()], { error: 'id must be text of up to 64 characters' })
  .transform(String);

const readingBodySchema = z
  .object({
    id: readingIdSchema.optional(),
    temperature: rangeOf('temperature'),
    humidity: rangeOf('humidity'),
    mq2: rangeOf('mq2'),
  })
  .refine((reading) => QUANTITIES.some((quantity) => reading[quantity] !== undefined), {
    error: 'At least one of temperature, humidity and mq2 is required',
    path: ['temperature'],
  });

const momentQuery = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time' });

/** A mean over a step with its least and most; of `raw` all three are the reading itself. Null where none was received. */
export const historyPointSchema = z
  .object({
    at: momentSchema,
    temperature: z.number().nullable(),
    humidity: z.number().nullable(),
    mq2: z.number().nullable(),
    minTemperature: z.number().nullable(),
    maxTemperature: z.number().nullable(),
    minHumidity: z.number().nullable(),
    maxHumidity: z.number().nullable(),
    minMq2: z.number().nullable(),
    maxMq2: z.number().nullable(),
  })
  .meta({ id: 'HistoryPoint' });
export type HistoryPoint = z.infer<typeof historyPointSchema>;

export const homeAssistantAccountSchema = z
  .object({
    _id: z.string(),
    name: z.string(),
    username: z.string(),
    createdAt: momentSchema,
    /** Id of the member of staff who answers for it; null where that is not known. */
    madeBy: z.string().nullable(),
  })
  .meta({ id: 'HomeAssistantAccount' });
export type HomeAssistantAccount = z.infer<typeof homeAssistantAccountSchema>;

const secretsSchema = z.object({ sensor: sensorSchema, ...secretsShape });
export type SensorSecrets = z.infer<typeof secretsSchema>;

export const sensorRoutes = {
  listSensors: defineRoute({
    id: 'listSensors',
    method: 'GET',
    path: '/api/sensors',
    access: 'staff',
    summary: 'Sensors by name, with their latest values and how far these may be believed',
    query: z.object(listQueryShape),
    status: 200,
    answer: z.object({
      sensors: z.array(sensorSchema),
      ...pageShape,
      /** How devices reach the broker, and whether it is there. */
      broker: brokerSchema.nullable(),
      brokerState: z.enum(['ok', 'down', 'off']),
    }),
    errors: [],
  }),
  createSensor: defineRoute({
    id: 'createSensor',
    method: 'POST',
    path: '/api/sensors',
    access: 'staff',
    proof: 'always',
    summary: 'Add a sensor; its password and device key are told this once',
    body: createSensorBodySchema,
    status: 201,
    answer: secretsSchema,
    errors: ['too_many_sensors'],
  }),
  updateSensor: defineRoute({
    id: 'updateSensor',
    method: 'PUT',
    path: '/api/sensors/{id}',
    access: 'staff',
    summary: 'Rename a sensor, place it in another area, or set its period; its topic stays',
    body: createSensorBodySchema.omit({ kind: true }).partial(),
    status: 200,
    answer: z.object({ sensor: sensorSchema }),
    errors: ['not_found'],
  }),
  renewSensorSecrets: defineRoute({
    id: 'renewSensorSecrets',
    method: 'POST',
    path: '/api/sensors/{id}/secrets',
    access: 'staff',
    proof: 'always',
    summary: 'A new password and device key, told this once; the old ones end and the device is cut off',
    status: 201,
    answer: secretsSchema,
    errors: ['not_found'],
  }),
  deleteSensor: defineRoute({
    id: 'deleteSensor',
    method: 'DELETE',
    path: '/api/sensors/{id}',
    access: 'staff',
    summary: 'Remove a sensor with its account and its history',
    status: 200,
    answer: messageSchema,
    errors: ['not_found'],
  }),
  sendReadings: defineRoute({
    id: 'sendReadings',
    method: 'POST',
    path: '/api/sensors/{id}/readings',
    access: 'visitor',
    summary: `A device without MQTT sends a reading; \`X-Device-Key\` proves which it is. At most ${READINGS_BURST} at once and ${READINGS_PER_SECOND} a second`,
    headers: z.object({ [DEVICE_KEY_HEADER]: z.string().max(200).optional() }),
    body: readingBodySchema,
    status: 202,
    answer: messageSchema,
    errors: ['invalid_device_key', 'too_many_attempts'],
  }),
  getSensorHistory: defineRoute({
    id: 'getSensorHistory',
    method: 'GET',
    path: '/api/sensors/{id}/history',
    access: 'signed-in',
    summary: `Readings from one moment to before another, oldest first: single ones (at most a day), means of minutes (8 days) or of hours (400 days); at most ${HISTORY_POINTS_MAX} points`,
    query: z.object({
      from: momentQuery.optional(),
      to: momentQuery.optional(),
      step: z.enum(HISTORY_STEPS, { error: 'step must be raw, minute or hour' }).default('minute'),
    }),
    status: 200,
    answer: z.object({ points: z.array(historyPointSchema) }),
    errors: ['not_found'],
  }),
  listHomeAssistantAccounts: defineRoute({
    id: 'listHomeAssistantAccounts',
    method: 'GET',
    path: '/api/home-assistant-accounts',
    access: 'staff',
    summary: 'Accounts on the embedded broker with which a Home Assistant may read what Haris publishes',
    status: 200,
    answer: z.object({ accounts: z.array(homeAssistantAccountSchema), broker: brokerSchema.nullable() }),
    errors: [],
  }),
  createHomeAssistantAccount: defineRoute({
    id: 'createHomeAssistantAccount',
    method: 'POST',
    path: '/api/home-assistant-accounts',
    access: 'staff',
    proof: 'always',
    summary: 'Make one that may only read; its password is told this once',
    body: z.object({ name: nameSchema }),
    status: 201,
    answer: z.object({
      account: homeAssistantAccountSchema,
      username: z.string(),
      password: z.string(),
      broker: brokerSchema.nullable(),
    }),
    errors: ['too_many_sensors'],
  }),
  deleteHomeAssistantAccount: defineRoute({
    id: 'deleteHomeAssistantAccount',
    method: 'DELETE',
    path: '/api/home-assistant-accounts/{id}',
    access: 'staff',
    summary: 'End such an account; who uses it is cut off',
    status: 200,
    answer: messageSchema,
    errors: ['not_found'],
  }),
};
