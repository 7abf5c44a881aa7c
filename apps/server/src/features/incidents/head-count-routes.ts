/** Binds the calls of head counts, and presents them. */
import { HEAD_COUNT_ALERT_MS, HEAD_COUNT_OPEN_MS } from '@haris/contract/constants';
import { type HeadCount, headCountRoutes } from '@haris/contract/http/head-counts';
import { photoPath } from '@haris/contract/http/photos';
import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { findCountedChildren, findHeadCount, findOpenHeadCounts } from '../../db/head-counts.ts';
import { findOpenIncidents } from '../../db/incidents.ts';
import type { HeadCountRow } from '../../db/schema.ts';
import { findLastSeen, type LastSeen } from '../../db/sightings.ts';
import { findNames } from '../../db/subject-names.ts';
import { currentFacility } from '../../facility.ts';
import { bind } from '../../http/bind.ts';
import { may } from '../../policy.ts';
import { endHeadCount, isOpenCount, startHeadCount, stateOfChild, tickHeadCount } from './head-counts.ts';

const NOT_SEEN: ReadonlyMap<string, LastSeen> = new Map();

/** `notifySoon`: passes on the dangers that a call has raised or ended. */
export function bindHeadCounts(app: FastifyInstance, context: Context, notifySoon: () => void): void {
  const { db, clock } = context;
  const countById = async ({ params }: { params: { id: string } }): Promise<string> => {
    if (!(await findHeadCount(db, params.id))) throw new AppError('not_found');
    return params.id;
  };
  const presentOne = async (actor: Actor, row: HeadCountRow) => {
    const [headCount] = await presentHeadCounts(context, actor, [row]);
    if (!headCount) throw new AppError('not_found');
    return { headCount };
  };

  bind(app, context, headCountRoutes.listHeadCounts, {
    async handle({ actor }) {
      const rows = await findOpenHeadCounts(db, clock.now() - HEAD_COUNT_OPEN_MS);
      return { headCounts: await presentHeadCounts(context, actor, rows) };
    },
  });
  bind(app, context, headCountRoutes.startHeadCount, {
    handle: async ({ actor, body }) =>
      presentOne(actor, await startHeadCount(context, actor, currentFacility(), body)),
  });
  bind(app, context, headCountRoutes.getHeadCount, {
    find: countById,
    async handle({ actor, subject }) {
      const row = await findHeadCount(db, subject);
      if (!row) throw new AppError('not_found');
      return presentOne(actor, row);
    },
  });
  bind(app, context, headCountRoutes.tickHeadCount, {
    find: countById,
    async handle({ actor, subject, params: { childId }, body: { state } }) {
      const row = await tickHeadCount(context, actor, currentFacility(), subject, { childId, state });
      notifySoon();
      return presentOne(actor, row);
    },
  });
  bind(app, context, headCountRoutes.endHeadCount, {
    find: countById,
    async handle({ actor, subject, body }) {
      const row = await endHeadCount(context, actor, currentFacility(), subject, body);
      notifySoon();
      return presentOne(actor, row);
    },
  });
}

async function presentHeadCounts(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  rows: readonly HeadCountRow[],
): Promise<HeadCount[]> {
  const children = await findCountedChildren(
    db,
    rows.map(({ id }) => id),
  );
  const childIds = [...new Set(children.map(({ child_id }) => child_id))];
  const lastSeen = may(actor, 'sightings.view') ? await findLastSeen(db, childIds) : NOT_SEEN;
  const searches = new Map(
    (await findOpenIncidents(db, ['missing_child'])).map((row) => [row.subject_id, row.id]),
  );
  const names = await findNames(db, [
    ...rows.flatMap((row) => [
      { kind: 'admin', id: row.started_by },
      { kind: 'admin', id: row.ended_by },
      { kind: 'room', id: row.from_room_id },
      { kind: 'room', id: row.to_room_id },
    ]),
    ...children.map(({ by_id }) => ({ kind: 'admin', id: by_id })),
  ]);
  /** Null for who is deleted, and for nobody. */
  const person = (id: string | null) => {
    const name = names.of({ kind: 'admin', id })?.name;
    return id === null || name === undefined ? null : { _id: id, name };
  };
  const room = (id: string) => ({ _id: id, name: names.of({ kind: 'room', id })?.name ?? null });
  const ofCount = Map.groupBy(children, ({ count_id }) => count_id);
  const now = clock.now();
  return rows.map((row) => ({
    _id: row.id,
    from: room(row.from_room_id),
    to: room(row.to_room_id),
    state: row.outcome ?? (isOpenCount(row, now) ? 'open' : 'over'),
    startedAt: toMoment(row.started_at),
    startedBy: person(row.started_by),
    alertsAt: toMoment(row.started_at + HEAD_COUNT_ALERT_MS),
    endedAt: row.ended_at === null ? null : toMoment(row.ended_at),
    endedBy: person(row.ended_by),
    children: (ofCount.get(row.id) ?? []).map((child) => {
      const state = stateOfChild(child, row);
      const seen = lastSeen.get(child.child_id);
      const incidentId = searches.get(child.child_id) ?? null;
      const hasWord = child.state !== null && child.at !== null;
      return {
        childId: child.child_id,
        name: child.name,
        photo: child.photo_id && photoPath(child.photo_id),
        ...(child.photo_confirmed_at === null || child.name_confirmed_at === null
          ? { unconfirmed: true as const }
          : {}),
        state,
        isAdded: child.is_added === 1,
        room: child.here_elsewhere === 1 && state === 'elsewhere' ? null : child.room_name,
        by: hasWord ? person(child.by_id) : null,
        at: hasWord && child.at !== null ? toMoment(child.at) : null,
        incidentId,
        isFound: child.state === null && child.alerted_at !== null && incidentId === null,
        lastSeen: seen ? { area: seen.area, at: toMoment(seen.at) } : null,
      };
    }),
  }));
}
