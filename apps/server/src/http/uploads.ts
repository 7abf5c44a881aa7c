/** Counts the photos that an account has on their way at this moment, so that one cannot fill the line of all others. */
import type { FastifyReply } from 'fastify';
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';

/** Several desks of one account, each with a photo and the capture guide, stay far below; the face engine's line has 64. */
export const UPLOADS_AT_ONCE = 20;

const RETRY_AFTER_S = 2;

export interface UploadCounter {
  /** Counts one until the answer is sent or the connection is gone. Throws `too_many_attempts`. */
  take(actor: Actor, reply: FastifyReply): void;
}

/** Counts within this server. */
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
