/** Air sensors: devices, their accounts, readings over HTTP, and history (contract §4). */
import * as z from 'zod/mini';
import { areaSchema, nameSchema } from '../fields.ts';
import { QUANTITIES, READING_RANGES, truthSchema } from '../live/readings.ts';
import { momentSchema } from '../objects.ts';
import { defineRoute, listQueryShape, messageSchema, pageShape } from './route.ts';

export const SENSOR_KINDS = ['haris', 'esphome', 'tasmota'] as const;
export type SensorKind = (typeof SENSOR_KINDS)[number];
/** Request header with the key of a device that does not use MQTT. */
export const DEVICE_KEY_HEADER = 'x-device-key';
/** Rate limit of one device over HTTP: a burst of this many readings, then this many per second. */
export const READINGS_BURST = 20;
export const READINGS_PER_SECOND = 2;
/** Largest number of sensors in one installation. */
export const SENSORS_MAX = 1000;
/** Largest number of Home Assistant accounts in one installation. */
export const HOME_ASSISTANT_ACCOUNTS_MAX = 20;

export const HISTORY_STEPS = ['raw', 'minute', 'hour'] as const;
export type HistoryStep = (typeof HISTORY_STEPS)[number];
/** Longest time span of one history request, per step. Milliseconds. */
export const HISTORY_SPAN_MAX_MS: Readonly<Record<HistoryStep, number>> = {
  raw: 24 * 3_600_000,
  minute: 8 * 24 * 3_600_000,
  hour: 400 * 24 * 3_600_000,
};
/** Largest number of points in one response; a longer span returns its newest points. */
export const HISTORY_POINTS_MAX = 12_000;
/** Range of the interval between readings that staff can set, in seconds; if unset, the server learns it. */
export const PERIOD_SECONDS_MIN = 1;
export const PERIOD_SECONDS_MAX = 3_600;

const PERIOD_PROBLEM = `The period must be a whole number of seconds from ${PERIOD_SECONDS_MIN} to ${PERIOD_SECONDS_MAX}`;
const periodSchema = z.nullable(
  z
    .int(PERIOD_PROBLEM)
    .check(z.gte(PERIOD_SECONDS_MIN, PERIOD_PROBLEM), z.lte(PERIOD_SECONDS_MAX, PERIOD_PROBLEM)),
);

/** A value, and how far it can be trusted. */
const valueSchema = z.object({
  value: z.nullable(z.number()),
  truth: truthSchema,
  at: z.nullable(momentSchema),
  /** After this time the value is stale, even without a message that says so. */
  freshUntil: z.nullable(momentSchema),
});

/** Why a reading from a device was refused. */
export const REFUSALS = ['not_a_number', 'out_of_range', 'unreadable', 'nothing_known', 'too_many'] as const;
export type Refusal = (typeof REFUSALS)[number];

export const sensorSchema = z
  .object({
    _id: z.string(),
    name: z.string(),
    area: z.string(),
    kind: z.enum(SENSOR_KINDS),
    /** A simulated sensor, which exists only in the demo. */
    demo: z.boolean(),
    /** The sensor's account on the broker, and the topic under which it publishes (Tasmota: part of the topic). */
    username: z.string(),
    topic: z.string(),
    /** State of the whole sensor: the state of its least trusted value. */
    state: truthSchema,
    temperature: valueSchema,
    humidity: valueSchema,
    mq2: valueSchema,
    /** Seconds between two readings, as set by staff; null: learned. */
    period: z.nullable(z.number()),
    /** The interval in force. Seconds. */
    periodInForce: z.number(),
    /** Number of refused readings since the sensor was added, and the latest one. */
    refused: z.object({
      count: z.int().check(z.nonnegative()),
      lastAt: z.nullable(momentSchema),
      lastReason: z.nullable(z.enum(REFUSALS)),
    }),
    createdAt: momentSchema,
  })
  .register(z.globalRegistry, { id: 'Sensor' });
export type Sensor = z.infer<typeof sensorSchema>;

export const createSensorBodySchema = z.object({
  name: nameSchema,
  area: areaSchema,
  kind: z.enum(SENSOR_KINDS, { error: `Kind must be one of ${SENSOR_KINDS.join(', ')}` }),
  period: z.optional(periodSchema),
});

