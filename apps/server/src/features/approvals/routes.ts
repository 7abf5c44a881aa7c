/** Calls about the approval of a second person (decision 047). */
import { approvalRoutes } from '@haris/contract/http/approvals';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { bind } from '../../http/bind.ts';
import { decideApproval, findOwnOrDecidable, getApproval, listApprovals } from './service.ts';

export function approvalFeature(app: FastifyInstance, context: Context): void {
  bind(app, context, approvalRoutes.listApprovals, {
    handle: async ({ actor }) => ({ approvals: await listApprovals(context, actor) }),
  });
  bind(app, context, approvalRoutes.getApproval, {
    handle: async ({ actor, params }) => ({ approval: await getApproval(context, actor, params.id) }),
  });
  bind(app, context, approvalRoutes.decideApproval, {
    find: ({ actor, params }) => findOwnOrDecidable(context, actor, params.id),
    handle: async ({ actor, subject, body }) => ({
      approval: await decideApproval(
        context,
        actor,
        subject,
        body.decision === 'approve' ? 'approved' : 'refused',
      ),
    }),
  });
  bind(app, context, approvalRoutes.withdrawApproval, {
    find: ({ actor, params }) => findOwnOrDecidable(context, actor, params.id),
    handle: async ({ actor, subject }) => ({
      approval: await decideApproval(context, actor, subject, 'withdrawn'),
    }),
  });
}
