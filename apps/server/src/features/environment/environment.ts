/**
 * The sensors as this server knows them: messages become readings, readings move what is believed of each sensor, and
 * whoever listens is told. Other parts join in by {@link Environment.onReading} and {@link Environment.onView}.
 */
import type { Refusal } from '@haris/contract/http/sensors';
import { QUANTITIES, type Quantity, type ReadingMessage, type Truth } from '@haris/contract/live/readings';
import { describeFailure } from '@haris/runtime/log';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { takeEventTurn } from '../../db/events.ts';
import type { SensorRow } from '../../db/schema.ts';
import { findNewestReadings, findNewestValue, findReadingsAfter } from '../../db/sensor-readings.ts';
import { findSensorStates } from '../../db/sensor-states.ts';
import { findSensors } from '../../db/sensors.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { MqttMessage } from '../../mqtt/link.ts';
import type { Decoded, Reading } from './decoders/decoded.ts';
import { decodeEsphome } from './decoders/esphome.ts';
import { decodeHaris } from './decoders/haris.ts';
import { decodeTasmota } from './decoders/tasmota.ts';
import {
  freshUntil,
  newSensorState,
  overallTruth,
  type SensorState,
  truthOf,
  withAvailability,
  withReading,
} from './truth.ts';
import { createReadingWriter, type RefusalNote } from './writer.ts';

/** Values become stale by the clock alone: it is looked at this often. Milliseconds. */
const TICK_MS = 1_000;
/** After a change that another server may have made, sensors are read again this soon. Milliseconds. */
const RELOAD_AFTER_MS = 200;
/** What other servers have stored is looked for this often. Milliseconds. */
const FOLLOW_MS = 1_000;
/** Sensors whose states change together, as after a power cut, are announced with one event. Milliseconds. */
const ANNOUNCE_AFTER_MS = 100;
/** Readings from before a start from which the period is learnt. */
const READINGS_RESTORED = 6;

const decoders = { haris: decodeHaris, esphome: decodeEsphome, tasmota: decodeTasmota } as const;

/** A reading that was accepted, with what is believed of its sensor now. */
export interface AcceptedReading {
  readonly sensorId: string;
  readonly area: string;
  /** Only what came now. */
  readonly reading: Reading;
  readonly at: number;
  readonly message: ReadingMessage;
}

/** A sensor as it is now. */
export interface SensorView {
  readonly row: SensorRow;
  readonly state: SensorState;
  readonly refused: { readonly count: number; readonly last: RefusalNote | null };
}

export interface Environment {
  find(id: string): SensorView | undefined;
  all(): SensorView[];
  /** The message of the socket; null while nothing was received. */
  messageOf(view: SensorView): ReadingMessage | null;
  /** Takes a reading that came by HTTP and is within the ranges; resolves once it is written. */
  accept(id: string, reading: Reading & { readonly id?: string | undefined }): Promise<void>;
  /** Calls back with each accepted reading, before it is written. Answers how to stop. */
  onReading(listener: (accepted: AcceptedReading) => void): () => void;
  /** Calls back when something of a sensor has changed, `view` null when it is gone. Answers how to stop. */
  onView(listener: (id: string, view: SensorView | null) => void): () => void;
  /** Reads the sensors again. Rejects when the database does not answer. */
  reload(): Promise<void>;
  stop(): Promise<void>;
}

interface Known extends SensorView {
  row: SensorRow;
  state: SensorState;
  refused: { count: number; last: RefusalNote | null };
  /** What was said of it last, to notice what changes by the clock alone. */
  told: string;
  overall: Truth;
  /** Moment of the newest stored reading, of whichever server, that is in the state. */
  heardAt: number;
  /** When the device said last whether it is online, to whichever server. */
  saidAt: number;
}

