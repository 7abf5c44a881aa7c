/** ESPHome: plain numbers, each at `…/sensor/<name>/state`; see https://esphome.io/components/mqtt. Pure. */
import type { Quantity } from '@haris/contract/live/readings';
import { decodeAvailability } from './availability.ts';
import { type Decoded, judge, readText } from './decoded.ts';

const SENSOR_STATE = /^sensor\/([^/]+)\/state$/;

/** Quantity that a sensor measures, judged by the end of its name, which may be a usual name of an MQ-2. */
function quantityOf(name: string): Quantity | null {
  if (/(^|[_-])temperature$/.test(name)) return 'temperature';
  if (/(^|[_-])humidity$/.test(name)) return 'humidity';
  if (/(^|[_-])(mq[_-]?2|air[_-]quality|gas|smoke)$/.test(name)) return 'mq2';
  return null;
}

/** `rest` is the topic below the device's own. Ignores other sensors, such as signal strength and uptime. */
export function decodeEsphome(rest: string, payload: Uint8Array): Decoded {
  if (rest === 'status' || rest === 'availability') return decodeAvailability(payload);
  const name = SENSOR_STATE.exec(rest)?.[1]?.toLowerCase();
  const quantity = name === undefined ? null : quantityOf(name);
  if (quantity === null) return { kind: 'ignored' };
  const text = readText(payload);
  return text === null ? { kind: 'refused', reason: 'unreadable' } : judge({ [quantity]: text });
}
