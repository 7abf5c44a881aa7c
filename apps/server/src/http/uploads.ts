/** Limits the concurrent photo uploads of an account, so that it cannot fill the face engine's queue. */
import type { FastifyReply } from 'fastify';
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';

/**
 * Far more than several desks of one account need, each with a photo and the capture guide; the engine's queue holds 64.
 */
export const UPLOADS_AT_ONCE = 20;

const RETRY_AFTER_S = 2;

export interface UploadCounter {
  /** Counts an upload until the response is sent or the connection is closed. Throws `too_many_attempts`. */
  take(actor: Actor, reply: FastifyReply): void;
}

/** Counts uploads on this server only. */
export function createUploadCounter(): UploadCounter {
  const underWay = new Map<string, number>();
  return {
    take(actor, reply) {
      const account = `${actor.kind} ${actor.id}`;
      const count = underWay.get(account) ?? 0;
      if (count >= UPLOADS_AT_ONCE) throw new AppError('too_many_attempts', { retryAfter: RETRY_AFTER_S });
      underWay.set(account, count + 1);
      reply.raw.once('close', () => {
        const left = (underWay.get(account) ?? 1) - 1;
        if (left > 0) underWay.set(account, left);
        else underWay.delete(account);
      });
    },
  };
}
