/** Binds the calls of sensors and Home Assistant accounts, and opens `/ws` and the link to Home Assistant. */
import { HISTORY_SPAN_MAX_MS, sensorRoutes } from '@haris/contract/http/sensors';
import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findHomeAssistantAccounts } from '../../db/broker-accounts.ts';
import { findHistory } from '../../db/sensor-history.ts';
import { findSensor, findSensorsPage } from '../../db/sensors.ts';
import { bind } from '../../http/bind.ts';
import { findAirLimits } from './air-limits.ts';
import { bindDeviceReadings } from './device-readings.ts';
import { type Environment, openEnvironment } from './environment.ts';
import { announceToHomeAssistant } from './home-assistant.ts';
import { findPlaces } from './places.ts';
import { presentHomeAssistantAccount, presentSensor } from './present.ts';
import {
  brokerForDevices,
  createHomeAssistantAccount,
  createSensor,
  deleteHomeAssistantAccount,
  deleteSensor,
  renewSecrets,
  updateSensor,
} from './service.ts';
import { readingsSocket } from './socket.ts';

/** Default span of a history if the request gives no beginning. Milliseconds. */
const DAY_MS = 24 * 3_600_000;

/** Rejects if the database fails. Call `stop` of the result before closing the app. */
export async function environmentFeature(app: FastifyInstance, context: Context): Promise<Environment> {
  const environment = await openEnvironment(context);
  const stopAnnouncing = announceToHomeAssistant(context, environment);
  const socket = readingsSocket(app, context, environment);
  bindSensors(app, context, environment);
  bindDeviceReadings(app, context, environment);
  bindHistory(app, context);
  bindAirLimits(app, context);
  bindHomeAssistantAccounts(app, context);
  return {
    ...environment,
    async stop() {
      socket.stop();
      stopAnnouncing();
      await environment.stop();
    },
  };
}

function bindAirLimits(app: FastifyInstance, context: Context): void {
  bind(app, context, sensorRoutes.listAirLimits, {
    handle: async ({ actor }) => findAirLimits(context, await findPlaces(context, actor)),
  });
}

function bindSensors(app: FastifyInstance, context: Context, environment: Environment): void {
  /** Reloads the sensors, and presents the changed sensor with its values. */
  async function presentChanged(id: string) {
    await environment.reload();
    const view = environment.find(id);
    if (!view) throw new AppError('not_found');
    return presentSensor(view, context.clock.now());
  }

  bind(app, context, sensorRoutes.listSensors, {
    async handle({ query }) {
      const { rows, ...page } = await findSensorsPage(context.db, query);
      // Another server may have added a sensor.
      if (rows.some(({ id }) => !environment.find(id))) await environment.reload();
      const views = rows.flatMap(({ id }) => environment.find(id) ?? []);
      return {
        sensors: views.map((view) => presentSensor(view, context.clock.now())),
        ...page,
        broker: brokerForDevices(context),
        brokerState: context.mqtt.state(),
      };
    },
  });
  bind(app, context, sensorRoutes.createSensor, {
    async handle({ actor, body }) {
      const { row, secrets } = await createSensor(context, actor, body);
      return { sensor: await presentChanged(row.id), ...secrets };
    },
  });
  bind(app, context, sensorRoutes.updateSensor, {
    find: ({ params }) => requireSensor(context, params.id),
    async handle({ actor, params, body }) {
      await updateSensor(context, actor, params.id, body);
      return { sensor: await presentChanged(params.id) };
    },
  });
  bind(app, context, sensorRoutes.renewSensorSecrets, {
    async handle({ actor, params }) {
      const secrets = await renewSecrets(context, actor, params.id);
      return { sensor: await presentChanged(params.id), ...secrets };
    },
  });
  bind(app, context, sensorRoutes.deleteSensor, {
    async handle({ actor, params }) {
      await deleteSensor(context, actor, params.id);
      await environment.reload();
      return { message: 'Sensor removed.' };
    },
  });
}

function bindHistory(app: FastifyInstance, context: Context): void {
  bind(app, context, sensorRoutes.getSensorHistory, {
    find: ({ actor, params }) => requireSensorOf(context, actor, params.id),
    async handle({ params, query }) {
      const to = query.to === undefined ? context.clock.now() + 1 : Date.parse(query.to);
      const from = query.from === undefined ? to - DAY_MS : Date.parse(query.from);
      const problem = findSpanProblem(from, to, HISTORY_SPAN_MAX_MS[query.step]);
      if (problem) throw new AppError('invalid_request', { message: problem, fields: { from: problem } });
      return { points: await findHistory(context.db, params.id, query.step, from, to) };
    },
  });
}

function bindHomeAssistantAccounts(app: FastifyInstance, context: Context): void {
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
}

/** Throws 404 if there is no such sensor, also if it is at a facility that does not concern a parent of several. */
async function requireSensorOf(context: Context, actor: Actor, id: string): Promise<void> {
  const sensor = await findSensor(context.db, id);
  if (!sensor || !(await findPlaces(context, actor)).has(sensor.facility_id)) throw new AppError('not_found');
}

/** Throws 404 if there is no such sensor. */
async function requireSensor(context: Context, id: string): Promise<void> {
  if (!(await findSensor(context.db, id))) throw new AppError('not_found');
}

function findSpanProblem(from: number, to: number, longest: number): string | null {
  if (from >= to) return 'from must lie before to';
  if (to - from <= longest) return null;
  return `from and to may lie at most ${toDays(longest)} apart for this step`;
}

function toDays(ms: number): string {
  const days = Math.round(ms / DAY_MS);
  return days === 1 ? 'a day' : `${days} days`;
}
