/** Temperature and air quality: each reading is judged when it arrives, one after the other. */
import { type AlarmLimit, alarmsOf } from '@haris/contract/alarms';
import type { Settings } from '@haris/contract/objects';
import { describeFailure } from '@haris/runtime/log';
import type { Context } from '../../../context.ts';
import { findOpenEpisode, findOpenIncidents } from '../../../db/incidents.ts';
import type { IncidentRow } from '../../../db/schema.ts';
import { readSettings } from '../../../db/settings.ts';
import { inTransaction, type Tx } from '../../../db/transaction.ts';
import { afterReading, type EpisodeReading, type EpisodeState, QUIET } from '../episode.ts';
import { clearIn, raiseIn, worsenIn } from '../episodes.ts';
import type { SensorReading } from '../sources.ts';

const KIND_OF = { temperature: 'temperature', mq2: 'air' } as const;
const WATCHED = ['temperature', 'mq2'] as const;
/** What another server has changed without a wake-up is read again after this. Milliseconds. */
const KNOWN_FOR_MS = 5_000;
/** Readings that wait for the database; the oldest go first, the next of the same sensor says it again. */
const WAITING_MAX = 10_000;

interface Waiting {
  readonly kind: 'temperature' | 'air';
  readonly sensorId: string;
  readonly area: string;
  readonly reading: EpisodeReading;
}

export interface AirWatch {
  take(reading: SensorReading): void;
  /** Resolves once all that was taken before is judged. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

function episodeOf(kind: 'temperature' | 'air', sensorId: string): string {
  return `${kind} ${sensorId}`;
}

/** `onChange` is called after each commit that raised or ended something. */
export function watchAir(context: Context, onChange: () => void): AirWatch {
  const { db, log, wakeup } = context;
  let settings: Settings | null = null;
  /** Of episodes that are not quiet. */
  let states = new Map<string, EpisodeState>();
  let isKnown = false;
  let knownAt = 0;
  let waiting: Waiting[] = [];
  let work: Promise<void> | null = null;

  const forget = wakeup.listen(() => {
    isKnown = false;
  });

  async function know(): Promise<Settings> {
    if (settings && isKnown && performance.now() - knownAt < KNOWN_FOR_MS) return settings;
    // Said before it is read: what comes in between is read once more.
    isKnown = true;
    knownAt = performance.now();
    try {
      settings = await readSettings(db, context.config);
      const known = new Map<string, EpisodeState>();
      for (const { episode, since } of await db.selectFrom('pending_episodes').selectAll().execute())
        known.set(episode, { phase: 'pending', since });
      for (const row of await findOpenIncidents(db, ['temperature', 'air']))
        known.set(row.episode, activeState(row));
      states = known;
      return settings;
    } catch (error) {
      isKnown = false;
      throw error;
    }
  }

  async function judge({ kind, sensorId, area, reading }: Waiting): Promise<void> {
    const limit = alarmsOf(await know(), area)[kind];
    const episode = episodeOf(kind, sensorId);
    const known = states.get(episode) ?? QUIET;
    const expected = afterReading(known, reading, limit);
    if (expected.change === 'none' && expected.state === known) return;
    const { state, change } = await inTransaction(db, (tx) =>
      judgeIn(context, tx, { kind, sensorId, area, reading }, limit),
    );
    if (state.phase === 'quiet') states.delete(episode);
    else states.set(episode, state);
    if (change !== 'none') onChange();
  }

  async function run(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift())
      try {
        await judge(next);
      } catch (error) {
        isKnown = false;
        log.error({ sensor: next.sensorId, ...describeFailure(error) }, 'a reading could not be judged');
      }
  }

  return {
    take({ sensorId, area, reading, at, truth }) {
      for (const quantity of WATCHED) {
        const value = reading[quantity];
        if (value === undefined) continue;
        waiting.push({
          kind: KIND_OF[quantity],
          sensorId,
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
      forget();
      while (work) await work;
    },
  };
}

function activeState(row: IncidentRow): EpisodeState {
  return { phase: 'active', worst: row.worst ?? Number.NEGATIVE_INFINITY, calmSince: row.calm_since };
}

/** By what the database says: another server, or this one before a restart, may have come further. */
async function judgeIn(
  context: Context,
  tx: Tx,
  { kind, sensorId, area, reading }: Waiting,
  limit: AlarmLimit,
): Promise<ReturnType<typeof afterReading>> {
  const { trx } = tx;
  const episode = episodeOf(kind, sensorId);
  const open = await findOpenEpisode(trx, episode);
  const pending = await trx
    .selectFrom('pending_episodes')
    .select('since')
    .where('episode', '=', episode)
    .executeTakeFirst();
  const before: EpisodeState = open
    ? activeState(open)
    : pending
      ? { phase: 'pending', since: pending.since }
      : QUIET;
  const after = afterReading(before, reading, limit);
  if (after.state.phase === 'pending' && after.state !== before) {
    const { since } = after.state;
    await trx
      .insertInto('pending_episodes')
      .values({ episode, since })
      .onConflict((conflict) => conflict.column('episode').doUpdateSet({ since }))
      .execute();
  }
  if (pending && after.state.phase !== 'pending')
    await trx.deleteFrom('pending_episodes').where('episode', '=', episode).execute();
  if (open && after.state.phase === 'active' && after.state.calmSince !== open.calm_since)
    await trx
      .updateTable('incidents')
      .set({ calm_since: after.state.calmSince })
      .where('id', '=', open.id)
      .execute();
  if (after.change === 'raised')
    await raiseIn(context, tx, {
      kind,
      episode,
      area,
      subject: { kind: 'sensor', id: sensorId },
      value: reading.value,
      limit: limit.from,
    });
  if (open && after.change === 'worse') await worsenIn(context, tx, open.id, reading.value);
  if (open && after.change === 'cleared') await clearIn(context, tx, open.id);
  return after;
}
