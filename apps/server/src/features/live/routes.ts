/** Live pictures: `/video_feed` for any program that reads multipart JPEG, and `/api/live` for the web app. */
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
import { layersSink } from './layers.ts';
import { MULTIPART_TYPE, mjpegSink } from './mjpeg.ts';
import { openRelay, type Relay, type WatchRequest } from './relay.ts';
import { findTarget, type Target } from './targets.ts';

/** Close code of the WebSocket protocol. */
const INTERNAL_ERROR = 1011;

/** Raw query parameter; undefined if it is missing or given more than once. */
function rawText(query: unknown, name: string): string | undefined {
  const value = (query as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}

/** Actor of a request without a ticket. */
async function identifyHolder(context: Context, request: FastifyRequest): Promise<Actor | null> {
  const token = request.ws ? protocolToken(request, 'bearer') : null;
  return token ? identifyByToken(context, token, request) : identify(context, request);
}

/**
 * Authorizes a request, with errors in the order of the contract. A ticket names its target; a target in the query must
 * be the same. Throws 401, 403, 404, 400, 409, 503.
 */
async function admit(
  context: Context,
  relay: Relay,
  request: FastifyRequest,
  format: WatchRequest['format'],
): Promise<WatchRequest> {
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
  await relay.check(target, format);
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

export function liveFeature(app: FastifyInstance, context: Context): Relay {
  const relay = openRelay(context);

  // No HEAD route: its response would be an endless stream without pictures.
  app.get(videoRoutes.getVideoFeed.path, { exposeHeadRoute: false }, async (request, reply) => {
    const admitted = await admit(context, relay, request, 'jpeg');
    const { raw } = reply;
    let gone = raw.destroyed;
    let leave: (() => void) | null = null;
    for (const event of ['close', 'error'])
      raw.on(event, () => {
        gone = true;
        leave?.();
      });
    leave = await relay.open(admitted, () => {
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

  const admittances = new WeakMap<FastifyRequest, WatchRequest>();
  app.get(
    LIVE_PATH,
    {
      websocket: true,
      async onRequest(request) {
        if (!request.ws) throw new AppError('not_found');
        admittances.set(request, await admit(context, relay, request, 'layers'));
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
        leave = await relay.open(admitted, () => layersSink(socket));
      } catch {
        // Fail closed: nobody may watch without an audit row.
        return socket.close(INTERNAL_ERROR, 'unavailable');
      }
      if (gone) leave();
    },
  );

  return relay;
}
