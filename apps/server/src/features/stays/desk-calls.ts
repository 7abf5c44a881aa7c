/** Binds the calls of a desk without a connection: its list, what it tells later, and the conflicts of that (decision 055). */
import { deskRoutes } from '@haris/contract/http/desk';
import { deskConflictRoutes } from '@haris/contract/http/desk-conflicts';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { bind } from '../../http/bind.ts';
import { listDeskConflicts } from './desk-conflicts.ts';
import { readDeskList } from './desk-list.ts';
import { takeDeskEntries } from './offline.ts';
import { keepDeskConflicts, settleDeskConflict } from './settle-conflict.ts';

export function bindDeskCalls(app: FastifyInstance, context: Context): void {
  bind(app, context, deskRoutes.getDeskList, {
    handle: ({ actor, query }) => readDeskList(context, actor, query.revision),
  });
  bind(app, context, deskRoutes.sendDeskEntries, {
    handle: async ({ actor, body }) => ({ entries: await takeDeskEntries(context, actor, body.entries) }),
  });
  bind(app, context, deskConflictRoutes.listDeskConflicts, {
    handle: ({ actor, query }) => listDeskConflicts(context, actor, query),
  });
  bind(app, context, deskConflictRoutes.settleDeskConflict, {
    async handle({ actor, params, body: { choice, revision, note } }) {
      const asked = { id: params.id, choice, revision, note };
      return { conflict: await settleDeskConflict(context, actor, asked) };
    },
  });
  bind(app, context, deskConflictRoutes.keepDeskConflicts, {
    handle: ({ actor, body }) => keepDeskConflicts(context, actor, body.conflicts),
  });
}
