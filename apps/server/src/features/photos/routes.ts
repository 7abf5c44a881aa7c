/** Serves photos to accounts that may see their owner, by bearer token or ticket. */
import { photoRoutes } from '@haris/contract/http/photos';
import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findPhotoOwner, openPhoto, type PhotoOwner } from '../../db/photos.ts';
import { recordReading } from '../../db/read-audit.ts';
import { inTransaction } from '../../db/transaction.ts';
import { identify } from '../../http/session.ts';
import { useTicket } from '../../http/tickets.ts';
import { maySeePhoto } from '../../policy.ts';

/** How long browsers may cache a photo (contract §2). Seconds. */
const PHOTO_MAX_AGE_S = 300;

export function photoFeature(app: FastifyInstance, context: Context): void {
  const visiblePhoto = async (actor: Actor, id: string): Promise<PhotoOwner> => {
    const owner = id.includes('\0') ? undefined : await findPhotoOwner(context.db, id);
    if (!owner || !maySeePhoto(actor, owner)) throw new AppError('not_found');
    return owner;
  };

  // Does not use bind, because a ticket can replace the header.
  app.get(photoRoutes.getPhoto.path.replace('{id}', ':id'), async (request, reply) => {
    const { id } = request.params as { id: string };
    const { ticket } = request.query as { ticket?: unknown };
    const used = ticket === undefined ? null : await useTicket(context, 'photo', ticket, request);
    const opened = used?.subject === id ? used.actor : null;
    const actor = ticket === undefined ? await identify(context, request) : opened;
    if (!actor) throw new AppError(ticket === undefined ? 'unauthenticated' : 'invalid_ticket');
    request.harisActor = actor;
    const owner = await visiblePhoto(actor, id);
    const jpeg = await openPhoto(context.db, context, id, owner);
    if (!jpeg) throw new AppError('not_found');
    const { owner_kind: kind, owner_id, barId } = owner;
    const look = {
      // The log keeps readings of the bars from staff without the right: another action would tell them of the bar.
      action: barId === null ? 'photo.viewed' : 'barred.read',
      subject: { kind, id: owner_id },
      details: { photoId: id, ...(barId !== null && { barId }) },
    } as const;
    // A family's page reads its own photos again and again; each look by staff is a row.
    if (actor.kind === 'parent') await recordReading(context, actor, look);
    else await inTransaction(context.db, (tx) => context.audit.append(tx, { actor, ...look }));
    // A browser that keeps a barred adult's photo would show it after the lift, and without a row in the log.
    const isKept = ticket === undefined && barId === null;
    return reply
      .header('cache-control', isKept ? `private, max-age=${PHOTO_MAX_AGE_S}` : 'private, no-store')
      .header('vary', 'authorization')
      .header('content-disposition', 'inline')
      .type('image/jpeg')
      .send(jpeg);
  });
}
