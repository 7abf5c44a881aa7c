/** Processes messages of devices: decodes them, updates the sensor's state, stores readings, and calls the listeners. */
import type { Refusal } from '@haris/contract/http/sensors';
import type { ReadingMessage } from '@haris/contract/live/readings';
import type { Clock } from '../../clock.ts';
import type { MqttListener, MqttMessage } from '../../mqtt/link.ts';
import type { Decoded, Reading } from './decoders/decoded.ts';
import { decodeEsphome } from './decoders/esphome.ts';
import { decodeHaris } from './decoders/haris.ts';
import { decodeTasmota } from './decoders/tasmota.ts';
import { readingMessageOf } from './reading-message.ts';
import type { KnownSensor, SensorRegistry } from './sensor-registry.ts';
import { withAvailability, withReading } from './truth.ts';
import type { ReadingWriter } from './writer.ts';

const decoders = { haris: decodeHaris, esphome: decodeEsphome, tasmota: decodeTasmota } as const;

export interface AcceptedReading {
  readonly sensorId: string;
  readonly facility: string;
  readonly area: string;
  /** Quantities that this reading contains. */
  readonly reading: Reading;
  /** When it was received. Milliseconds since 1970. */
  readonly at: number;
  /** Message with all quantities of the sensor after this reading. */
  readonly message: ReadingMessage;
}

export interface Intake extends Pick<MqttListener, 'onMessage' | 'onOverflow'> {
  /** Accepts a reading whose values are within their ranges. `key`: the id that the device gave the reading, or null. */
  accept(sensor: KnownSensor, reading: Reading, key: string | null): void;
  /** Calls back with each accepted reading, before it is stored. Returns a function that removes the listener. */
  onReading(listener: (accepted: AcceptedReading) => void): () => void;
}

export interface IntakeParts {
  readonly clock: Clock;
  readonly registry: SensorRegistry;
  readonly writer: ReadingWriter;
}

export function createIntake({ clock, registry, writer }: IntakeParts): Intake {
  const listeners = new Set<(accepted: AcceptedReading) => void>();

  function accept(sensor: KnownSensor, reading: Reading, key: string | null): void {
    const at = clock.now();
    sensor.state = withReading(sensor.state, reading, at);
    const storedAt = writer.add({
      sensor_id: sensor.row.id,
      at,
      key,
      temperature: reading.temperature ?? null,
      humidity: reading.humidity ?? null,
      mq2: reading.mq2 ?? null,
    });
    sensor.heardAt = Math.max(sensor.heardAt, storedAt);
    registry.notify(sensor);
    const message = readingMessageOf(sensor, clock.now());
    if (message === null) return;
    for (const listener of listeners)
      listener({
        sensorId: sensor.row.id,
        facility: sensor.row.facility_id,
        area: sensor.row.area,
        reading,
        at,
        message,
      });
  }

  function refuse(sensor: KnownSensor, reason: Refusal): void {
    const note = { reason, at: clock.now() };
    sensor.refused = { count: sensor.refused.count + 1, last: note };
    writer.refuse(sensor.row.id, note);
  }

  function setAvailability(sensor: KnownSensor, online: boolean, retained: boolean): void {
    const before = sensor.state;
    const saidAt = clock.now();
    sensor.state = withAvailability(before, online, saidAt, { retained });
    if (before.online !== sensor.state.online) registry.notify(sensor);
    sensor.saidAt = saidAt;
    // Do not store a retained message: its age is unknown, and every server receives it.
    if (retained) return;
    writer.noteAvailability(sensor.row.id, { online, onlineAt: sensor.state.onlineAt, saidAt });
  }

  function apply(sensor: KnownSensor, decoded: Decoded, retained: boolean): void {
    switch (decoded.kind) {
      case 'ignored':
        return;
      case 'refused':
        refuse(sensor, decoded.reason);
        return;
      case 'availability':
        setAvailability(sensor, decoded.online, retained);
        return;
      case 'reading':
        // Ignore a retained reading, because its age is unknown.
        if (retained) return;
        for (const reason of decoded.refused) refuse(sensor, reason);
        if (Object.keys(decoded.reading).length > 0) accept(sensor, decoded.reading, decoded.key ?? null);
    }
  }

  /** Finds the sensor that a topic belongs to, and the rest of the topic; undefined if there is no such sensor. */
  function locate(topic: string): { sensor: KnownSensor; rest: string } | undefined {
    const levels = topic.split('/');
    const isTasmota = levels[0] === 'tele';
    const own = isTasmota ? levels[1] : levels.slice(0, 3).join('/');
    const sensor = own === undefined ? undefined : registry.findByTopic(own);
    if (!sensor || (sensor.row.kind === 'tasmota') !== isTasmota) return undefined;
    return { sensor, rest: isTasmota ? `tele/${levels.slice(2).join('/')}` : levels.slice(3).join('/') };
  }

  return {
    accept,
    onMessage({ topic, payload, retained, username }: MqttMessage) {
      const found = locate(topic);
      if (!found || (username !== null && username !== found.sensor.row.username)) return;
      apply(found.sensor, decoders[found.sensor.row.kind](found.rest, payload), retained);
    },
    onOverflow(username) {
      const sensor = registry.findByUsername(username);
      if (sensor) refuse(sensor, 'too_many');
    },
    onReading(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
