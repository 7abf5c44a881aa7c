/** Temperature and air quality: judges readings as they arrive, one after the other. */
import { type AlarmLimit, alarmsOf } from '@haris/contract/alarms';
import { describeFailure } from '@haris/runtime/log';
import type { Context } from '../../../context.ts';
import { findOpenIncidentFor, setCalmSince } from '../../../db/incidents.ts';
import { findPendingSince, setPendingSince } from '../../../db/pending-conditions.ts';
import { inTransaction, type Tx } from '../../../db/transaction.ts';
import { inFacility } from '../../../facility.ts';
import { afterReading, type ConditionState, QUIET, type ReadingValue } from '../condition.ts';
import { clearIn, raiseIn, worsenIn } from '../lifecycle.ts';
import type { SensorReading } from '../sources.ts';
import { activeState, openKnownStates } from './air-states.ts';

const KIND_OF = { temperature: 'temperature', mq2: 'air' } as const;
const WATCHED = ['temperature', 'mq2'] as const;
/** Maximum of readings that wait for the database. Beyond it, the oldest are dropped: the next reading replaces them. */
const WAITING_MAX = 10_000;

interface Waiting {
  readonly kind: 'temperature' | 'air';
  readonly sensorId: string;
  readonly facility: string;
  readonly area: string;
  readonly reading: ReadingValue;
}

export interface AirWatch {
  take(reading: SensorReading): void;
  /** Resolves once all earlier readings are judged. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

function conditionOf(kind: 'temperature' | 'air', sensorId: string): string {
  return `${kind} ${sensorId}`;
}

/** `onChange` is called after each commit that opened or ended an incident. */
export function watchAir(context: Context, onChange: () => void): AirWatch {
  const { db, log } = context;
  const known = openKnownStates(context);
  let waiting: Waiting[] = [];
  let work: Promise<void> | null = null;

  async function judge({ kind, sensorId, facility, area, reading }: Waiting): Promise<void> {
    const limit = alarmsOf(await known.read(facility), area)[kind];
    const condition = conditionOf(kind, sensorId);
    const before = known.get(condition);
    const expected = afterReading(before, reading, limit);
    // Most readings change nothing and need no transaction.
    if (expected.change === 'none' && expected.state === before) return;
    const { state, change } = await inTransaction(db, (tx) =>
      judgeIn(context, tx, { kind, sensorId, facility, area, reading }, limit),
    );
    known.set(condition, state);
    if (change !== 'none') onChange();
  }

  async function run(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift())
      try {
        await inFacility(next.facility, () => judge(next));
      } catch (error) {
        known.forget();
        log.error({ sensor: next.sensorId, ...describeFailure(error) }, 'a reading could not be judged');
      }
  }

  return {
    take({ sensorId, facility, area, reading, at, truth }) {
      for (const quantity of WATCHED) {
        const value = reading[quantity];
        if (value === undefined) continue;
        waiting.push({
          kind: KIND_OF[quantity],
          sensorId,
          facility,
          area,
          reading: { value, at, isBelievable: truth[quantity] === 'live' },
        });
        if (waiting.length > WAITING_MAX) waiting = waiting.slice(-WAITING_MAX);
      }
      work ??= run().finally(() => {
        work = null;
      });
    },
    async settled() {
      while (work) await work;
    },
    async stop() {
      known.stop();
      while (work) await work;
    },
  };
}

/** Judges by the state in the database, which may be newer because of another server or a restart. */
async function judgeIn(
  context: Context,
  tx: Tx,
  { kind, sensorId, area, reading }: Waiting,
  limit: AlarmLimit,
): Promise<ReturnType<typeof afterReading>> {
  const { trx } = tx;
  const condition = conditionOf(kind, sensorId);
  const open = await findOpenIncidentFor(trx, condition);
  const pendingSince = await findPendingSince(trx, condition);
  const before: ConditionState = open
    ? activeState(open)
    : pendingSince === null
      ? QUIET
      : { phase: 'pending', since: pendingSince };
  const after = afterReading(before, reading, limit);
  if (after.state.phase === 'pending' && after.state !== before)
    await setPendingSince(trx, condition, after.state.since);
  if (pendingSince !== null && after.state.phase !== 'pending') await setPendingSince(trx, condition, null);
  if (open && after.state.phase === 'active' && after.state.calmSince !== open.calm_since)
    await setCalmSince(trx, open.id, after.state.calmSince);
  if (after.change === 'raised')
    await raiseIn(context, tx, {
      kind,
      condition,
      area,
      subject: { kind: 'sensor', id: sensorId },
      value: reading.value,
      limit: limit.from,
    });
  if (open && after.change === 'worse') await worsenIn(context, tx, open.id, reading.value);
  if (open && after.change === 'cleared') await clearIn(context, tx, open.id);
  return after;
}
