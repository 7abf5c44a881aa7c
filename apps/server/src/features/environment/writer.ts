/** Stores readings, availability and refusals in batches, so that many devices cost few transactions. */
import type { Refusal } from '@haris/contract/http/sensors';
import { QUANTITIES } from '@haris/contract/live/readings';
import { describeFailure } from '@haris/runtime/log';
import type { Context } from '../../context.ts';
import { insertReadings, type ReadingRow } from '../../db/sensor-readings.ts';
import { type Availability, storeAvailability } from '../../db/sensor-states.ts';
import { addRefusals } from '../../db/sensors.ts';
import { inTransaction, isMissingReference } from '../../db/transaction.ts';

/** Delay between the first reading of a batch and its storage. Milliseconds. */
const WRITE_AFTER_MS = 100;
/** Maximum number of readings that wait while the database fails; beyond it the oldest are dropped. */
const WAITING_MAX = 100_000;
/** Delay before retrying a failed batch. Milliseconds. */
const RETRY_MS = 1_000;
/** Readings of one sensor in a burst are moved at most this far into the future. Milliseconds. */
const BURST_MS = 1_000;

export interface RefusalNote {
  readonly reason: Refusal;
  readonly at: number;
}

export interface ReadingWriter {
  /** Adds a reading to the next batch. Returns the time with which it will be stored. */
  add(row: ReadingRow): number;
  /** Stores the availability reported by the device or its last will, for the other servers. */
  noteAvailability(sensorId: string, said: Availability): void;
  refuse(sensorId: string, note: RefusalNote): void;
  /** Resolves once everything added so far is stored or its storage has failed once. */
  flush(): Promise<void>;
  /** Tries once to store the waiting readings, and stops. */
  stop(): Promise<void>;
}

/**
 * Returns the row to store after the previous row of its sensor. If both have the same quantity in the same millisecond,
 * as after a network outage, the later one moves to the next millisecond, so that both are kept. Different quantities in
 * one millisecond become one row, because ESPHome sends each quantity in its own message. Pure.
 */
function placeAfter(before: ReadingRow | undefined, row: ReadingRow): ReadingRow {
  // If the previous row is further in the future, the clock was set back.
  if (!before || before.at < row.at || before.at - row.at >= BURST_MS) return row;
  const isApart = (row.key ?? before.key ?? null) !== null;
  if (isApart || QUANTITIES.some((quantity) => before[quantity] !== null && row[quantity] !== null))
    return { ...row, at: before.at + 1 };
  return {
    sensor_id: row.sensor_id,
    at: before.at,
    temperature: row.temperature ?? before.temperature,
    humidity: row.humidity ?? before.humidity,
    mq2: row.mq2 ?? before.mq2,
  };
}

export function createReadingWriter({ db, log }: Pick<Context, 'db' | 'log'>): ReadingWriter {
  let rows: ReadingRow[] = [];
  /** Newest row by sensor id. */
  const newest = new Map<string, ReadingRow>();
  let refusals = new Map<string, { count: number; note: RefusalNote }>();
  let said = new Map<string, Availability>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let isStopped = false;

  async function write(): Promise<void> {
    const [batch, refused, heard] = [rows, refusals, said];
    [rows, refusals, said] = [[], new Map(), new Map()];
    try {
      if (batch.length > 0) await insertReadings(db, batch);
      for (const [id, availability] of heard) await storeAvailability(db, id, availability);
      if (refused.size > 0) await writeRefusals(refused);
    } catch (error) {
      // A missing reference means that a sensor was deleted meanwhile; the next attempt skips its readings.
      if (!isMissingReference(error)) log.warn(describeFailure(error), 'readings could not be written');
      rows = [...batch, ...rows].slice(-WAITING_MAX);
      said = new Map([...heard, ...said]);
      if (!isStopped) schedule(RETRY_MS);
    }
  }

  async function writeRefusals(
    refused: ReadonlyMap<string, { count: number; note: RefusalNote }>,
  ): Promise<void> {
    await inTransaction(db, async ({ trx }) => {
      for (const [id, { count, note }] of refused) await addRefusals(trx, id, { count, ...note });
    });
  }

  function writeNow(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  }

  function schedule(ms = WRITE_AFTER_MS): void {
    timer ??= setTimeout(() => void writeNow(), ms);
  }

  return {
    add(row) {
      if (isStopped) return row.at;
      const kept = placeAfter(newest.get(row.sensor_id), row);
      newest.set(row.sensor_id, kept);
      rows.push(kept);
      if (rows.length > WAITING_MAX) rows.shift();
      schedule();
      return kept.at;
    },
    noteAvailability(sensorId, availability) {
      if (isStopped) return;
      said.set(sensorId, availability);
      schedule();
    },
    refuse(sensorId, note) {
      if (isStopped) return;
      refusals.set(sensorId, { count: (refusals.get(sensorId)?.count ?? 0) + 1, note });
      schedule();
    },
    flush: writeNow,
    async stop() {
      isStopped = true;
      await writeNow();
    },
  };
}
