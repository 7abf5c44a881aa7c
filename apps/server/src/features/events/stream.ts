/** `/api/events`: tells each open stream what happened, in order, and ends it when its session does. */
import { EVENT_STREAMS_PER_ACCOUNT } from '@haris/contract/constants';
import { operationRoutes } from '@haris/contract/http/operations';
import { eventSchema, type HarisEvent } from '@haris/contract/live/events';
import { describeFailure } from '@haris/runtime/log';
import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { type ChildView, findChild, hasChildInside } from '../../db/children.ts';
import { type EventRow, findEventsAfter, findLastEventId } from '../../db/events.ts';
import { findSessionByHash } from '../../db/sessions.ts';
import { presentChild } from '../../http/present.ts';
import { identify } from '../../http/session.ts';

/** A comment this often keeps proxies from closing a quiet stream. Milliseconds. */
const HEARTBEAT_MS = 15_000;
/** A stream must end within 2 s of its session (contract §5); sessions are looked up this often. Milliseconds. */
const SESSION_CHECK_MS = 1_000;
/** Without a wake-up from another server, news are looked for this often. Milliseconds. */
const SWEEP_MS = 5_000;
/** What is written already has this long to reach the client when its stream ends. Milliseconds. */
const END_WITHIN_MS = 500;
/** Events read at once. */
const BATCH = 500;
/** No more is written while this many bytes wait for the client to take them. */
const MAX_WAITING_BYTES = 256 * 1024;
/** A client that does not take them within this time is closed; it comes back and resumes. Milliseconds. */
const TAKE_WITHIN_MS = 10_000;

interface Stream {
  readonly actor: Actor;
  lastId: number;
  /** The stream's own turn: events are written one after the other. */
  turn: Promise<void>;
  write(text: string): void;
  waiting(): number;
  /** Resolves when the client has taken all, or does not within the time: then false. */
  taken(): Promise<boolean>;
  end(): void;
}

export interface EventStreams {
  stop(): void;
  /** Open streams, for tests. */
  count(): number;
}

/**
 * Whether an event is this actor's to know: staff all, a parent those of the own family, and those for parents inside while
 * one of the own children is.
 */
async function concerns(actor: Actor, row: EventRow, isInside: () => Promise<boolean>): Promise<boolean> {
  if (actor.kind === 'admin' || (row.parent_id !== null && row.parent_id === actor.id)) return true;
  return row.to_parents_inside === 1 && (await isInside());
}

