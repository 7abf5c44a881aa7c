/** Devices in a separate process, for `bench/alerts.ts`. */
import { once } from 'node:events';
import { connectDevices, type DeviceAccount } from '../apps/server/src/testing/devices.ts';

/** The first message: the devices and how they publish. They connect, answer `null`, and wait for a second message. */
export interface DevicesAsk {
  readonly port: number;
  readonly accounts: readonly DeviceAccount[];
  readonly perSecond: number;
  readonly seconds: number;
}
/** `null` once all have connected; later the number of readings that the broker has accepted. */
export type DevicesAnswer = number | null;

const say = (answer: DevicesAnswer) => process.send?.(answer);

process.on('disconnect', () => process.exit());
const [ask] = (await once(process, 'message')) as [DevicesAsk];
const devices = await connectDevices(ask.port, ask.accounts);
const go = once(process, 'message');
say(null);
await go;
const taken = await devices.publishSteadily(ask.perSecond, ask.seconds);
await devices.end();
say(taken);
