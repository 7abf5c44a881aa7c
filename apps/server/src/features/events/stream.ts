/** `/api/events`: sends each open stream its events in order, and ends the stream with its session. */
import { EVENT_STREAMS_PER_ACCOUNT } from '@haris/contract/constants';
import type { Status } from '@haris/contract/live/events';
import { streams as described } from '@haris/contract/live/sockets';
import type { AccountKind } from '@haris/contract/roles';
import { describeFailure } from '@haris/runtime/log';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { findLastEventId } from '../../db/events.ts';
import { sessionKey } from '../../db/sessions.ts';
import { acrossFacilities } from '../../facility.ts';
import { bindStream } from '../../http/openings.ts';
import { findEndedSessions, readPage } from './event-pages.ts';
import { type FanOut, type Outlet, openFanOut } from './fan-out.ts';
import { openResponseOutlet } from './response-outlet.ts';

/** Interval between comments, which keep proxies from closing a quiet stream. Milliseconds. */
const HEARTBEAT_MS = 15_000;
/** Interval between checks of sessions: a stream must end within 2 s of its session (contract §5). Milliseconds. */
export const SESSION_CHECK_MS = 1_000;
/** Interval between looks for new events, in case a wake-up from another server was lost. Milliseconds. */
const SWEEP_MS = 5_000;

type Stream = Outlet<Actor>;

/** The open streams of this server. */
interface Streams {
  readonly open: ReadonlySet<Stream>;
  /** Adds a stream; the account's oldest streams beyond its limit end. */
  add(stream: Stream): void;
  forget(stream: Stream): void;
}

function createStreams(): Streams {
  const open = new Set<Stream>();
  return {
    open,
    add(stream) {
      const { kind, id } = stream.who;
      const own = [...open].filter(({ who }) => who.kind === kind && who.id === id);
      // After a network failure the oldest streams are dead; the new stream must not wait until that is detected.
      for (const oldest of own.slice(0, Math.max(0, own.length + 1 - EVENT_STREAMS_PER_ACCOUNT)))
        oldest.end();
      open.add(stream);
    },
    forget: (stream) => void open.delete(stream),
  };
}

/** Ends the streams whose session is over. Returns a function that stops the checks. */
function startSessionChecks(context: Context, { open }: Streams): () => void {
  let isChecking = false;
  const timer = setInterval(async () => {
    if (isChecking) return;
    isChecking = true;
    try {
      const ended = await findEndedSessions(
        context,
        [...open].map(({ who }) => who),
      );
      for (const stream of [...open]) if (ended.has(sessionKey(stream.who))) stream.end();
    } catch (error) {
      context.log.warn(describeFailure(error), 'sessions could not be checked');
      // Fail closed: if sessions cannot be checked, nobody may get events.
      for (const stream of [...open]) stream.end();
    } finally {
      isChecking = false;
    }
  }, SESSION_CHECK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** The state of the server as a text for staff or parents. */
function statusOf({ storage, clockGuard }: Context, reader: AccountKind): { text: string; isWell: boolean } {
  const status: Status = {
    type: 'status',
    storage: storage.isFull() ? 'full' : 'ok',
    clock: reader === 'admin' ? clockGuard.state() : 'ok',
  };
  return {
    text: `event: status\ndata: ${JSON.stringify(status)}\n\n`,
    isWell: status.storage === 'ok' && status.clock === 'ok',
  };
}

/** Event id after which a client resumes; null if the client sends none. */
function readLastEventId(request: FastifyRequest): number | null {
  const header = String(request.headers['last-event-id'] ?? '');
  return /^[0-9]{1,15}$/.test(header) ? Number(header) : null;
}

/** Opens a stream of the events after `lastId`. `newest`: newest event id from before the actor was identified. */
function openStream(
  context: Context,
  streams: Streams,
  fanOut: FanOut<Actor>,
  { actor, reply, lastId, newest }: { actor: Actor; reply: FastifyReply; lastId: number; newest: number },
): void {
  const { raw } = reply;
  const outlet = openResponseOutlet(raw, actor, reply.getHeaders());
  let leave = (): void => {};
  const forget = (): void => {
    streams.forget(stream);
    leave();
  };
  const stream: Stream = {
    ...outlet,
    end() {
      forget();
      outlet.end();
    },
  };
  streams.add(stream);
  raw.on('close', forget);
  raw.on('error', forget);
  stream.write('retry: 2000\n: hello\n\n');
  const status = statusOf(context, actor.kind);
  if (!status.isWell) stream.write(status.text);
  leave = fanOut.open(stream, lastId, newest);
}

export function eventFeature(app: FastifyInstance, context: Context): { stop(): void } {
  const streams = createStreams();
  const { open } = streams;
  const fanOut = openFanOut<Actor>({
    readAfter: (id, actor) =>
      acrossFacilities(() => readPage(context, () => [...open].map(({ who }) => who), id, actor)),
    onFailure: (error) => context.log.warn(describeFailure(error), 'events could not be read'),
  });
  const sendStatus = (): void => {
    for (const stream of open) stream.write(statusOf(context, stream.who.kind).text);
  };
  const sweep = setInterval(fanOut.wake, SWEEP_MS);
  const heartbeat = setInterval(() => {
    for (const stream of open) if (stream.waiting() === 0) stream.write(':\n\n');
  }, HEARTBEAT_MS);
  for (const timer of [sweep, heartbeat]) timer.unref();
  const stops = [
    context.storage.onChange(sendStatus),
    context.clockGuard.onChange(sendStatus),
    context.wakeup.listen(fanOut.wake),
    startSessionChecks(context, streams),
    () => clearInterval(sweep),
    () => clearInterval(heartbeat),
  ];

  bindStream(app, context, described.streamEvents, {
    // The session is checked after it, so that none can end unnoticed before the stream is added.
    before: () => findLastEventId(context.db),
    open({ opener: { actor }, before: newest, request, reply }) {
      reply.hijack();
      const asked = readLastEventId(request);
      // An id beyond the newest comes from another database. The stream would stay silent, so it starts from now.
      const lastId = asked !== null && asked <= newest ? asked : newest;
      openStream(context, streams, fanOut, { actor, reply, lastId, newest });
    },
  });

  return {
    stop() {
      for (const stop of stops) stop();
      for (const stream of [...open]) stream.end();
    },
  };
}
