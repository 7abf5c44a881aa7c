/** Detects children not seen, and lists sightings for staff. */

import { cameraRoutes } from '@haris/contract/http/cameras';
import { describeFailure } from '@haris/runtime/log';
import type { FastifyInstance } from 'fastify';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { findCameras } from '../../db/cameras.ts';
import { atEachFacility } from '../../db/facilities.ts';
import { recordReading } from '../../db/read-audit.ts';
import { findSightingsPage } from '../../db/sightings.ts';
import { bind } from '../../http/bind.ts';
import { announceNotSeen } from './service.ts';
import { openTracks } from './tracks.ts';

const NOT_SEEN_EVERY_MS = 5_000;
export function sightingFeature(app: FastifyInstance, context: Context): { stop(): Promise<void> } {
  const tracks = openTracks(context);
  /** Since when at least one camera of an area has been live, by facility and area. */
  const liveSince = new Map<string, ReadonlyMap<string, number>>();

  async function lookAt(facility: string): Promise<void> {
    const rows = context.live.isUp() ? await findCameras(context.db) : [];
    const live = rows.filter((row) => row.enabled === 1 && context.live.report(row.id)?.state === 'live');
    const now = context.clock.now();
    const before = liveSince.get(facility);
    const areas = new Map(live.map(({ area }) => [area, before?.get(area) ?? now]));
    liveSince.set(facility, areas);
    await announceNotSeen(context, areas);
  }

  let looking: Promise<void> | null = null;
  const timer = setInterval(() => {
    looking ??= atEachFacility(context.db, lookAt)
      .catch((error: unknown) => context.log.warn(describeFailure(error), 'nobody could be missed'))
      .finally(() => {
        looking = null;
      });
  }, NOT_SEEN_EVERY_MS);
  timer.unref();
  const stopListening = context.live.onSeen(tracks.take);

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
      await tracks.settled();
    },
  };
}
