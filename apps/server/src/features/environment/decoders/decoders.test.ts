/** Messages as real firmware writes them, and arbitrary other messages. */
import { QUANTITIES, READING_RANGES } from '@haris/contract/live/readings';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Decoded, toNumber } from './decoded.ts';
import { decodeEsphome } from './esphome.ts';
import { decodeHaris } from './haris.ts';
import { decodeTasmota } from './tasmota.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const json = (value: unknown): Uint8Array => bytes(JSON.stringify(value));
const decoders = { decodeHaris, decodeEsphome, decodeTasmota };

function within(decoded: Decoded): boolean {
  if (decoded.kind !== 'reading') return true;
  return QUANTITIES.every((quantity) => {
    const value = decoded.reading[quantity];
    const [least, most] = READING_RANGES[quantity];
    return value === undefined || (Number.isFinite(value) && value >= least && value <= most);
  });
}

describe('whatever comes', () => {
  const rests = fc.constantFrom(
    'state',
    'availability',
    'status',
    'sensor/temperature/state',
    'sensor/mq2/state',
    'tele/SENSOR',
    'tele/LWT',
    'other',
  );
  test.each(Object.entries(decoders))(
    '%s answers, and lets through only what is within the ranges',
    (_, decode) => {
      const payloads = fc.oneof(
        fc.uint8Array({ maxLength: 300 }),
        fc.string().map(bytes),
        fc.json().map(bytes),
        fc.double().map((value) => bytes(String(value))),
        fc
          .dictionary(
            fc.constantFrom(
              'temperature',
              'humidity',
              'mq2',
              'Temperature',
              'Humidity',
              'DHT11',
              'ANALOG',
              'A0',
              '__proto__',
            ),
            fc.oneof(
              fc.double(),
              fc.string(),
              fc.constant(null),
              fc.dictionary(fc.constantFrom('Temperature', 'Humidity', 'A0'), fc.double()),
            ),
          )
          .map(json),
      );
      fc.assert(
        fc.property(rests, payloads, (rest, payload) => within(decode(rest, payload))),
        { numRuns: 2_000 },
      );
    },
  );

  test('each value within its range comes through as it is, as a number and as text', () => {
    for (const quantity of QUANTITIES) {
      const [least, most] = READING_RANGES[quantity];
      const values = fc.oneof(
        fc.double({ min: least, max: most, noNaN: true }),
        fc.constantFrom(least, most),
      );
      fc.assert(
        fc.property(values, fc.boolean(), (value, asText) => {
          const decoded = decodeHaris('state', json({ [quantity]: asText ? String(value) : value }));
          expect(decoded).toEqual({
            kind: 'reading',
            reading: { [quantity]: value === 0 ? 0 : value },
            refused: [],
          });
        }),
      );
    }
  });

  test('each value beyond its range is refused', () => {
    for (const quantity of QUANTITIES) {
      const [least, most] = READING_RANGES[quantity];
      const beyond = fc.oneof(
        fc.double({ max: least, maxExcluded: true, noNaN: true, noDefaultInfinity: true }),
        fc.double({ min: most, minExcluded: true, noNaN: true, noDefaultInfinity: true }),
      );
      fc.assert(
        fc.property(
          // −0 is 0.
          beyond.filter((value) => value !== 0),
          (value) => {
            expect(decodeHaris('state', json({ [quantity]: value }))).toEqual({
              kind: 'reading',
              reading: {},
              refused: ['out_of_range'],
            });
          },
        ),
      );
    }
  });
});

test('numbers as firmwares write them', () => {
  for (const [raw, value] of [
    ['21.50', 21.5],
    [' 40 ', 40],
    ['-3', -3],
    ['1e2', 100],
    [0, 0],
  ] as const)
    expect(toNumber(raw)).toBe(value);
  for (const raw of [
    'nan',
    'NaN',
    'inf',
    '-inf',
    'unknown',
    'unavailable',
    '',
    ' ',
    '0x10',
    '1,5',
    '12abc',
    '٢١',
    null,
    true,
    [],
    {},
    Number.NaN,
  ])
    expect(toNumber(raw), String(raw)).toBeNull();
  expect(Object.is(toNumber(-0), 0)).toBe(true);
});

