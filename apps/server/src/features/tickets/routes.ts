/** Gives tickets: to open a photo, a video or the readings once, where no header can be sent. */
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
import { bind } from '../../http/bind.ts';
import { maySeePhoto, mayWatchCamera, mayWatchChild } from '../../http/policy.ts';
import { hashToken, randomToken } from '../../vault/vault.ts';

/** What the ticket will be for. Throws 404 for what this actor may not see, as for what is not there. */
async function subjectOf(context: Context, actor: Actor, asked: TicketFor): Promise<string> {
  const { db } = context;
  if (asked.for === 'sensors') return '';
  if (asked.for === 'photo') {
    const owner = await findPhotoOwner(db, asked.photoId);
    if (owner && maySeePhoto(actor, owner)) return asked.photoId;
  } else if (asked.childId !== undefined) {
    const child = await findChild(db, asked.childId);
    if (child && mayWatchChild(actor, child)) return `child ${child.id}`;
  } else if (asked.cameraId !== undefined && mayWatchCamera(actor)) {
    const camera = await findCamera(db, asked.cameraId);
    if (camera) return `camera ${camera.id}`;
  }
  throw new AppError('not_found');
}

export function ticketFeature(app: FastifyInstance, context: Context): void {
  bind(app, context, ticketRoutes.createTicket, {
    async handle({ actor, body }) {
      const ticket = randomToken();
      const expiresAt = context.clock.now() + TICKET_MS;
      await context.db
        .insertInto('tickets')
        .values({
          ticket_hash: hashToken(ticket),
          session_hash: actor.session,
          purpose: body.for,
          subject_id: await subjectOf(context, actor, body),
          expires_at: expiresAt,
        })
        .execute();
      return { ticket, expiresAt: toMoment(expiresAt) };
    },
  });
}
