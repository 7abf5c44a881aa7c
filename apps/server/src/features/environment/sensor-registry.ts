/** Keeps all sensors in memory: finds them, reloads their rows, and notifies listeners of changes. */
import type { Refusal } from '@haris/contract/http/sensors';
import { QUANTITIES, type Quantity } from '@haris/contract/live/readings';
import type { Context } from '../../context.ts';
import type { SensorRow } from '../../db/schema.ts';
import { findNewestReadings, findNewestValue } from '../../db/sensor-readings.ts';
import { findSensors } from '../../db/sensors.ts';
import { acrossFacilities } from '../../facility.ts';
import type { Reading } from './decoders/decoded.ts';
import { newSensorState, overallTruth, type SensorState, truthOf, withReading } from './truth.ts';
import type { RefusalNote } from './writer.ts';

/** Number of stored readings from which a sensor's period is learnt after a start. */
const READINGS_RESTORED = 6;

/** Current state of a sensor. */
export interface SensorView {
  readonly row: SensorRow;
  readonly state: SensorState;
  readonly refused: { readonly count: number; readonly last: RefusalNote | null };
}

/** A sensor as this folder's modules may change it, if they call {@link SensorRegistry.notify} afterwards. */
export interface KnownSensor extends SensorView {
  row: SensorRow;
  state: SensorState;
  refused: { count: number; last: RefusalNote | null };
  /** Time of the newest reading in `state`, received by any server. Milliseconds since 1970, like `saidAt`. */
  heardAt: number;
  /** Time of the device's last availability message to any server. */
  saidAt: number;
}

/** `view` is null when the sensor was deleted; `facility` is where it is or was. */
export type ViewListener = (id: string, view: SensorView | null, facility: string) => void;

export interface SensorRegistry {
  find(id: string): KnownSensor | undefined;
  findByTopic(topic: string): KnownSensor | undefined;
  findByUsername(username: string): KnownSensor | undefined;
  all(): KnownSensor[];
  /** Reloads all rows, one run at a time. Rejects if the database fails. */
  reload(): Promise<void>;
  /** Calls the listeners with a sensor that has changed. */
  notify(sensor: KnownSensor): void;
  /** Calls the listeners with each sensor whose state has changed through the passing of time, such as a stale value. */
  notifyOfTime(): void;
  /** Returns a function that removes the listener. */
  onView(listener: ViewListener): () => void;
  /** Resolves when no reload is running. */
  settled(): Promise<void>;
}

/** Quantities that a stored row contains. */
export function receivedIn(row: { readonly [Q in Quantity]: number | null }): Reading {
  const { temperature, humidity, mq2 } = row;
  const values = Object.entries({ temperature, humidity, mq2 });
  return Object.fromEntries(values.filter(([, value]) => value !== null));
}

/** Summary of a sensor's properties that can change without a reading, for comparison. */
function summaryOf({ row, state, refused }: SensorView, now: number): string {
  const truths = QUANTITIES.map((quantity) => truthOf(state, quantity, now));
  return JSON.stringify([row.name, row.area, refused.count, overallTruth(state, now), truths]);
}

function periodMsOf({ period }: SensorRow): number | null {
  return period === null ? null : period * 1000;
}

function refusalsOf(row: SensorRow): KnownSensor['refused'] {
  const { refused_count: count, refused_at: at } = row;
  const reason = (row.refused_reason ?? 'unreadable') as Refusal;
  return { count, last: at === null ? null : { at, reason } };
}

/** Restores a sensor's state from its stored readings. */
async function restore({ db }: Pick<Context, 'db'>, row: SensorRow): Promise<KnownSensor> {
  let heardAt = 0;
  let state = newSensorState(row.kind, periodMsOf(row));
  for (const reading of await findNewestReadings(db, row.id, READINGS_RESTORED)) {
    state = withReading(state, receivedIn(reading), reading.at);
    heardAt = reading.at;
  }
  const values = { ...state.values };
  for (const quantity of QUANTITIES) {
    const newest = await findNewestValue(db, row.id, quantity);
    if (newest) values[quantity] = { distances: values[quantity]?.distances ?? [], ...newest };
  }
  // The time of coming online is not stored. Only a message of the device starts a new warm-up.
  state = { ...state, values, online: null, onlineAt: null };
  return { row, state, heardAt, saidAt: 0, refused: refusalsOf(row) };
}

/** Creates an empty registry; {@link SensorRegistry.reload} fills it. */
export function createSensorRegistry({ db, clock }: Pick<Context, 'db' | 'clock'>): SensorRegistry {
  const sensors = new Map<string, KnownSensor>();
  const byTopic = new Map<string, KnownSensor>();
  const byUsername = new Map<string, KnownSensor>();
  const listeners = new Set<ViewListener>();
  /** Summary by sensor id at the last call of the listeners. */
  const summaries = new Map<string, string>();
  let loading: Promise<void> = Promise.resolve();

  function notify(sensor: KnownSensor): void {
    summaries.set(sensor.row.id, summaryOf(sensor, clock.now()));
    for (const listener of listeners) listener(sensor.row.id, sensor, sensor.row.facility_id);
  }

  function notifyIfChanged(sensor: KnownSensor): void {
    if (summaryOf(sensor, clock.now()) !== summaries.get(sensor.row.id)) notify(sensor);
  }

  function add(sensor: KnownSensor): void {
    sensors.set(sensor.row.id, sensor);
    byTopic.set(sensor.row.topic, sensor);
    byUsername.set(sensor.row.username, sensor);
    notify(sensor);
  }

  function remove({ row }: KnownSensor): void {
    sensors.delete(row.id);
    byTopic.delete(row.topic);
    byUsername.delete(row.username);
    summaries.delete(row.id);
    for (const listener of listeners) listener(row.id, null, row.facility_id);
  }

  async function load(): Promise<void> {
    const rows = await findSensors(db);
    const ids = new Set(rows.map(({ id }) => id));
    for (const sensor of sensors.values()) if (!ids.has(sensor.row.id)) remove(sensor);
    for (const row of rows) {
      const known = sensors.get(row.id);
      if (!known) {
        add(await restore({ db }, row));
        continue;
      }
      known.row = row;
      known.state = { ...known.state, setPeriodMs: periodMsOf(row) };
      notifyIfChanged(known);
    }
  }

  return {
    find: (id) => sensors.get(id),
    findByTopic: (topic) => byTopic.get(topic),
    findByUsername: (username) => byUsername.get(username),
    all: () => [...sensors.values()],
    reload() {
      // The sensors are of all facilities, whatever the request that changed one works at.
      const mine = loading.then(() => acrossFacilities(load));
      loading = mine.catch(() => {});
      return mine;
    },
    notify,
    notifyOfTime() {
      for (const sensor of sensors.values()) notifyIfChanged(sensor);
    },
    onView(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    settled: () => loading,
  };
}
