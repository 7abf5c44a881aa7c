/** Opens live pictures: `/video_feed` for any program that reads multipart JPEG, `/api/live` for our own page. */
import { videoRoutes } from '@haris/contract/http/video';
import { LIVE_PATH } from '@haris/contract/live/video';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { parseInput } from '../../http/bind.ts';
import { identify, identifyByToken } from '../../http/session.ts';
import { protocolToken, watchOverSocket } from '../../http/sockets.ts';
import { useTicket } from '../../http/tickets.ts';
import { type Hub, type Look, openHub } from './hub.ts';
import { layersSink } from './layers.ts';
import { MULTIPART_TYPE, mjpegSink } from './mjpeg.ts';
import { findTarget, type Target } from './targets.ts';

/** Close code of the protocol. */
const INTERNAL_ERROR = 1011;

/** The text of a query's field as it came; undefined for none and for what is no single text. */
function rawText(query: unknown, name: string): string | undefined {
  const value = (query as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}

/** Who asks without a ticket. */
async function identifyHolder(context: Context, request: FastifyRequest): Promise<Actor | null> {
  const token = request.ws ? protocolToken(request, 'bearer') : null;
  return token ? identifyByToken(context, token, request) : identify(context, request);
}

/**
 * Who asks for what, in the order of refusals of the contract. A ticket names what it opens; where the query names
 * something too, it must be the same. Throws 401, 403, 404, 400, 409, 503.
 */
async function admit(
  context: Context,
  hub: Hub,
  request: FastifyRequest,
  format: Look['format'],
): Promise<Look> {
  const { query } = request;
  const withTicket = (query as Record<string, unknown>).ticket !== undefined;
  const used = withTicket ? await useTicket(context, 'video', rawText(query, 'ticket'), request) : null;
  const actor = withTicket ? (used?.actor ?? null) : await identifyHolder(context, request);
  if (!actor) throw new AppError(withTicket ? 'invalid_ticket' : 'unauthenticated');
  request.harisActor = actor;
  const asked = parseInput(videoRoutes.getVideoFeed.query, query);
  const target = used
    ? await findTicketTarget(context, actor, used.subject, asked)
    : await findTarget(context, actor, asked);
  await hub.check(target, format);
  return { actor, target, format };
}

async function findTicketTarget(
  context: Context,
  actor: Actor,
  subject: string,
  asked: { target_name?: string | undefined; target_id?: string | undefined; camera_id?: string | undefined },
): Promise<Target> {
  const [kind, id = ''] = subject.split(' ');
  const target = await findTarget(context, actor, kind === 'camera' ? { camera_id: id } : { target_id: id });
  const { target_name, target_id, camera_id } = asked;
  if (target_name === undefined && target_id === undefined && camera_id === undefined) return target;
  const named = await findTarget(context, actor, asked).catch(() => null);
  const idOf = (one: Target): string => (one.kind === 'child' ? one.child.id : one.camera.id);
  if (!named || idOf(named) !== idOf(target)) throw new AppError('invalid_ticket');
  return target;
}

export function liveFeature(app: FastifyInstance, context: Context): Hub {
  const hub = openHub(context);

  // No HEAD: it would open a stream that shows nothing and never ends.
  app.get(videoRoutes.getVideoFeed.path, { exposeHeadRoute: false }, async (request, reply) => {
    const admitted = await admit(context, hub, request, 'jpeg');
    const { raw } = reply;
    let gone = raw.destroyed;
    let leave: (() => void) | null = null;
    for (const event of ['close', 'error'])
      raw.on(event, () => {
        gone = true;
        leave?.();
      });
    leave = await hub.open(admitted, () => {
      reply.hijack();
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) raw.setHeader(name, value);
      raw.writeHead(200, {
        'content-type': MULTIPART_TYPE,
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      raw.flushHeaders();
      return mjpegSink(raw);
    });
    if (gone) leave();
  });

  const admittances = new WeakMap<FastifyRequest, Look>();
  app.get(
    LIVE_PATH,
    {
      websocket: true,
      async onRequest(request) {
        if (!request.ws) throw new AppError('not_found');
        admittances.set(request, await admit(context, hub, request, 'layers'));
      },
    },
    async (socket, request) => {
      const admitted = admittances.get(request);
      if (!admitted) return socket.terminate();
      watchOverSocket(socket);
      let gone = false;
      let leave: (() => void) | null = null;
      socket.on('close', () => {
        gone = true;
        leave?.();
      });
      try {
        leave = await hub.open(admitted, () => layersSink(socket));
      } catch {
        // The look could not be written down: there is none.
        return socket.close(INTERNAL_ERROR, 'unavailable');
      }
      if (gone) leave();
    },
  );

  return hub;
}
