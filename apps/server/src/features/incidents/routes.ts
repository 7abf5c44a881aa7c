/** Binds the calls of incidents and evacuations to the engine. */
import { incidentRoutes } from '@haris/contract/http/incidents';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { hasChildInside } from '../../db/children.ts';
import { findIncident, findIncidentsPage } from '../../db/incidents.ts';
import { bind } from '../../http/bind.ts';
import { type IncidentEngine, openIncidents } from './engine.ts';
import { acknowledge } from './episodes.ts';
import {
  endEvacuation,
  findEvacuation,
  keepTicks,
  presentEvacuation,
  startEvacuation,
} from './evacuation.ts';
import { KINDS_FOR_PARENTS_INSIDE } from './policy.ts';
import { presentIncidents } from './present.ts';
import type { IncidentSources } from './sources.ts';

/** Stop it before the app closes. */
export function incidentFeature(
  app: FastifyInstance,
  context: Context,
  sources: IncidentSources,
): IncidentEngine {
  const { db } = context;
  const engine = openIncidents(context, sources);

  const incidentById = async ({ params }: { params: { id: string } }): Promise<string> => {
    if (!(await findIncident(db, params.id))) throw new AppError('not_found');
    return params.id;
  };
  const evacuationById = async ({ params }: { params: { id: string } }): Promise<string> => {
    if ((await findIncident(db, params.id))?.kind !== 'evacuation') throw new AppError('not_found');
    return params.id;
  };
  const presentById = async (id: string) => {
    const row = await findIncident(db, id);
    if (!row) throw new AppError('not_found');
    return { evacuation: await presentEvacuation(context, row) };
  };

  bind(app, context, incidentRoutes.listIncidents, {
    async handle({ actor, query }) {
      const { rows, ...page } = await findIncidentsPage(db, {
        limit: query.limit,
        cursor: query.cursor,
        onlyOpen: query.state === 'open',
        ...(actor.kind === 'parent'
          ? {
              parent: {
                id: actor.id,
                kindsInside: (await hasChildInside(db, actor.id)) ? KINDS_FOR_PARENTS_INSIDE : [],
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

  bind(app, context, incidentRoutes.startEvacuation, {
    async handle({ actor, body }) {
      const row = await startEvacuation(context, actor, body.note);
      engine.tellSoon();
      return { evacuation: await presentEvacuation(context, row) };
    },
  });
  bind(app, context, incidentRoutes.getEvacuation, {
    async handle() {
      const row = await findEvacuation(context);
      return { evacuation: row ? await presentEvacuation(context, row) : null };
    },
  });
  bind(app, context, incidentRoutes.sendEvacuationTicks, {
    find: evacuationById,
    async handle({ actor, subject, body }) {
      await keepTicks(context, actor, subject, {
        device: body.device,
        ticks: body.ticks.map((tick) => ({ ...tick, at: Date.parse(tick.at) })),
      });
      return presentById(subject);
    },
  });
  bind(app, context, incidentRoutes.endEvacuation, {
    find: evacuationById,
    async handle({ actor, subject, body }) {
      await endEvacuation(context, actor, subject, body.note);
      engine.tellSoon();
      return presentById(subject);
    },
  });
  return engine;
}
