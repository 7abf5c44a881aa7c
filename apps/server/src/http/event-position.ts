/** Sends the position of the event log with a response, taken before the data was read. */
import { EVENT_POSITION_HEADER } from '@haris/contract/constants';
import type { FastifyReply } from 'fastify';
import type { Context } from '../context.ts';
import { findLastEventId } from '../db/events.ts';

/**
 * Sets the header with the position from which a client opens its event stream. Call it before reading any data, so that
 * a concurrent change is sent twice rather than not at all.
 */
export async function sendEventPosition({ db }: Pick<Context, 'db'>, reply: FastifyReply): Promise<void> {
  reply.header(EVENT_POSITION_HEADER, String(await findLastEventId(db)));
}
