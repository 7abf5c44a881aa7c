/** `WS /ws`: sends a signed-in client the latest reading of each sensor that concerns it, and then each new reading. */
import {
  READINGS_NOT_YOURS,
  READINGS_PATH,
  type ReadingMessage,
  type sensorGoneSchema,
} from '@haris/contract/live/readings';
import { describeFailure } from '@haris/runtime/log';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import type { z } from 'zod';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findSessionByHash } from '../../db/sessions.ts';
import { identifyByToken } from '../../http/session.ts';
import { protocolToken, watchOverSocket } from '../../http/sockets.ts';
import { useTicket } from '../../http/tickets.ts';
import type { Environment } from './environment.ts';
import { findPlaces } from './places.ts';

/** Interval between checks of sessions: a socket must end within 2 s of its session (contract §5). Milliseconds. */
const SESSION_CHECK_MS = 1_000;
/** A client with more unsent data than this is cut off. Bytes. */
const MAX_WAITING_BYTES = 256 * 1024;
/** Open sockets per account and server; a further socket closes the oldest. */
const SOCKETS_PER_ACCOUNT = 20;
/** Close code: the server stops or restarts. */
const SERVER_STOPS = 1012;

type Message = ReadingMessage | z.infer<typeof sensorGoneSchema>;

/** Whether the owner of this session may read sensors: staff by their role, which may have changed, and parents. */
function mayRead(session: Pick<Actor, 'kind' | 'permissions'> | undefined): boolean {
  return session !== undefined && (session.kind === 'parent' || session.permissions.has('sensors.view'));
}

/** Who opens a socket, by ticket or token. Throws 401 and 403. */
async function identify(context: Context, request: FastifyRequest): Promise<Actor> {
  const { ticket } = request.query as { ticket?: unknown };
  if (ticket !== undefined) {
    const used = await useTicket(context, 'sensors', ticket, request);
    if (!used) throw new AppError('invalid_ticket');
    if (!mayRead(used.actor)) throw new AppError('forbidden');
    return used.actor;
  }
  const token = protocolToken(request, 'bearer');
  const actor = token ? await identifyByToken(context, token, request) : null;
  if (!actor) throw new AppError('unauthenticated');
  if (!mayRead(actor)) throw new AppError('forbidden');
  return actor;
}

/** An open socket's account, and the facilities whose sensors concern it. */
interface Client {
  readonly actor: Actor;
  readonly places: ReadonlySet<string>;
}

export function readingsSocket(
  app: FastifyInstance,
  context: Context,
  environment: Environment,
): { stop(): void } {
  const clients = new Map<WebSocket, Client>();
  const admitted = new WeakMap<FastifyRequest, Client>();

  function send(socket: WebSocket, message: Message): void {
    if (socket.bufferedAmount > MAX_WAITING_BYTES) socket.terminate();
    else socket.send(JSON.stringify(message));
  }

  const stopListening = environment.onView((sensorId, view, facility) => {
    const message = view ? environment.messageOf(view) : { gone: true as const, sensorId };
    if (message) for (const [socket, { places }] of clients) if (places.has(facility)) send(socket, message);
  });

  /** A parent's child was added to a facility or removed from one: sends its readings, or says that they are gone. */
  function moveTo(socket: WebSocket, { actor, places: before }: Client, places: ReadonlySet<string>): void {
    clients.set(socket, { actor, places });
    for (const view of environment.all()) {
      const { id: sensorId, facility_id: facility } = view.row;
      if (places.has(facility) === before.has(facility)) continue;
      const message = places.has(facility) ? environment.messageOf(view) : { gone: true as const, sensorId };
      if (message) send(socket, message);
    }
  }

  async function checkSession(socket: WebSocket, client: Client): Promise<void> {
    const { actor, places: before } = client;
    const use = { facility: actor.facility, seen: false };
    const session = await findSessionByHash(
      context.db,
      context.vault,
      actor.session,
      context.clock.now(),
      use,
    );
    if (!mayRead(session)) return socket.close(READINGS_NOT_YOURS, 'session over');
    // The children of a parent may be known elsewhere by now.
    if (actor.kind !== 'parent' || !session) return;
    const places = await findPlaces(context, { id: actor.id, facility: session.facility });
    if (clients.has(socket) && places.symmetricDifference(before).size > 0) moveTo(socket, client, places);
  }

  let isChecking = false;
  const sessionCheck = setInterval(async () => {
    if (isChecking) return;
    isChecking = true;
    try {
      for (const [socket, client] of clients) await checkSession(socket, client);
    } catch (error) {
      context.log.warn(describeFailure(error), 'sessions could not be checked');
      // Fail closed: if sessions cannot be checked, nobody may see readings.
      for (const socket of clients.keys()) socket.close(SERVER_STOPS, 'not checked');
    } finally {
      isChecking = false;
    }
  }, SESSION_CHECK_MS);
  sessionCheck.unref();

  function makeRoom({ kind, id }: Actor): void {
    const own = [...clients].filter(([, { actor }]) => actor.kind === kind && actor.id === id);
    for (const [socket] of own.slice(0, Math.max(0, own.length + 1 - SOCKETS_PER_ACCOUNT)))
      socket.close(READINGS_NOT_YOURS, 'too many');
  }

  app.get(
    READINGS_PATH,
    {
      websocket: true,
      async onRequest(request) {
        if (!request.ws) throw new AppError('not_found');
        const actor = await identify(context, request);
        request.harisActor = actor;
        admitted.set(request, { actor, places: await findPlaces(context, actor) });
      },
    },
    (socket, request) => {
      const client = admitted.get(request);
      if (!client) return socket.terminate();
      watchOverSocket(socket);
      makeRoom(client.actor);
      clients.set(socket, client);
      socket.on('close', () => clients.delete(socket));
      // Clients have nothing to send here.
      socket.on('message', () => {});
      for (const view of environment.all()) {
        const message = client.places.has(view.row.facility_id) ? environment.messageOf(view) : null;
        if (message) send(socket, message);
      }
    },
  );

  return {
    stop() {
      stopListening();
      clearInterval(sessionCheck);
      for (const socket of clients.keys()) socket.close(SERVER_STOPS, 'the server stops');
    },
  };
}