/** How devices reach the broker; null if there is none. */
const brokerSchema = z.object({
  host: z.string(),
  port: z.int(),
  tls: z.boolean(),
  /** False: an external broker (`MQTT_URL`), on which the accounts must be created by hand. */
  embedded: z.boolean(),
});

/**
 * Credentials of a device, shown once. `topic` is where a `haris` device publishes; for other kinds it is the prefix
 * or device topic.
 */
const secretsShape = {
  username: z.string(),
  password: z.string(),
  topic: z.string(),
  deviceKey: z.string(),
  broker: z.nullable(brokerSchema),
  /** For the kind `esphome`: a complete configuration for an ESP32 with DHT22 and MQ-2. */
  esphomeYaml: z.optional(z.string()),
};

const rangeOf = (quantity: (typeof QUANTITIES)[number]) => {
  const [least, most] = READING_RANGES[quantity];
  const problem = `${quantity} must be a number from ${least} to ${most}`;
  return z.optional(z.number(problem).check(z.gte(least, problem), z.lte(most, problem)));
};
/**
 * Id that a device gives its messages: text of up to 64 characters, or a whole number. A repeated id from the same
 * sensor is stored only once.
 */
export const readingIdSchema = z.pipe(
  z.union([z.string().check(z.minLength(1), z.maxLength(64)), z.int()], {
    error: 'id must be text of up to 64 characters',
  }),
  z.transform(String),
);

const readingBodySchema = z
  .object({
    id: z.optional(readingIdSchema),
    temperature: rangeOf('temperature'),
    humidity: rangeOf('humidity'),
    mq2: rangeOf('mq2'),
  })
  .check(
    z.refine((reading) => QUANTITIES.some((quantity) => reading[quantity] !== undefined), {
      error: 'At least one of temperature, humidity and mq2 is required',
      path: ['temperature'],
    }),
  );

const momentQuery = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time' });

/** Mean, minimum and maximum over a step; for `raw`, all three are the reading itself. Null if nothing was received. */
export const historyPointSchema = z
  .object({
    at: momentSchema,
    temperature: z.nullable(z.number()),
    humidity: z.nullable(z.number()),
    mq2: z.nullable(z.number()),
    minTemperature: z.nullable(z.number()),
    maxTemperature: z.nullable(z.number()),
    minHumidity: z.nullable(z.number()),
    maxHumidity: z.nullable(z.number()),
    minMq2: z.nullable(z.number()),
    maxMq2: z.nullable(z.number()),
  })
  .register(z.globalRegistry, { id: 'HistoryPoint' });
export type HistoryPoint = z.infer<typeof historyPointSchema>;

export const homeAssistantAccountSchema = z
  .object({
    _id: z.string(),
    name: z.string(),
    username: z.string(),
    createdAt: momentSchema,
    /** Id of the staff member who is responsible for it; null if unknown. */
    madeBy: z.nullable(z.string()),
  })
  .register(z.globalRegistry, { id: 'HomeAssistantAccount' });
export type HomeAssistantAccount = z.infer<typeof homeAssistantAccountSchema>;

const secretsSchema = z.object({ sensor: sensorSchema, ...secretsShape });
export type SensorSecrets = z.infer<typeof secretsSchema>;

/** Values at which the air opens an incident: °C, and raw values of the gas sensor. */
const airLimitsSchema = z.object({ temperature: z.number(), mq2: z.number() });
export type AirLimits = z.infer<typeof airLimitsSchema>;

