/** Binds the calls of sensors, and opens what they share with the socket and with Home Assistant. */
import { THROTTLE_WINDOW_MS } from '@haris/contract/constants';
import {
  DEVICE_KEY_HEADER,
  HISTORY_SPAN_MAX_MS,
  READINGS_BURST,
  READINGS_PER_SECOND,
  sensorRoutes,
} from '@haris/contract/http/sensors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { findHistory } from '../../db/sensor-readings.ts';
import { findHomeAssistantAccounts, findSensor, findSensorsPage } from '../../db/sensors.ts';
import { countHit, type Limit, secondsUntilRoom } from '../../db/throttle.ts';
import { bind } from '../../http/bind.ts';
import { networkOf } from '../../http/network.ts';
import { createBucket } from '../../mqtt/limits.ts';
import { type Environment, openEnvironment, type SensorView } from './environment.ts';
import { announceToHomeAssistant } from './home-assistant.ts';
import { presentHomeAssistantAccount, presentSensor } from './present.ts';
import {
  brokerForDevices,
  createHomeAssistantAccount,
  createSensor,
  deleteHomeAssistantAccount,
  deleteSensor,
  deviceKeyMac,
  renewSecrets,
  updateSensor,
} from './service.ts';
import { readingsSocket } from './socket.ts';

/** Wrong device keys from one network before it is turned away for a while. */
const WRONG_KEYS_PER_NETWORK = 60;
/** Where a question about the history names no beginning. Milliseconds. */
const DAY_MS = 24 * 3_600_000;

/** Rejects when the database does not answer. Stop it before the app closes. */
export async function environmentFeature(app: FastifyInstance, context: Context): Promise<Environment> {
  const environment = await openEnvironment(context);
  const stopAnnouncing = announceToHomeAssistant(context, environment);
  const socket = readingsSocket(app, context, environment);

  /** The sensor as it is in memory, once the change is in. */
  async function viewOf(id: string): Promise<SensorView> {
    await environment.reload();
    const view = environment.find(id);
    if (!view) throw new AppError('not_found');
    return view;
  }
  const present = (view: SensorView) => presentSensor(view, context.clock.now());

  bind(app, context, sensorRoutes.listSensors, {
    async handle({ query }) {
      const { rows, ...page } = await findSensorsPage(context.db, query);
      const missing = rows.some(({ id }) => !environment.find(id));
      if (missing) await environment.reload();
      return {
        sensors: rows.flatMap(({ id }) => {
          const view = environment.find(id);
          return view ? [present(view)] : [];
        }),
        ...page,
        broker: brokerForDevices(context),
        brokerState: context.mqtt.state(),
      };
    },
  });
  bind(app, context, sensorRoutes.createSensor, {
    async handle({ actor, body }) {
      const { row, secrets } = await createSensor(context, actor, body);
      return { sensor: present(await viewOf(row.id)), ...secrets };
    },
  });
  bind(app, context, sensorRoutes.updateSensor, {
    find: async ({ params }) => {
      if (!(await findSensor(context.db, params.id))) throw new AppError('not_found');
    },
    async handle({ actor, params, body }) {
      await updateSensor(context, actor, params.id, body);
      return { sensor: present(await viewOf(params.id)) };
    },
  });
  bind(app, context, sensorRoutes.renewSensorSecrets, {
    async handle({ actor, params }) {
      const secrets = await renewSecrets(context, actor, params.id);
      return { sensor: present(await viewOf(params.id)), ...secrets };
    },
  });
  bind(app, context, sensorRoutes.deleteSensor, {
    async handle({ actor, params }) {
      await deleteSensor(context, actor, params.id);
      await environment.reload();
      return { message: 'Sensor removed.' };
    },
  });

  const buckets = new Map<string, ReturnType<typeof createBucket>>();
  environment.onView((id, view) => {
    if (!view) buckets.delete(id);
  });
  bind(app, context, sensorRoutes.sendReadings, {
    async admit({ request }) {
      const { id } = request.params as { id: string };
      await admitDevice(context, request, id);
      const bucket = buckets.get(id) ?? createBucket(READINGS_BURST, READINGS_PER_SECOND);
      buckets.set(id, bucket);
      if (!bucket(performance.now())) throw new AppError('too_many_attempts', { retryAfter: 1 });
    },
    async handle({ params, body }) {
      const { id, temperature, humidity, mq2 } = body;
      if (!environment.find(params.id)) await environment.reload();
      await environment.accept(params.id, {
        ...(id === undefined ? {} : { id }),
        ...(temperature === undefined ? {} : { temperature }),
        ...(humidity === undefined ? {} : { humidity }),
        ...(mq2 === undefined ? {} : { mq2 }),
      });
      return { message: 'Received.' };
    },
  });
  bind(app, context, sensorRoutes.getSensorHistory, {
    find: async ({ params }) => {
      if (!(await findSensor(context.db, params.id))) throw new AppError('not_found');
    },
    async handle({ params, query }) {
      const to = query.to === undefined ? context.clock.now() + 1 : Date.parse(query.to);
      const from = query.from === undefined ? to - DAY_MS : Date.parse(query.from);
      const problem = spanProblem(from, to, HISTORY_SPAN_MAX_MS[query.step]);
      if (problem) throw new AppError('invalid_request', { message: problem, fields: { from: problem } });
      return { points: await findHistory(context.db, params.id, query.step, from, to) };
    },
  });

  bind(app, context, sensorRoutes.listHomeAssistantAccounts, {
    async handle() {
      const rows = await findHomeAssistantAccounts(context.db);
      return { accounts: rows.map(presentHomeAssistantAccount), broker: brokerForDevices(context) };
    },
  });
  bind(app, context, sensorRoutes.createHomeAssistantAccount, {
    async handle({ actor, body }) {
      const { row, password } = await createHomeAssistantAccount(context, actor, body.name);
      return {
        account: presentHomeAssistantAccount(row),
        username: row.username,
        password,
        broker: brokerForDevices(context),
      };
    },
  });
  bind(app, context, sensorRoutes.deleteHomeAssistantAccount, {
    async handle({ actor, params }) {
      await deleteHomeAssistantAccount(context, actor, params.id);
      return { message: 'Account removed.' };
    },
  });

  return {
    ...environment,
    async stop() {
      socket.stop();
      stopAnnouncing();
      await environment.stop();
    },
  };
}