describe('Haris', () => {
  test('keeps what is right of a message and says why the rest was left out', () => {
    expect(decodeHaris('state', json({ temperature: 21.5, humidity: 400, mq2: null, other: 7 }))).toEqual({
      kind: 'reading',
      reading: { temperature: 21.5 },
      refused: ['out_of_range', 'not_a_number'],
    });
  });

  test('refuses what is no object, not JSON, not UTF-8, too long, or knows nothing of the air', () => {
    for (const payload of [
      bytes('[21]'),
      bytes('21'),
      bytes('{"temperature":'),
      new Uint8Array([0xff]),
      bytes(' '.repeat(5000)),
    ])
      expect(decodeHaris('state', payload)).toEqual({ kind: 'refused', reason: 'unreadable' });
    expect(decodeHaris('state', json({ light: 3 }))).toEqual({ kind: 'refused', reason: 'nothing_known' });
  });

  test('knows online and offline, and nothing else of the kind', () => {
    expect(decodeHaris('availability', bytes('online'))).toEqual({ kind: 'availability', online: true });
    expect(decodeHaris('availability', bytes('offline'))).toEqual({ kind: 'availability', online: false });
    expect(decodeHaris('availability', bytes('maybe'))).toEqual({ kind: 'refused', reason: 'unreadable' });
    expect(decodeHaris('config', bytes('online'))).toEqual({ kind: 'ignored' });
  });
});

describe('ESPHome', () => {
  test('knows the quantity by the name of the sensor', () => {
    for (const [name, quantity] of [
      ['temperature', 'temperature'],
      ['living_room_temperature', 'temperature'],
      ['humidity', 'humidity'],
      ['mq2', 'mq2'],
      ['kitchen_air_quality', 'mq2'],
      ['mq-2', 'mq2'],
    ] as const)
      expect(decodeEsphome(`sensor/${name}/state`, bytes('40.0'))).toEqual({
        kind: 'reading',
        reading: { [quantity]: 40 },
        refused: [],
      });
    for (const rest of [
      'sensor/wifi_signal/state',
      'sensor/uptime/state',
      'sensor/temperature/config',
      'debug',
    ])
      expect(decodeEsphome(rest, bytes('40'))).toEqual({ kind: 'ignored' });
  });

  test('refuses nan, which it sends while a DHT22 does not answer', () => {
    expect(decodeEsphome('sensor/temperature/state', bytes('nan'))).toEqual({
      kind: 'reading',
      reading: {},
      refused: ['not_a_number'],
    });
    expect(decodeEsphome('status', bytes('offline'))).toEqual({ kind: 'availability', online: false });
  });
});

describe('Tasmota', () => {
  test('reads climate and gas out of one message', () => {
    const sensor = {
      Time: '2026-11-20T10:15:00',
      AM2301: { Temperature: 21.5, Humidity: 40.2, DewPoint: 7.4 },
      ANALOG: { A0: 512 },
      TempUnit: 'C',
    };
    expect(decodeTasmota('tele/SENSOR', json(sensor))).toEqual({
      kind: 'reading',
      reading: { temperature: 21.5, humidity: 40.2, mq2: 512 },
      refused: [],
    });
  });

  test('takes the room’s temperature, not a probe’s', () => {
    const sensor = { DS18B20: { Temperature: 60 }, DHT11: { Temperature: 22, Humidity: 45 }, TempUnit: 'C' };
    expect(decodeTasmota('tele/SENSOR', json(sensor))).toMatchObject({
      reading: { temperature: 22, humidity: 45 },
    });
  });

  test('never takes Fahrenheit for Celsius', () => {
    const at = (unit: string) => json({ DHT11: { Temperature: 72.5, Humidity: 40 }, TempUnit: unit });
    expect(decodeTasmota('tele/SENSOR', at('F'))).toMatchObject({
      reading: { temperature: 22.5, humidity: 40 },
    });
    expect(decodeTasmota('tele/SENSOR', at('K'))).toMatchObject({
      reading: { humidity: 40 },
      refused: ['not_a_number'],
    });
  });

  test('refuses null, which it sends for a sensor that does not answer; knows its last will', () => {
    expect(
      decodeTasmota('tele/SENSOR', json({ DHT11: { Temperature: null, Humidity: null } })),
    ).toMatchObject({
      reading: {},
      refused: ['not_a_number', 'not_a_number'],
    });
    expect(decodeTasmota('tele/SENSOR', json({ Time: 'x', Switch1: 'OFF' }))).toEqual({
      kind: 'refused',
      reason: 'nothing_known',
    });
    expect(decodeTasmota('tele/LWT', bytes('Online'))).toEqual({ kind: 'availability', online: true });
    expect(decodeTasmota('tele/LWT', bytes('Offline'))).toEqual({ kind: 'availability', online: false });
    expect(decodeTasmota('tele/STATE', bytes('{}'))).toEqual({ kind: 'ignored' });
  });
});
