/** Issues tickets that open a photo, a video or the sensors' socket once, for clients that cannot send a header. */
import { TICKET_MS } from '@haris/contract/constants';
import { type TicketFor, ticketRoutes } from '@haris/contract/http/tickets';
import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { findCamera } from '../../db/cameras.ts';
import { findChild } from '../../db/children.ts';
import { findPhotoOwner } from '../../db/photos.ts';
import { createTicket } from '../../db/tickets.ts';
import { inTransaction } from '../../db/transaction.ts';
import { bind } from '../../http/bind.ts';
import { may, maySeePhoto } from '../../policy.ts';

/** The subject of the ticket. Throws 404 if it does not exist or if this actor may not see it. */
async function subjectOf(context: Context, actor: Actor, asked: TicketFor): Promise<string> {
  const { db } = context;
  if (asked.for === 'sensors') return '';
  if (asked.for === 'photo') {
    const owner = await findPhotoOwner(db, asked.photoId);
    if (owner && maySeePhoto(actor, owner)) return asked.photoId;
  } else if (asked.childId !== undefined) {
    const child = await findChild(db, asked.childId);
    if (child && may(actor, 'live.watch', child.guardians)) return `child ${child.id}`;
  } else if (asked.cameraId !== undefined && may(actor, 'live.watch')) {
    const camera = await findCamera(db, asked.cameraId);
    if (camera) return `camera ${camera.id}`;
  }
  throw new AppError('not_found');
}

export function ticketFeature(app: FastifyInstance, context: Context): void {
  bind(app, context, ticketRoutes.createTicket, {
    async handle({ actor, body }) {
      const expiresAt = context.clock.now() + TICKET_MS;
      const subject = await subjectOf(context, actor, body);
      const asked = {
        session: actor.session,
        purpose: body.for,
        subject,
        facility: actor.facility,
        expiresAt,
      };
      const ticket = await inTransaction(context.db, ({ trx }) => createTicket(trx, context.vault, asked));
      return { ticket, expiresAt: toMoment(expiresAt) };
    },
  });
}
