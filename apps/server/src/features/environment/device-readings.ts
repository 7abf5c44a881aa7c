/** `POST /api/sensors/{id}/readings`: readings of devices without MQTT, which authenticate with a device key. */
import { THROTTLE_WINDOW_MS } from '@haris/contract/constants';
import {
  DEVICE_KEY_HEADER,
  READINGS_BURST,
  READINGS_PER_SECOND,
  sensorRoutes,
} from '@haris/contract/http/sensors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { findSensor } from '../../db/sensors.ts';
import { countHit, type Limit, secondsUntilRoom } from '../../db/throttle.ts';
import { bind } from '../../http/bind.ts';
import { networkOf } from '../../http/network.ts';
import { createTokenBucket } from '../../token-bucket.ts';
import type { Environment } from './environment.ts';
import { deviceKeyMac } from './service.ts';

/** Wrong device keys that one network may send within the window of the rate limit. */
const WRONG_KEYS_PER_NETWORK = 60;

export function bindDeviceReadings(app: FastifyInstance, context: Context, environment: Environment): void {
  const buckets = new Map<string, ReturnType<typeof createTokenBucket>>();
  environment.onView((id, view) => {
    if (!view) buckets.delete(id);
  });

  bind(app, context, sensorRoutes.sendReadings, {
    async admit({ request }) {
      const { id } = request.params as { id: string };
      await admitDevice(context, request, id);
      const bucket = buckets.get(id) ?? createTokenBucket(READINGS_BURST, READINGS_PER_SECOND);
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
}

/** Throws 401 for a wrong device key or an unknown sensor, and 429 for a network that keeps guessing. */
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
  // Both are keyed hashes, so the time of the comparison reveals nothing about the key.
  if (row && row.device_key_mac === deviceKeyMac(context, key)) return;
  const wait = await secondsUntilRoom(context.db, [limit], now);
  if (wait !== null) throw new AppError('too_many_attempts', { retryAfter: wait });
  await countHit(context.db, [limit], now);
  context.log.info({ requestId: request.id, at: toMoment(now) }, 'a device key was refused');
  throw new AppError('invalid_device_key');
}
