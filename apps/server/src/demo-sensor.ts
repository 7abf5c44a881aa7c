/** The simulated sensor of the demo and of sample data: publishes to the broker with its own account, like any other device. */
import { describeFailure } from '@haris/runtime/log';
import { connect } from 'mqtt';
import type { Context } from './context.ts';
import { findDemoSensorId } from './db/demo.ts';
import { inFacility, MAIN_FACILITY } from './facility.ts';
import { createSensor, renewSecrets, type SensorSecrets } from './features/environment/service.ts';
import type { FireDrill } from './fire-drill.ts';

const PLACE = { name: 'Simulated sensor', area: 'Playroom', kind: 'haris' } as const;
/** Seconds between two readings. */
const PERIOD_S = 5;

/**
 * Readings of a room on a quiet day, a slow wave with a little noise, and during a fire drill. `seconds` since any fixed
 * moment; `random` and `heat` from 0 to 1. Pure.
 */
export function simulateRoom(seconds: number, random: () => number, heat: number) {
  const wave = (periodS: number) => Math.sin((2 * Math.PI * seconds) / periodS);
  const noise = (spread: number) => (random() - 0.5) * spread;
  return {
    temperature: Math.round((22.5 + wave(1_800) + noise(0.4) + 23 * heat) * 10) / 10,
    humidity: Math.round((44 + 4 * wave(2_700) + noise(1) - 18 * heat) * 10) / 10,
    mq2: Math.round(140 + 25 * wave(900) + noise(12) + 1_100 * heat),
  };
}

/** Starts publishing; returns a function that stops it. Does nothing without a broker. */
export async function startDemoSensor(
  context: Context,
  drill: Pick<FireDrill, 'heat'>,
): Promise<() => Promise<void>> {
  const address = context.mqtt.address();
  if (!address) return async () => {};
  const { username, password, topic } = await openAccount(context);
  const availability = topic.replace(/state$/, 'availability');
  const client = connect({
    protocol: address.tls ? 'mqtts' : 'mqtt',
    host: '127.0.0.1',
    port: address.port,
    username,
    password,
    // The broker is in this same program.
    rejectUnauthorized: false,
    will: { topic: availability, payload: Buffer.from('offline'), qos: 1, retain: true },
  });
  client.on('error', (error) =>
    context.log.warn(describeFailure(error), 'the simulated sensor cannot reach the broker'),
  );
  const send = () => {
    if (client.connected)
      client.publish(
        topic,
        JSON.stringify(simulateRoom(context.clock.now() / 1000, Math.random, drill.heat())),
      );
  };
  client.on('connect', () => {
    client.publish(availability, 'online', { retain: true });
    send();
  });
  const timer = setInterval(send, PERIOD_S * 1000);
  return async () => {
    clearInterval(timer);
    await client.endAsync(true);
  };
}

/** Each start creates a new password, because it is stored nowhere. */
function openAccount(context: Context): Promise<SensorSecrets> {
  return inFacility(MAIN_FACILITY, async () => {
    const id = await findDemoSensorId(context.db);
    if (id !== undefined) return renewSecrets(context, null, id);
    const { secrets } = await createSensor(context, null, { ...PLACE, period: PERIOD_S }, { demo: true });
    return secrets;
  });
}
