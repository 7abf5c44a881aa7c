/** Binds the calls of rooms. */
import { roomRoutes } from '@haris/contract/http/rooms';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findChildrenByIds } from '../../db/children.ts';
import { findRoom } from '../../db/rooms.ts';
import { inTransaction } from '../../db/transaction.ts';
import { currentFacility } from '../../facility.ts';
import { bind } from '../../http/bind.ts';
import { presentChild } from '../../http/present.ts';
import { moveChildrenIn } from '../../rooms/move.ts';
import { readRooms } from '../../rooms/state.ts';
import { setPresence } from './presence.ts';
import { createRoom, deleteRoom, getRoom, updateRoom } from './service.ts';

export function roomFeature(app: FastifyInstance, context: Context): void {
  const roomById = async ({ params }: { params: { id: string } }): Promise<string> => {
    if (!(await findRoom(context.db, currentFacility(), params.id))) throw new AppError('not_found');
    return params.id;
  };

  bind(app, context, roomRoutes.listRooms, {
    handle: async () => ({ rooms: await readRooms(context.db, context, currentFacility()) }),
  });
  bind(app, context, roomRoutes.createRoom, {
    async handle({ actor, body }) {
      const id = await createRoom(context, actor, currentFacility(), body);
      return { room: await getRoom(context, currentFacility(), id) };
    },
  });
  bind(app, context, roomRoutes.updateRoom, {
    find: roomById,
    async handle({ actor, subject, body }) {
      await updateRoom(context, actor, currentFacility(), subject, body);
      return { room: await getRoom(context, currentFacility(), subject) };
    },
  });
  bind(app, context, roomRoutes.deleteRoom, {
    find: roomById,
    async handle({ actor, subject }) {
      await deleteRoom(context, actor, currentFacility(), subject);
      return { message: 'Room deleted' };
    },
  });
  bind(app, context, roomRoutes.setPresence, {
    find: roomById,
    async handle({ actor, subject, body }) {
      await setPresence(context, actor, currentFacility(), subject, body.presence);
      return { room: await getRoom(context, currentFacility(), subject) };
    },
  });
  bind(app, context, roomRoutes.moveChildren, {
    async handle({ actor, body }) {
      await inTransaction(context.db, (tx) => moveChildrenIn(context, tx, actor, currentFacility(), body));
      const children = await findChildrenByIds(context.db, body.childIds);
      return {
        message: 'Children moved',
        children: children.map((child) => presentChild(child, actor)),
        room: await getRoom(context, currentFacility(), body.roomId),
      };
    },
  });
}
