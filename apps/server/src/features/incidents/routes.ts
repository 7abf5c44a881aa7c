/** Binds the calls of incidents, missing children, evacuations and head counts, and opens the incident engine. */
import { deskRoutes } from '@haris/contract/http/desk';
import { incidentRoutes } from '@haris/contract/http/incidents';
import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { findChild } from '../../db/children.ts';
import { findIncidentsPage } from '../../db/incident-pages.ts';
import { findIncident } from '../../db/incidents.ts';
import type { IncidentRow } from '../../db/schema.ts';
import { findFacilitiesInside } from '../../db/stays.ts';
import { bind } from '../../http/bind.ts';
import { type IncidentEngine, openIncidents } from './engine.ts';
import {
  endEvacuation,
  findEvacuation,
  keepTicks,
  presentEvacuation,
  startEvacuation,
} from './evacuation.ts';
import { bindHeadCounts } from './head-count-routes.ts';
import { acknowledge, acknowledgeMany } from './lifecycle.ts';
import { markChildFound, reportMissingChild } from './missing-child.ts';
import { KINDS_FOR_FIRST, KINDS_FOR_GUARDIANS, KINDS_FOR_PARENTS_INSIDE, kindsOf } from './policy.ts';
import { presentIncidents } from './present.ts';
import { presentRollCall } from './roll-call.ts';
import type { IncidentSources } from './sources.ts';

/** Stop it before closing the app. */
export function incidentFeature(
  app: FastifyInstance,
  context: Context,
  sources: IncidentSources,
): IncidentEngine {
  const engine = openIncidents(context, sources);
  bindIncidents(app, context);
  bindAcknowledgements(app, context);
  bindMissingChildren(app, context, engine.notifySoon);
  bindEvacuations(app, context, engine.notifySoon);
  bindHeadCounts(app, context, engine.notifySoon);
  return engine;
}

function bindIncidents(app: FastifyInstance, context: Context): void {
  const { db } = context;
  const incidentById = async ({ params }: { params: { id: string } }): Promise<string> => {
    if ((await findIncident(db, params.id))?.for_staff !== 1) throw new AppError('not_found');
    return params.id;
  };

  bind(app, context, incidentRoutes.listIncidents, {
    async handle({ actor, query }) {
      const { rows, ...page } = await findIncidentsPage(db, {
        limit: query.limit,
        cursor: query.cursor,
        onlyOpen: query.state === 'open',
        kinds: kindsOf(query),
        area: query.area,
        ...(actor.kind === 'parent'
          ? {
              parent: {
                id: actor.id,
                kindsOfGuardian: KINDS_FOR_GUARDIANS,
                kindsOfFirst: KINDS_FOR_FIRST,
                kindsInside: KINDS_FOR_PARENTS_INSIDE,
                inside: await findFacilitiesInside(db, actor.id),
              },
            }
          : {}),
      });
      return { incidents: await presentIncidents(context, actor, rows), ...page };
    },
  });
  bind(app, context, incidentRoutes.acknowledgeIncident, {
    find: incidentById,
    async handle({ actor, subject, body }) {
      const row = await acknowledge(context, actor, subject, body.note);
      const [incident] = await presentIncidents(context, actor, [row]);
      if (!incident) throw new AppError('not_found');
      return { incident };
    },
  });
}

function bindAcknowledgements(app: FastifyInstance, context: Context): void {
  bind(app, context, incidentRoutes.acknowledgeIncidents, {
    async handle({ actor, body: { ids, filter = {}, shown, note } }) {
      const choice = ids === undefined ? { kinds: kindsOf(filter), area: filter.area } : { ids };
      const { rows, left } = await acknowledgeMany(context, actor, choice, { note, shown });
      return { incidents: await presentIncidents(context, actor, rows), left };
    },
  });
}

function bindMissingChildren(app: FastifyInstance, context: Context, notifySoon: () => void): void {
  const { db } = context;
  const presentOne = async (actor: Actor, row: IncidentRow) => {
    const [incident] = await presentIncidents(context, actor, [row]);
    if (!incident) throw new AppError('not_found');
    return { incident };
  };
  bind(app, context, incidentRoutes.reportMissingChild, {
    async find({ params }): Promise<string> {
      if (!(await findChild(db, params.id))) throw new AppError('not_found');
      return params.id;
    },
    async handle({ actor, subject }) {
      const row = await reportMissingChild(context, actor, subject);
      notifySoon();
      return presentOne(actor, row);
    },
  });
  bind(app, context, incidentRoutes.markChildFound, {
    async find({ params }): Promise<string> {
      if ((await findIncident(db, params.id))?.kind !== 'missing_child') throw new AppError('not_found');
      return params.id;
    },
    async handle({ actor, subject, body }) {
      const row = await markChildFound(context, actor, subject, body.note);
      notifySoon();
      return presentOne(actor, row);
    },
  });
}

function bindEvacuations(app: FastifyInstance, context: Context, notifySoon: () => void): void {
  const { db } = context;
  const evacuationById = async ({ params }: { params: { id: string } }): Promise<string> => {
    if ((await findIncident(db, params.id))?.kind !== 'evacuation') throw new AppError('not_found');
    return params.id;
  };
  const presentById = async (actor: Actor, id: string) => {
    const row = await findIncident(db, id);
    if (!row) throw new AppError('not_found');
    return { evacuation: await presentEvacuation(context, actor, row) };
  };

  bind(app, context, incidentRoutes.startEvacuation, {
    async handle({ actor, body }) {
      const row = await startEvacuation(context, actor, body.note);
      notifySoon();
      return { evacuation: await presentEvacuation(context, actor, row) };
    },
  });
  bind(app, context, deskRoutes.startDeskEvacuation, {
    async handle({ actor }) {
      const row = await startEvacuation(context, actor, undefined);
      notifySoon();
      return { startedAt: toMoment(row.raised_at) };
    },
  });
  bind(app, context, incidentRoutes.getEvacuation, {
    async handle({ actor }) {
      const row = await findEvacuation(context);
      return { evacuation: row ? await presentEvacuation(context, actor, row) : null };
    },
  });
  bind(app, context, incidentRoutes.getRollCall, {
    handle: async ({ actor }) => ({ rollCall: await presentRollCall(context, actor) }),
  });
  bind(app, context, incidentRoutes.sendEvacuationTicks, {
    find: evacuationById,
    async handle({ actor, subject, body }) {
      await keepTicks(context, actor, subject, {
        device: body.device,
        ticks: body.ticks.map((tick) => ({ ...tick, at: Date.parse(tick.at) })),
      });
      return presentById(actor, subject);
    },
  });
  bind(app, context, incidentRoutes.endEvacuation, {
    find: evacuationById,
    async handle({ actor, subject, body }) {
      await endEvacuation(context, actor, subject, body.note);
      notifySoon();
      return presentById(actor, subject);
    },
  });
}