function onlyReceived(values: { readonly [Q in Quantity]: number | null }): Reading {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

/** Reads the sensors and begins to listen. Rejects when the database does not answer. */
export async function openEnvironment(context: Context): Promise<Environment> {
  const { db, clock, log, mqtt } = context;
  const known = new Map<string, Known>();
  const byTopic = new Map<string, Known>();
  const byUsername = new Map<string, Known>();
  const readingListeners = new Set<(accepted: AcceptedReading) => void>();
  const viewListeners = new Set<(id: string, view: SensorView | null) => void>();
  const writer = createReadingWriter(context);

  function messageOf({ row, state }: SensorView): ReadingMessage | null {
    const values = QUANTITIES.flatMap((quantity) => state.values[quantity] ?? []);
    if (values.length === 0) return null;
    const now = clock.now();
    const each = <T>(of: (quantity: (typeof QUANTITIES)[number]) => T) => ({
      temperature: of('temperature'),
      humidity: of('humidity'),
      mq2: of('mq2'),
    });
    return {
      ...each((quantity) => state.values[quantity]?.value ?? null),
      at: toMoment(Math.max(...values.map(({ at }) => at))),
      area: row.area,
      sensorId: row.id,
      truth: each((quantity) => truthOf(state, quantity, now)),
      freshUntil: each((quantity) => {
        const until = freshUntil(state, quantity);
        return until === null ? null : toMoment(until);
      }),
    };
  }

  /** What can change by the clock alone, or by word of the device. */
  function summaryOf({ row, state, refused }: Known): string {
    const now = clock.now();
    return JSON.stringify([
      row.name,
      row.area,
      refused.count,
      overallTruth(state, now),
      QUANTITIES.map((quantity) => truthOf(state, quantity, now)),
    ]);
  }

  let announceTimer: NodeJS.Timeout | undefined;
  function tell(sensor: Known): void {
    sensor.told = summaryOf(sensor);
    for (const listener of viewListeners) listener(sensor.row.id, sensor);
    const overall = overallTruth(sensor.state, clock.now());
    if (overall === sensor.overall) return;
    sensor.overall = overall;
    announceTimer ??= setTimeout(() => {
      announceTimer = undefined;
      announceState().catch((error: unknown) =>
        log.warn(describeFailure(error), 'the state of sensors could not be announced'),
      );
    }, ANNOUNCE_AFTER_MS);
  }

  async function announceState(): Promise<void> {
    await inTransaction(db, async (tx) => {
      await takeEventTurn(tx);
      await context.events.append(tx, { type: 'sensor.state' });
    });
  }

  function take(sensor: Known, reading: Reading, key: string | null): void {
    const at = clock.now();
    sensor.state = withReading(sensor.state, reading, at);
    const keptAt = writer.add({
      sensor_id: sensor.row.id,
      at,
      key,
      temperature: reading.temperature ?? null,
      humidity: reading.humidity ?? null,
      mq2: reading.mq2 ?? null,
    });
    sensor.heardAt = Math.max(sensor.heardAt, keptAt);
    tell(sensor);
    const message = messageOf(sensor);
    if (message === null) return;
    for (const listener of readingListeners)
      listener({ sensorId: sensor.row.id, area: sensor.row.area, reading, at, message });
  }

  function refuse(sensor: Known, reason: Refusal): void {
    const note = { reason, at: clock.now() };
    sensor.refused = { count: sensor.refused.count + 1, last: note };
    writer.refuse(sensor.row.id, note);
  }

  function apply(sensor: Known, decoded: Decoded, retained: boolean): void {
    switch (decoded.kind) {
      case 'ignored':
        return;
      case 'refused':
        refuse(sensor, decoded.reason);
        return;
      case 'availability': {
        const before = sensor.state;
        const saidAt = clock.now();
        sensor.state = withAvailability(before, decoded.online, saidAt, { retained });
        if (before.online !== sensor.state.online) tell(sensor);
        sensor.saidAt = saidAt;
        // Every server hears what the broker has kept; when it was said nobody knows.
        if (retained) return;
        writer.noteAvailability(sensor.row.id, {
          online: decoded.online,
          onlineAt: sensor.state.onlineAt,
          saidAt,
        });
        return;
      }
      case 'reading':
        // The broker kept it for whoever comes later: nobody knows how old it is.
        if (retained) return;
        for (const reason of decoded.refused) refuse(sensor, reason);
        if (Object.keys(decoded.reading).length > 0) take(sensor, decoded.reading, decoded.key ?? null);
    }
  }

  /** The sensor that a topic belongs to, and the rest of the topic; undefined for any other. */
  function locate(topic: string): { sensor: Known; rest: string } | undefined {
    const levels = topic.split('/');
    const isTasmota = levels[0] === 'tele';
    const own = isTasmota ? levels[1] : levels.slice(0, 3).join('/');
    const sensor = own === undefined ? undefined : byTopic.get(own);
    if (!sensor || (sensor.row.kind === 'tasmota') !== isTasmota) return undefined;
    return { sensor, rest: isTasmota ? `tele/${levels.slice(2).join('/')}` : levels.slice(3).join('/') };
  }

  function onMessage({ topic, payload, retained, username }: MqttMessage): void {
    const found = locate(topic);
    if (!found || (username !== null && username !== found.sensor.row.username)) return;
    apply(found.sensor, decoders[found.sensor.row.kind](found.rest, payload), retained);
  }

  /** Takes over what other servers have heard and stored. They have judged it; here it is only told. */
  async function follow(): Promise<void> {
    const after = new Map<string, number>();
    for (const heard of await findSensorStates(db)) {
      const sensor = known.get(heard.sensor_id);
      if (!sensor) continue;
      if (heard.heard_at !== null && heard.heard_at > sensor.heardAt)
        after.set(heard.sensor_id, sensor.heardAt);
      const { online, said_at: saidAt } = heard;
      if (online === null || saidAt === null || saidAt <= sensor.saidAt) continue;
      sensor.saidAt = saidAt;
      // What was sent after it says more.
      if (saidAt < sensor.heardAt) continue;
      sensor.state = { ...sensor.state, online: online === 1, onlineAt: heard.online_at };
      tell(sensor);
    }
    for (const { sensor_id: id, at, temperature, humidity, mq2 } of await findReadingsAfter(db, after)) {
      const sensor = known.get(id);
      if (!sensor || at <= sensor.heardAt) continue;
      sensor.heardAt = at;
      sensor.state = withReading(sensor.state, onlyReceived({ temperature, humidity, mq2 }), at);
      tell(sensor);
    }
  }

  async function restore(row: SensorRow): Promise<{ state: SensorState; heardAt: number }> {
    let heardAt = 0;
    let state = newSensorState(row.kind, row.period === null ? null : row.period * 1000);
    const newestRows = await findNewestReadings(db, row.id, READINGS_RESTORED);
    for (const { at, temperature, humidity, mq2 } of newestRows) {
      state = withReading(state, onlyReceived({ temperature, humidity, mq2 }), at);
      heardAt = at;
    }
    const values = { ...state.values };
    for (const quantity of QUANTITIES) {
      const newest = await findNewestValue(db, row.id, quantity);
      if (newest) values[quantity] = { distances: values[quantity]?.distances ?? [], ...newest };
    }
    // When it came online is not known any more; only word from the device begins another warming up.
    return { state: { ...state, values, online: null, onlineAt: null }, heardAt };
  }

  async function load(): Promise<void> {
    const rows = await findSensors(db);
    const present = new Set(rows.map(({ id }) => id));
    for (const [id, { row }] of known)
      if (!present.has(id)) {
        known.delete(id);
        byTopic.delete(row.topic);
        byUsername.delete(row.username);
        for (const listener of viewListeners) listener(id, null);
      }
    for (const row of rows) {
      const before = known.get(row.id);
      if (before) {
        before.row = row;
        before.state = { ...before.state, setPeriodMs: row.period === null ? null : row.period * 1000 };
        if (summaryOf(before) !== before.told) tell(before);
        continue;
      }
      const sensor: Known = {
        row,
        ...(await restore(row)),
        saidAt: 0,
        refused: {
          count: row.refused_count,
          last:
            row.refused_at === null
              ? null
              : { at: row.refused_at, reason: (row.refused_reason ?? 'unreadable') as Refusal },
        },
        told: '',
        overall: 'none',
      };
      sensor.overall = overallTruth(sensor.state, clock.now());
      known.set(row.id, sensor);
      byTopic.set(row.topic, sensor);
      byUsername.set(row.username, sensor);
      tell(sensor);
    }
  }

  let loading: Promise<void> = Promise.resolve();
  function reload(): Promise<void> {
    const mine = loading.then(load);
    loading = mine.catch(() => {});
    return mine;
  }
  await reload();

  let reloadTimer: NodeJS.Timeout | undefined;
  const stopWaking = context.wakeup.listen(() => {
    reloadTimer ??= setTimeout(() => {
      reloadTimer = undefined;
      reload().catch((error: unknown) => log.warn(describeFailure(error), 'sensors could not be read'));
    }, RELOAD_AFTER_MS);
  });
  const stopMqtt = mqtt.listen({
    onMessage,
    onOverflow(username) {
      const sensor = byUsername.get(username);
      if (sensor) refuse(sensor, 'too_many');
    },
    onUp() {},
  });
  const ticker = setInterval(() => {
    for (const sensor of known.values()) if (summaryOf(sensor) !== sensor.told) tell(sensor);
  }, TICK_MS);
  ticker.unref();
  let following: Promise<void> | null = null;
  // The embedded database has one server.
  const follower = context.dialect === 'postgres' ? setInterval(followSoon, FOLLOW_MS) : undefined;
  follower?.unref();
  function followSoon(): void {
    following ??= follow()
      .catch((error: unknown) =>
        log.warn(describeFailure(error), 'readings of other servers could not be read'),
      )
      .finally(() => {
        following = null;
      });
  }

  return {
    find: (id) => known.get(id),
    all: () => [...known.values()],
    messageOf,
    async accept(id, { id: key, ...reading }) {
      const sensor = known.get(id);
      if (!sensor) return;
      take(sensor, reading, key ?? null);
      await writer.flush();
    },
    onReading(listener) {
      readingListeners.add(listener);
      return () => readingListeners.delete(listener);
    },
    onView(listener) {
      viewListeners.add(listener);
      return () => viewListeners.delete(listener);
    },
    reload,
    async stop() {
      clearInterval(ticker);
      clearInterval(follower);
      clearTimeout(reloadTimer);
      clearTimeout(announceTimer);
      stopWaking();
      stopMqtt();
      await loading;
      await following;
      await writer.stop();
    },
  };
}
