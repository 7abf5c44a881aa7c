/** `WS /ws`: tells whoever is signed in the latest reading of each sensor at once, and then each new one. */
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

/** A socket must end within 2 s of its session (contract §5); sessions are looked up this often. Milliseconds. */
const SESSION_CHECK_MS = 1_000;
/** A client that lets more than this wait is cut off. Bytes. */
const MAX_WAITING_BYTES = 256 * 1024;
/** Sockets that one account may have open on one server; one more closes the oldest. */
const SOCKETS_PER_ACCOUNT = 20;
/** Close code: the server stops, or is about to begin again. */
const SERVER_STOPS = 1012;

type Message = ReadingMessage | z.infer<typeof sensorGoneSchema>;

export function readingsSocket(
  app: FastifyInstance,
  context: Context,
  environment: Environment,
): { stop(): void } {
  const viewers = new Map<WebSocket, Actor>();
  const admitted = new WeakMap<FastifyRequest, Actor>();

  function send(socket: WebSocket, message: Message): void {
    if (socket.bufferedAmount > MAX_WAITING_BYTES) socket.terminate();
    else socket.send(JSON.stringify(message));
  }

  const stopListening = environment.onView((sensorId, view) => {
    const message = view ? environment.messageOf(view) : { gone: true as const, sensorId };
    if (message) for (const socket of viewers.keys()) send(socket, message);
  });

  let isChecking = false;
  const sessionCheck = setInterval(async () => {
    if (isChecking) return;
    isChecking = true;
    try {
      for (const [socket, actor] of viewers)
        if (!(await findSessionByHash(context.db, actor.session, context.clock.now(), false)))
          socket.close(READINGS_NOT_YOURS, 'session over');
    } catch (error) {
      context.log.warn(describeFailure(error), 'sessions could not be checked');
      // Who may see is not known: nobody sees.
      for (const socket of viewers.keys()) socket.close(SERVER_STOPS, 'not checked');
    } finally {
      isChecking = false;
    }
  }, SESSION_CHECK_MS);
  sessionCheck.unref();

  async function identify(request: FastifyRequest): Promise<Actor> {
    const { ticket } = request.query as { ticket?: unknown };
    if (ticket !== undefined) {
      const used = await useTicket(context, 'sensors', ticket, request);
      if (!used) throw new AppError('invalid_ticket');
      return used.actor;
    }
    const token = protocolToken(request, 'bearer');
    const actor = token ? await identifyByToken(context, token, request) : null;
    if (!actor) throw new AppError('unauthenticated');
    return actor;
  }

  function makeRoom({ kind, id }: Actor): void {
    const own = [...viewers].filter(([, actor]) => actor.kind === kind && actor.id === id);
    for (const [socket] of own.slice(0, Math.max(0, own.length + 1 - SOCKETS_PER_ACCOUNT)))
      socket.close(READINGS_NOT_YOURS, 'too many');
  }

  app.get(
    READINGS_PATH,
    {
      websocket: true,
      async onRequest(request) {
        if (!request.ws) throw new AppError('not_found');
        const actor = await identify(request);
        request.harisActor = actor;
        admitted.set(request, actor);
      },
    },
    (socket, request) => {
      const actor = admitted.get(request);
      if (!actor) return socket.terminate();
      watchOverSocket(socket);
      makeRoom(actor);
      viewers.set(socket, actor);
      socket.on('close', () => viewers.delete(socket));
      // There is nothing to say to us.
      socket.on('message', () => {});
      for (const view of environment.all()) {
        const message = environment.messageOf(view);
        if (message) send(socket, message);
      }
    },
  );

  return {
    stop() {
      stopListening();
      clearInterval(sessionCheck);
      for (const socket of viewers.keys()) socket.close(SERVER_STOPS, 'the server stops');
    },
  };
}