export function eventFeature(app: FastifyInstance, context: Context): EventStreams {
  const streams = new Set<Stream>();

  /** `seen` has the children of this batch: a client that catches up is told of the same few again and again. */
  async function present(
    row: EventRow,
    seen: Map<string, ChildView | undefined>,
  ): Promise<HarisEvent | null> {
    const { child_id: childId } = row;
    if (childId !== null && !seen.has(childId)) seen.set(childId, await findChild(context.db, childId));
    const child = childId === null ? null : seen.get(childId);
    const event = eventSchema.safeParse({
      type: row.type,
      at: toMoment(row.at),
      childId: row.child_id,
      parentId: row.parent_id,
      child: child ? presentChild(child) : null,
      ...(row.incident_id === null ? {} : { incidentId: row.incident_id }),
    });
    return event.success ? event.data : null;
  }

  /** Sends a stream all that came after its last event. */
  async function advance(stream: Stream): Promise<void> {
    for (;;) {
      const rows = await findEventsAfter(context.db, stream.lastId, BATCH);
      const seen = new Map<string, ChildView | undefined>();
      const isInside = () => hasChildInside(context.db, stream.actor.id);
      for (const row of rows) {
        stream.lastId = row.id;
        if (!(await concerns(stream.actor, row, isInside))) continue;
        const event = await present(row, seen);
        if (!event || !streams.has(stream)) continue;
        stream.write(`id: ${row.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      }
      if (stream.waiting() > MAX_WAITING_BYTES && !(await stream.taken())) return stream.end();
      if (rows.length < BATCH) return;
    }
  }

  function advanceSoon(stream: Stream): void {
    stream.turn = stream.turn
      .then(() => (streams.has(stream) ? advance(stream) : undefined))
      .catch((error: unknown) => {
        context.log.warn(describeFailure(error), 'an event stream failed');
        stream.end();
      });
  }

  /**
   * Ends the account's oldest streams beyond the number allowed. The oldest, not the new one: after a broken network
   * the old ones are the dead ones that nobody has noticed yet, and the desk must not be kept waiting for them.
   */
  function makeRoom(actor: Actor): void {
    const own = [...streams].filter(({ actor: one }) => one.kind === actor.kind && one.id === actor.id);
    for (const stream of own.slice(0, Math.max(0, own.length + 1 - EVENT_STREAMS_PER_ACCOUNT))) stream.end();
  }

  const stopListening = context.wakeup.listen(() => streams.forEach(advanceSoon));
  const sweep = setInterval(() => streams.forEach(advanceSoon), SWEEP_MS);
  const heartbeat = setInterval(() => {
    for (const stream of streams) if (stream.waiting() === 0) stream.write(':\n\n');
  }, HEARTBEAT_MS);
  let checking = false;
  const sessionCheck = setInterval(async () => {
    if (checking) return;
    checking = true;
    try {
      for (const stream of streams)
        if (!(await findSessionByHash(context.db, stream.actor.session, context.clock.now(), false)))
          stream.end();
    } catch (error) {
      context.log.warn(describeFailure(error), 'sessions could not be checked');
      // Who may see is not known: nobody sees.
      for (const stream of streams) stream.end();
    } finally {
      checking = false;
    }
  }, SESSION_CHECK_MS);
  for (const timer of [sweep, heartbeat, sessionCheck]) timer.unref();

  // No HEAD: it would open a stream that tells nothing and never ends.
  app.get(operationRoutes.streamEvents.path, { exposeHeadRoute: false }, async (request, reply) => {
    const actor = await identify(context, request);
    if (!actor) throw new AppError('unauthenticated');
    request.harisActor = actor;
    const newest = await findLastEventId(context.db);
    const lastEventId = String(request.headers['last-event-id'] ?? '');
    const asked = /^[0-9]{1,15}$/.test(lastEventId) ? Number(lastEventId) : null;
    reply.hijack();
    const { raw } = reply;
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) raw.setHeader(name, value);
    raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    const stream: Stream = {
      actor,
      // An id from the future (another database) would keep the stream silent: such a client starts from now.
      lastId: asked !== null && asked <= newest ? asked : newest,
      turn: Promise.resolve(),
      write: (text) => void raw.write(text),
      waiting: () => raw.writableLength,
      taken: () =>
        new Promise((resolve) => {
          const settle = (): void => {
            clearTimeout(late);
            for (const event of ['drain', 'close']) raw.off(event, settle);
            resolve(raw.writableLength === 0 && !raw.destroyed);
          };
          const late = setTimeout(settle, TAKE_WITHIN_MS);
          for (const event of ['drain', 'close']) raw.on(event, settle);
        }),
      end() {
        streams.delete(stream);
        raw.end();
        // Who takes nothing would keep the connection, and get what waits long after the session's end.
        setTimeout(() => raw.destroy(), END_WITHIN_MS).unref();
      },
    };
    makeRoom(actor);
    streams.add(stream);
    raw.on('close', () => streams.delete(stream));
    raw.on('error', () => streams.delete(stream));
    raw.write('retry: 2000\n: hello\n\n');
    advanceSoon(stream);
  });

  return {
    count: () => streams.size,
    stop() {
      stopListening();
      for (const timer of [sweep, heartbeat, sessionCheck]) clearInterval(timer);
      for (const stream of [...streams]) stream.end();
    },
  };
}
