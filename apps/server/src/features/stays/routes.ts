/** Binds check-in, checkout, their undoing, and the look-up of an entry slip. */
import { IDEMPOTENCY_KEY_HEADER } from '@haris/contract/constants';
import { childRoutes } from '@haris/contract/http/children';
import { stayRoutes } from '@haris/contract/http/stays';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findChild } from '../../db/children.ts';
import { bind } from '../../http/bind.ts';
import { undoCheckIn, undoCheckOut } from './corrections.ts';
import { admitLookup, getEntry } from './entries.ts';
import { checkIn, checkOut } from './service.ts';

export function stayFeature(app: FastifyInstance, context: Context): void {
  const childById = async ({ params }: { params: { id: string } }): Promise<string> => {
    if (!(await findChild(context.db, params.id))) throw new AppError('not_found');
    return params.id;
  };
  bind(app, context, childRoutes.checkInChild, {
    find: childById,
    handle: ({ actor, subject, body, headers }) => {
      const { durationInMinutes, confirm = false, revision } = body;
      const key = headers[IDEMPOTENCY_KEY_HEADER] ?? null;
      return checkIn(context, actor, subject, durationInMinutes, key, { confirm, revision });
    },
  });
  bind(app, context, childRoutes.checkOutChild, {
    find: childById,
    handle: ({ actor, subject, headers }) =>
      checkOut(context, actor, subject, headers[IDEMPOTENCY_KEY_HEADER] ?? null),
  });
  for (const [route, undo] of [
    [stayRoutes.undoCheckInChild, undoCheckIn],
    [stayRoutes.undoCheckOutChild, undoCheckOut],
  ] as const)
    bind(app, context, route, {
      find: childById,
      handle: ({ actor, subject, body, headers }) =>
        undo(context, actor, {
          childId: subject,
          entryId: body.uniqueEntryId,
          key: headers[IDEMPOTENCY_KEY_HEADER] ?? null,
        }),
    });
  bind(app, context, stayRoutes.findEntry, {
    admit: ({ actor }) => admitLookup(context, actor),
    handle: async ({ body }) => ({ entry: await getEntry(context, body.uniqueEntryId) }),
  });
}
