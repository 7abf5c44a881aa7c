/**
 * Tasmota: one JSON object for all of a device's sensors at `tele/<device>/SENSOR`, `Online` and `Offline` at
 * `tele/<device>/LWT`; see https://tasmota.github.io/docs/MQTT. Pure.
 */
import { decodeAvailability } from './availability.ts';
import { type Decoded, isObject, judge, readObject, toNumber } from './decoded.ts';

/** `rest` is the topic without the device: `tele/SENSOR`. */
export function decodeTasmota(rest: string, payload: Uint8Array): Decoded {
  if (rest === 'tele/LWT') return decodeAvailability(payload);
  if (rest !== 'tele/SENSOR') return { kind: 'ignored' };
  const object = readObject(payload);
  if (!object) return { kind: 'refused', reason: 'unreadable' };
  const blocks = Object.values(object).filter(isObject);
  // Beside a DHT22 there may be a probe that measures temperature only: the room's is where humidity is.
  const climate =
    blocks.find((block) => 'Humidity' in block) ?? blocks.find((block) => 'Temperature' in block) ?? {};
  return judge({
    temperature: 'Temperature' in climate ? toCelsius(climate.Temperature, object.TempUnit) : undefined,
    humidity: climate.Humidity,
    mq2: gasOf(object),
  });
}

/** Tasmota says `F` where it was set to Fahrenheit. A unit that nobody knows makes the value unknown. */
function toCelsius(raw: unknown, unit: unknown): unknown {
  if (unit === undefined || unit === 'C') return raw;
  const value = toNumber(raw);
  return unit === 'F' && value !== null ? Math.round(((value - 32) / 1.8) * 100) / 100 : null;
}

/** The gas sensor: a named MQ first, else the first analog input (`"ANALOG":{"A0":512}`). */
function gasOf(object: Record<string, unknown>): unknown {
  const analog = isObject(object.ANALOG) ? object.ANALOG : {};
  const values = [...Object.entries(analog), ...Object.entries(object)].filter(
    ([, value]) => !isObject(value),
  );
  return (values.find(([name]) => /^MQ/i.test(name)) ??
    Object.entries(analog).find(([name]) => /^A\d*$/.test(name)))?.[1];
}
