/** `WS /ws`: sends a signed-in client the latest reading of each sensor that concerns it, and then each new reading. */
import {
  READINGS_NOT_YOURS,
  type ReadingMessage,
  type sensorGoneSchema,
} from '@haris/contract/live/readings';
import { sockets } from '@haris/contract/live/sockets';
import { describeFailure } from '@haris/runtime/log';
import type { FastifyInstance } from 'fastify';
import type { WebSocket } from 'ws';
import type { z } from 'zod';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { findFamilyFacility } from '../../db/facilities.ts';
import { sessionKey } from '../../db/sessions.ts';
import { bindSocket, findStillAdmitted } from '../../http/openings.ts';
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

  async function checkClients(): Promise<void> {
    const checked = [...clients];
    const actors = checked.map(([, { actor }]) => actor);
    const still = await findStillAdmitted(context, sockets.readingsSocket, actors);
    for (const [socket, client] of checked)
      if (!still.has(sessionKey(client.actor))) socket.close(READINGS_NOT_YOURS, 'session over');
      else if (client.actor.kind === 'parent') await followChildren(socket, client);
  }

  /** The children of a parent may be known elsewhere by now. */
  async function followChildren(socket: WebSocket, client: Client): Promise<void> {
    const { id } = client.actor;
    const facility = await findFamilyFacility(context.db, id);
    const places = await findPlaces(context, { id, facility });
    if (clients.has(socket) && places.symmetricDifference(client.places).size > 0)
      moveTo(socket, client, places);
  }

  let isChecking = false;
  const sessionCheck = setInterval(async () => {
    if (isChecking) return;
    isChecking = true;
    try {
      await checkClients();
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

  bindSocket(app, context, sockets.readingsSocket, {
    find: async ({ opener: { actor } }) => ({ actor, places: await findPlaces(context, actor) }),
    open(socket, { subject: client }) {
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
  });

  return {
    stop() {
      stopListening();
      clearInterval(sessionCheck);
      for (const socket of clients.keys()) socket.close(SERVER_STOPS, 'the server stops');
    },
  };
}
