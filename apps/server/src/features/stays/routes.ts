/** Binds check-in, checkout, the undo of both, and the look-up of an entry slip. */
import { IDEMPOTENCY_KEY_HEADER } from '@haris/contract/constants';
import { entryPeriodSchema } from '@haris/contract/fields';
import { childRoutes } from '@haris/contract/http/children';
import { kioskRoutes } from '@haris/contract/http/kiosk';
import { stayRoutes } from '@haris/contract/http/stays';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findChild } from '../../db/children.ts';
import { findKioskRequest } from '../../db/kiosk-requests.ts';
import { prepareRelease } from '../../hand-over/release.ts';
import { bind } from '../../http/bind.ts';
import { undoCheckIn, undoCheckOut } from './corrections.ts';
import { bindDeskCalls } from './desk-calls.ts';
import { admitLookup, getEntry } from './entries.ts';
import { extendStay, undoExtension } from './extension.ts';
import { listStays } from './history.ts';
import { checkIn, checkOut } from './service.ts';

export function stayFeature(app: FastifyInstance, context: Context): void {
  const childById = async ({ params }: { params: { id: string } }): Promise<string> => {
    if (!(await findChild(context.db, params.id))) throw new AppError('not_found');
    return params.id;
  };
  bind(app, context, childRoutes.checkInChild, {
    find: childById,
    handle: ({ actor, subject, body, headers }) => {
      const { durationInMinutes, end, confirm = false, revision, roomId, overCapacityReason } = body;
      const key = headers[IDEMPOTENCY_KEY_HEADER] ?? null;
      const door = { confirm, revision, roomId, overCapacityReason };
      return checkIn(context, actor, subject, end ?? durationInMinutes, key, door);
    },
  });
  bind(app, context, childRoutes.checkOutChild, {
    find: childById,
    async handle({ actor, subject, body, headers }) {
      const release = await prepareRelease(context, actor, body);
      return checkOut(context, actor, subject, headers[IDEMPOTENCY_KEY_HEADER] ?? null, { release });
    },
  });
  bind(app, context, kioskRoutes.acceptKioskRequest, {
    async find({ params }) {
      const asked = await findKioskRequest(context.db, params.id);
      if (!asked) throw new AppError('not_found');
      return asked;
    },
    async handle({ actor, subject, body, headers }) {
      const key = headers[IDEMPOTENCY_KEY_HEADER] ?? null;
      const { child_id, kind, duration } = subject;
      const { confirm = false, end, ...rest } = body;
      const { collectorId, version, proof, document, isBarred, notBarred, ...door } = rest;
      if (kind === 'pick_up') {
        const asked = { collectorId, version, proof, document, isBarred, notBarred };
        const release = await prepareRelease(context, actor, asked);
        return checkOut(context, actor, child_id, key, { asked: subject, release });
      }
      const period = entryPeriodSchema.parse(duration);
      return checkIn(context, actor, child_id, end ?? period, key, {
        revision: undefined,
        ...door,
        confirm,
        asked: subject,
      });
    },
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
  bind(app, context, stayRoutes.extendStay, {
    find: childById,
    handle: ({ actor, subject, body, headers }) =>
      extendStay(context, actor, {
        ...body,
        childId: subject,
        key: headers[IDEMPOTENCY_KEY_HEADER] ?? null,
      }),
  });
  bind(app, context, stayRoutes.undoExtendStay, {
    find: childById,
    handle: ({ actor, subject, body, headers }) =>
      undoExtension(context, actor, {
        childId: subject,
        due: body.due,
        key: headers[IDEMPOTENCY_KEY_HEADER] ?? null,
      }),
  });
  bindDeskCalls(app, context);
  bind(app, context, stayRoutes.listStays, {
    find: childById,
    handle: ({ actor, subject, query }) => listStays(context, actor, subject, query),
  });
  bind(app, context, stayRoutes.findEntry, {
    admit: ({ actor }) => admitLookup(context, actor),
    handle: async ({ actor, body }) => ({ entry: await getEntry(context, actor, body.uniqueEntryId) }),
  });
}
