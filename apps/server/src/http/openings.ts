/**
 * Opens sockets and endless streams for whom the contract names: a person with a permission, or a paired device. The only
 * place where this is asked, when one opens and as long as it is open (decision 042).
 */
import type { PeopleOpening, Socket, Stream } from '@haris/contract/live/sockets';
import type { Permission } from '@haris/contract/permissions';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { findCameraOfDevice } from '../db/camera-devices.ts';
import { findLiveSessions, sessionKey } from '../db/sessions.ts';
import { mayOpen } from '../policy.ts';
import { hashToken } from '../vault/vault.ts';
import { enterFacility, identify, identifyByToken } from './session.ts';
import { protocolToken, watchOverSocket } from './sockets.ts';
import { useTicket } from './tickets.ts';

/** Sessions per query. */
const SESSIONS_PER_QUERY = 1_000;

/** A person who may open a socket or stream. */
export interface Opener {
  readonly actor: Actor;
  /** What the ticket names; null if a token opened it. */
  readonly subject: string | null;
}

/** A paired camera with a valid token. */
export interface CameraDevice {
  readonly cameraId: string;
  readonly tokenHash: string;
}

type OpenerOf<S extends Socket> = S['access'] extends 'camera' ? CameraDevice : Opener;

interface SocketBinding<S extends Socket, Subject> {
  /** Finds what the socket shows, before the upgrade. Throws 400, 403, 404, 409. */
  readonly find?: (call: { opener: OpenerOf<S>; request: FastifyRequest }) => Promise<Subject>;
  readonly open: (socket: WebSocket, call: { opener: OpenerOf<S>; subject: Subject }) => Promise<void> | void;
}

export interface StreamBinding<Before> {
  /** Reads what must be older than the check of the session. */
  readonly before?: () => Promise<Before>;
  readonly open: (call: {
    opener: Opener;
    before: Before;
    request: FastifyRequest;
    reply: FastifyReply;
  }) => Promise<void> | void;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Id of the socket or stream of the contract that says who may open this route. */
    opening?: string;
  }
}

/** Registering a socket past {@link bindSocket}, which asks who opens it, fails from here on. */
export function refuseUndeclaredSockets(app: FastifyInstance): void {
  app.addHook('onRoute', ({ url, config, websocket, wsHandler }) => {
    if ((websocket || wsHandler) && config?.opening === undefined)
      throw new Error(`The socket ${url} does not say who may open it`);
  });
}

/** Registers a socket. */
export function bindSocket<const S extends Socket, Subject = undefined>(
  app: FastifyInstance,
  context: Context,
  declared: S,
  binding: SocketBinding<S, Subject>,
): void {
  /** By request; null: the token of a device is no longer valid. */
  const admitted = new WeakMap<FastifyRequest, { opener: OpenerOf<S>; subject: Subject } | null>();
  app.get(
    declared.path,
    {
      websocket: true,
      config: { opening: declared.id },
      async onRequest(request) {
        if (!request.ws) throw new AppError('not_found');
        const opener = (await admit(context, declared, request)) as OpenerOf<S> | null;
        if (!opener) return void admitted.set(request, null);
        const subject = (await binding.find?.({ opener, request })) as Subject;
        admitted.set(request, { opener, subject });
      },
    },
    async (socket, request) => {
      const call = admitted.get(request);
      watchOverSocket(socket);
      if (call) return binding.open(socket, call);
      if (call === null && declared.deadToken !== undefined)
        return socket.close(declared.deadToken, 'unpaired');
      socket.terminate();
    },
  );
}

/** Registers a stream. It has no HEAD route: the response to one would be endless too, and empty. */
export function bindStream<Before = undefined>(
  app: FastifyInstance,
  context: Context,
  stream: Stream,
  binding: StreamBinding<Before>,
): void {
  const { route } = stream;
  const opening = openingOf(stream);
  app.get(route.path, { exposeHeadRoute: false, config: { opening: route.id } }, async (request, reply) => {
    const before = (await binding.before?.()) as Before;
    const opener = await admitPerson(context, opening, request);
    await binding.open({ opener, before, request, reply });
  });
}

/** Who may open a stream. */
export function openingOf({ route: { access, permission }, ticket }: Stream): PeopleOpening {
  return { access, permission, ...(ticket === undefined ? {} : { ticket }) };
}

/**
 * The permissions that each of these people has now, by `sessionKey`: of those whose session is alive and who may still have
 * it open.
 */
export async function findStillAdmitted(
  { db, vault, clock }: Pick<Context, 'db' | 'vault' | 'clock'>,
  opening: PeopleOpening,
  actors: readonly Actor[],
): Promise<ReadonlyMap<string, ReadonlySet<Permission>>> {
  const still = new Map<string, ReadonlySet<Permission>>();
  for (let from = 0; from < actors.length; from += SESSIONS_PER_QUERY) {
    const some = actors.slice(from, from + SESSIONS_PER_QUERY);
    const alive = await findLiveSessions(db, vault, some, clock.now());
    for (const actor of some) {
      const permissions = alive.get(sessionKey(actor));
      if (permissions && mayOpen(opening, { ...actor, permissions }))
        still.set(sessionKey(actor), permissions);
    }
  }
  return still;
}

/** Throws 401 and 403. Null: a device whose token is no longer valid. */
function admit(
  context: Context,
  declared: Socket,
  request: FastifyRequest,
): Promise<Opener | CameraDevice | null> {
  return declared.access === 'camera'
    ? admitCamera(context, request)
    : admitPerson(context, declared, request);
}

async function admitCamera(context: Context, request: FastifyRequest): Promise<CameraDevice | null> {
  // The token alone identifies a device, at any facility.
  enterFacility(request, null);
  const token = protocolToken(request, 'device');
  if (!token) throw new AppError('unauthenticated');
  const tokenHash = hashToken(token);
  const cameraId = await findCameraOfDevice(context.db, context.vault, tokenHash);
  return cameraId === undefined ? null : { cameraId, tokenHash };
}

async function admitPerson(
  context: Context,
  opening: PeopleOpening,
  request: FastifyRequest,
): Promise<Opener> {
  const { ticket } = request.query as { ticket?: unknown };
  const purpose = ticket === undefined ? undefined : opening.ticket;
  const used = purpose === undefined ? null : await useTicket(context, purpose, ticket, request);
  const actor = purpose === undefined ? await identifyHolder(context, opening, request) : used?.actor;
  if (!actor) throw new AppError(purpose === undefined ? 'unauthenticated' : 'invalid_ticket');
  if (!mayOpen(opening, actor)) throw new AppError('forbidden');
  request.harisActor = actor;
  return { actor, subject: used?.subject ?? null };
}

/** The actor of a token. */
async function identifyHolder(
  context: Context,
  { acceptsHeader }: PeopleOpening,
  request: FastifyRequest,
): Promise<Actor | null> {
  const token = request.ws ? protocolToken(request, 'bearer') : null;
  if (token) return identifyByToken(context, token, request);
  return !request.ws || acceptsHeader ? identify(context, request) : null;
}
