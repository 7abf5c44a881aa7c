/** Writes readings and refusals in batches, so that many devices cost few transactions. */
import type { Refusal } from '@haris/contract/http/sensors';
import { QUANTITIES } from '@haris/contract/live/readings';
import { describeFailure } from '@haris/runtime/log';
import type { Context } from '../../context.ts';
import { insertReadings, type ReadingRow } from '../../db/sensor-readings.ts';
import { type Availability, noteAvailability } from '../../db/sensor-states.ts';
import { inTransaction, isMissingReference } from '../../db/transaction.ts';

/** A batch is written this long after its first reading. Milliseconds. */
const WRITE_AFTER_MS = 100;
/** Readings that wait for a database that is away; the oldest go first. */
const WAITING_MAX = 100_000;
/** A batch that could not be written is tried again after this. Milliseconds. */
const RETRY_MS = 1_000;
/** Readings of one sensor that came at once are put at most this far after one another. Milliseconds. */
const BURST_MS = 1_000;

export interface RefusalNote {
  readonly reason: Refusal;
  readonly at: number;
}

export interface ReadingWriter {
  /** What cannot be written is tried again. Answers the moment under which it will be kept. */
  add(row: ReadingRow): number;
  /** Tells the other servers of the database what the device, or its last will, has said. */
  noteAvailability(sensorId: string, said: Availability): void;
  refuse(sensorId: string, note: RefusalNote): void;
  /** Resolves once all that was added before is written, or could not be. */
  flush(): Promise<void>;
  /** Writes what waits, once, and stops. */
  stop(): Promise<void>;
}

/**
 * The row as it is kept beside the one before it of the same sensor. Two that say the same thing and came in one
 * millisecond, as they do after a network or this server has paused, are two: the later gets the next millisecond. What
 * comes in parts, as ESPHome sends it, stays one. Pure.
 */
function besideOf(before: ReadingRow | undefined, row: ReadingRow): ReadingRow {
  // Further ahead, the clock was set back, and the row before says nothing.
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
  /** The newest row of each sensor. */
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
      for (const [id, availability] of heard) await noteAvailability(db, id, availability);
      if (refused.size > 0) await writeRefusals(refused);
    } catch (error) {
      // A sensor was removed between the look and the write: the next look does not find it.
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
      for (const [id, { count, note }] of refused)
        await trx
          .updateTable('sensors')
          .set((eb) => ({
            refused_count: eb('refused_count', '+', count),
            refused_at: note.at,
            refused_reason: note.reason,
          }))
          .where('id', '=', id)
          .execute();
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
      const kept = besideOf(newest.get(row.sensor_id), row);
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
