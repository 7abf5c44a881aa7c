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
  // A device may have a temperature probe beside its DHT22; prefer the sensor with humidity, because it measures the room.
  const climate =
    blocks.find((block) => 'Humidity' in block) ?? blocks.find((block) => 'Temperature' in block) ?? {};
  return judge({
    temperature: 'Temperature' in climate ? toCelsius(climate.Temperature, object.TempUnit) : undefined,
    humidity: climate.Humidity,
    mq2: gasOf(object),
  });
}

/** Converts from Fahrenheit, which Tasmota marks with `F`. Returns null for an unknown unit. */
function toCelsius(raw: unknown, unit: unknown): unknown {
  if (unit === undefined || unit === 'C') return raw;
  const value = toNumber(raw);
  return unit === 'F' && value !== null ? Math.round(((value - 32) / 1.8) * 100) / 100 : null;
}

/** Value of the gas sensor: of an input named MQ, or else of the first analog input (`"ANALOG":{"A0":512}`). */
function gasOf(object: Record<string, unknown>): unknown {
  const analog = isObject(object.ANALOG) ? object.ANALOG : {};
  const values = [...Object.entries(analog), ...Object.entries(object)].filter(
    ([, value]) => !isObject(value),
  );
  return (values.find(([name]) => /^MQ/i.test(name)) ??
    Object.entries(analog).find(([name]) => /^A\d*$/.test(name)))?.[1];
}
