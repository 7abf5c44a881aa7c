/** Binds the calls of visitors. */
import { visitorRoutes } from '@haris/contract/http/visitors';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findVisitor, findVisitorsPage } from '../../db/visitors.ts';
import { bind } from '../../http/bind.ts';
import { presentVisitor, signIn, signOut } from './service.ts';

export function visitorFeature(app: FastifyInstance, context: Context): void {
  const { db, clock } = context;

  bind(app, context, visitorRoutes.listVisitors, {
    async handle({ query: { inside, ...request } }) {
      const now = clock.now();
      const { rows, ...page } = await findVisitorsPage(db, {
        ...request,
        ...(inside === undefined ? {} : { insideAt: now }),
      });
      return { visitors: rows.map((row) => presentVisitor(row, now)), ...page };
    },
  });
  bind(app, context, visitorRoutes.signInVisitor, {
    async handle({ actor, body }) {
      return { visitor: presentVisitor(await signIn(context, actor, body), clock.now()) };
    },
  });
  bind(app, context, visitorRoutes.signOutVisitor, {
    async find({ params }) {
      if (!(await findVisitor(db, params.id))) throw new AppError('not_found');
      return params.id;
    },
    async handle({ actor, subject }) {
      return { visitor: presentVisitor(await signOut(context, actor, subject), clock.now()) };
    },
  });
}
