/** Listens to whom the cameras see, keeps it track by track, and shows it to staff. */
import { cameraRoutes } from '@haris/contract/http/cameras';
import { describeFailure } from '@haris/runtime/log';
import type { FastifyInstance } from 'fastify';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { findCameras } from '../../db/cameras.ts';
import { recordReading } from '../../db/readings.ts';
import { findSightingsPage } from '../../db/sightings.ts';
import { bind } from '../../http/bind.ts';
import type { SeenNote } from '../../vision/live-link.ts';
import { announceNotSeen, recordSighting } from './service.ts';

/** A track that goes on is written this often: what a crash may lose of its end. Milliseconds. */
const WRITE_EVERY_MS = 10_000;
/** A track of which nothing was said for this long is over, whatever became of its end. Milliseconds. */
const FORGOTTEN_AFTER_MS = 60_000;
const NOT_SEEN_EVERY_MS = 5_000;
/** Notes that wait for the database; what comes on top is dropped, the next of the same track says it again. */
const WAITING_MOST = 1_000;

interface Track {
  writtenAt: number | null;
  toldAt: number;
}

export function sightingFeature(app: FastifyInstance, context: Context): { stop(): Promise<void> } {
  const tracks = new Map<string, Track>();
  let work: Promise<void> = Promise.resolve();
  let waiting = 0;
  let liveSince: number | null = null;

  const report = (error: unknown): void =>
    context.log.warn(describeFailure(error), 'a sighting could not be kept');

  function take(note: SeenNote): void {
    if (note.subjectId === null) return;
    const now = context.clock.now();
    for (const [key, track] of tracks) if (now - track.toldAt > FORGOTTEN_AFTER_MS) tracks.delete(key);
    const name = `${note.trackId} ${note.from}`;
    const key = `${note.cameraId} ${note.subjectId} ${name}`;
    const track = tracks.get(key) ?? { writtenAt: null, toldAt: now };
    track.toldAt = now;
    if (note.ended) tracks.delete(key);
    else tracks.set(key, track);
    const due = track.writtenAt === null || note.ended || now - track.writtenAt >= WRITE_EVERY_MS;
    if (!due || waiting >= WAITING_MOST) return;
    track.writtenAt = now;
    waiting++;
    const seen = {
      childId: note.subjectId,
      cameraId: note.cameraId,
      track: name,
      // The engine's clock may be another than ours: only how long the track has lasted is taken from it.
      from: now - Math.max(0, note.to - note.from),
      to: now,
      confidence: note.confidence,
    };
    work = work
      .then(() => recordSighting(context, seen))
      .catch(report)
      .finally(() => {
        waiting--;
      });
  }

  /** Whether a camera looks at all, since when. */
  async function look(): Promise<void> {
    const rows = context.live.isUp() ? await findCameras(context.db) : [];
    const live = rows.some((row) => row.enabled === 1 && context.live.report(row.id)?.state === 'live');
    if (!live) liveSince = null;
    else liveSince ??= context.clock.now();
    if (liveSince !== null) await announceNotSeen(context, liveSince);
  }

  let looking: Promise<void> | null = null;
  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => context.log.warn(describeFailure(error), 'nobody could be missed'))
      .finally(() => {
        looking = null;
      });
  }, NOT_SEEN_EVERY_MS);
  timer.unref();
  const stopListening = context.live.onSeen(take);

  bind(app, context, cameraRoutes.listSightings, {
    async handle({ actor, query }) {
      const { since, childId } = query;
      const page = await findSightingsPage(context.db, {
        limit: query.limit,
        cursor: query.cursor,
        childId,
        since: since === undefined ? undefined : Date.parse(since),
      });
      if (query.cursor === undefined)
        await recordReading(context, actor, {
          action: 'sightings.read',
          ...(childId === undefined ? {} : { subject: { kind: 'child', id: childId } }),
        });
      return {
        sightings: page.rows.map((row) => ({
          childId: row.child_id,
          cameraId: row.camera_id,
          area: row.area,
          from: toMoment(row.from_at),
          to: toMoment(row.to_at),
          confidence: row.confidence,
        })),
        total: page.total,
        nextCursor: page.nextCursor,
      };
    },
  });

  return {
    async stop() {
      clearInterval(timer);
      stopListening();
      await looking;
      await work;
    },
  };
}
