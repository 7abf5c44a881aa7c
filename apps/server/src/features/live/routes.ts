/** Live pictures: `/video_feed` for any program that reads multipart JPEG, and `/api/live` for the web app. */
import { videoRoutes } from '@haris/contract/http/video';
import { sockets, streams } from '@haris/contract/live/sockets';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { parseInput } from '../../http/bind.ts';
import { bindSocket, bindStream, type Opener, type StreamBinding } from '../../http/openings.ts';
import { layersSink } from './layers.ts';
import { MULTIPART_TYPE, mjpegSink } from './mjpeg.ts';
import { openRelay, type Relay, type WatchRequest } from './relay.ts';
import { findTarget, type Target } from './targets.ts';

/** Close code of the WebSocket protocol. */
const INTERNAL_ERROR = 1011;

/**
 * What somebody may watch, with errors in the order of the contract. A ticket names its target; a target in the query must
 * be the same. Throws 401, 403, 404, 400, 409, 503.
 */
async function findWatch(
  context: Context,
  relay: Relay,
  { opener: { actor, subject }, request }: { readonly opener: Opener; readonly request: FastifyRequest },
  format: WatchRequest['format'],
): Promise<WatchRequest> {
  const asked = parseInput(videoRoutes.getVideoFeed.query, request.query);
  const target =
    subject === null
      ? await findTarget(context, actor, asked)
      : await findTicketTarget(context, actor, subject, asked);
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

  bindStream(app, context, streams.getVideoFeed, { open: openFeed });

  async function openFeed({ opener, request, reply }: Parameters<StreamBinding<undefined>['open']>[0]) {
    const watch = await findWatch(context, relay, { opener, request }, 'jpeg');
    const { raw } = reply;
    let gone = raw.destroyed;
    let leave: (() => void) | null = null;
    for (const event of ['close', 'error'])
      raw.on(event, () => {
        gone = true;
        leave?.();
      });
    leave = await relay.open(watch, () => {
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
  }

  bindSocket(app, context, sockets.liveSocket, {
    find: (call) => findWatch(context, relay, call, 'layers'),
    async open(socket, { subject: watch }) {
      let gone = false;
      let leave: (() => void) | null = null;
      socket.on('close', () => {
        gone = true;
        leave?.();
      });
      try {
        leave = await relay.open(watch, () => layersSink(socket));
      } catch {
        // Fail closed: nobody may watch without an audit row.
        return socket.close(INTERNAL_ERROR, 'unavailable');
      }
      if (gone) leave();
    },
  });

  return relay;
}