function spanProblem(from: number, to: number, longest: number): string | null {
  if (from >= to) return 'from must lie before to';
  if (to - from <= longest) return null;
  return `from and to may lie at most ${toDays(longest)} apart for this step`;
}

function toDays(ms: number): string {
  const days = Math.round(ms / DAY_MS);
  return days === 1 ? 'a day' : `${days} days`;
}

/** Throws 401 unless the key is this sensor's, also where there is no such sensor; 429 for who keeps guessing. */
async function admitDevice(context: Context, request: FastifyRequest, id: string): Promise<void> {
  const now = context.clock.now();
  const limit: Limit = {
    scope: 'device_key',
    key: context.vault.mac('throttle', `device ${networkOf(request.ip)}`),
    most: WRONG_KEYS_PER_NETWORK,
    windowMs: THROTTLE_WINDOW_MS,
  };
  const header = request.headers[DEVICE_KEY_HEADER];
  const key = typeof header === 'string' ? header : '';
  const row = id.includes('\0') ? undefined : await findSensor(context.db, id);
  // Both are keyed hashes: where they differ tells nothing of the key.
  if (row && row.device_key_mac === deviceKeyMac(context, key)) return;
  const wait = await secondsUntilRoom(context.db, [limit], now);
  if (wait !== null) throw new AppError('too_many_attempts', { retryAfter: wait });
  await countHit(context.db, [limit], now);
  context.log.info({ requestId: request.id, at: toMoment(now) }, 'a device key was refused');
  throw new AppError('invalid_device_key');
}