export const sensorRoutes = {
  listAirLimits: defineRoute({
    id: 'listAirLimits',
    method: 'GET',
    path: '/api/air-limits',
    access: 'signed-in',
    permission: 'sensors.view',
    summary:
      'The limits of the air: of the facility, and of areas with limits of their own; of several facilities of a parent’s children the stricter ones',
    status: 200,
    answer: z.object({
      limits: airLimitsSchema,
      areas: z.array(z.object({ area: z.string(), ...airLimitsSchema.shape })),
    }),
    errors: [],
  }),
  listSensors: defineRoute({
    id: 'listSensors',
    method: 'GET',
    path: '/api/sensors',
    access: 'staff',
    permission: 'sensors.view',
    summary: 'Sensors by name, with their latest values and how far these can be trusted',
    query: z.object(listQueryShape),
    status: 200,
    answer: z.object({
      sensors: z.array(sensorSchema),
      ...pageShape,
      /** How devices reach the broker, and whether it is connected. */
      broker: z.nullable(brokerSchema),
      brokerState: z.enum(['ok', 'down', 'off']),
    }),
    errors: [],
  }),
  createSensor: defineRoute({
    id: 'createSensor',
    method: 'POST',
    path: '/api/sensors',
    access: 'staff',
    permission: 'sensors.manage',
    proof: 'always',
    summary: 'Add a sensor; its password and device key are returned only here',
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
    permission: 'sensors.manage',
    proof: 'by-body',
    summary:
      'Rename a sensor, move it to another area, or set its period; its topic does not change. Another area or period needs a proof',
    body: z.partial(z.omit(createSensorBodySchema, { kind: true })),
    status: 200,
    answer: z.object({ sensor: sensorSchema }),
    errors: ['not_found'],
  }),
  renewSensorSecrets: defineRoute({
    id: 'renewSensorSecrets',
    method: 'POST',
    path: '/api/sensors/{id}/secrets',
    access: 'staff',
    permission: 'sensors.manage',
    proof: 'always',
    summary:
      'Create a new password and device key, returned only here; the old ones become invalid and the device is disconnected',
    status: 201,
    answer: secretsSchema,
    errors: ['not_found'],
  }),
  deleteSensor: defineRoute({
    id: 'deleteSensor',
    method: 'DELETE',
    path: '/api/sensors/{id}',
    access: 'staff',
    permission: 'sensors.manage',
    proof: 'always',
    summary: 'Delete a sensor with its account and its history',
    status: 200,
    answer: messageSchema,
    errors: ['not_found'],
  }),
  sendReadings: defineRoute({
    id: 'sendReadings',
    method: 'POST',
    path: '/api/sensors/{id}/readings',
    access: 'visitor',
    summary: `Send a reading from a device without MQTT, authenticated by \`X-Device-Key\`. Rate limit: a burst of ${READINGS_BURST}, then ${READINGS_PER_SECOND} per second`,
    headers: z.object({ [DEVICE_KEY_HEADER]: z.optional(z.string().check(z.maxLength(200))) }),
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
    permission: 'sensors.view',
    summary: `Readings of a time span, oldest first, without its end: single ones (at most a day), means per minute (8 days) or per hour (400 days); at most ${HISTORY_POINTS_MAX} points`,
    query: z.object({
      from: z.optional(momentQuery),
      to: z.optional(momentQuery),
      step: z._default(z.enum(HISTORY_STEPS, { error: 'step must be raw, minute or hour' }), 'minute'),
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
    permission: 'integrations.manage',
    summary: 'Accounts on the embedded broker with which Home Assistant can read what Haris publishes',
    status: 200,
    answer: z.object({ accounts: z.array(homeAssistantAccountSchema), broker: z.nullable(brokerSchema) }),
    errors: [],
  }),
  createHomeAssistantAccount: defineRoute({
    id: 'createHomeAssistantAccount',
    method: 'POST',
    path: '/api/home-assistant-accounts',
    access: 'staff',
    permission: 'integrations.manage',
    proof: 'always',
    summary: 'Create a read-only account for Home Assistant; its password is returned only here',
    body: z.object({ name: nameSchema }),
    status: 201,
    answer: z.object({
      account: homeAssistantAccountSchema,
      username: z.string(),
      password: z.string(),
      broker: z.nullable(brokerSchema),
    }),
    errors: ['too_many_sensors'],
  }),
  deleteHomeAssistantAccount: defineRoute({
    id: 'deleteHomeAssistantAccount',
    method: 'DELETE',
    path: '/api/home-assistant-accounts/{id}',
    access: 'staff',
    permission: 'integrations.manage',
    proof: 'always',
    summary: 'Delete a Home Assistant account; its clients are disconnected',
    status: 200,
    answer: messageSchema,
    errors: ['not_found'],
  }),
};
