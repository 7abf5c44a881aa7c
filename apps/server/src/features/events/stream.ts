/** `/api/events`: tells each open stream what happened, in order, and ends it when its session does. */
import { EVENT_STREAMS_PER_ACCOUNT } from '@haris/contract/constants';
import { operationRoutes } from '@haris/contract/http/operations';
import { eventSchema, type Status } from '@haris/contract/live/events';
import type { AccountKind } from '@haris/contract/roles';
import { describeFailure } from '@haris/runtime/log';
import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { type ChildView, findChildrenByIds, findParentsInside } from '../../db/children.ts';
import { type EventRow, findEventsAfter, findLastEventId } from '../../db/events.ts';
import { findLiveSessions } from '../../db/sessions.ts';
import { presentChild } from '../../http/present.ts';
import { identify } from '../../http/session.ts';
import { type Outlet, openFanOut, type Page } from './fan-out.ts';

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
/** Sessions looked up with one query. */
const SESSIONS_AT_ONCE = 1_000;
/** A client that does not take them within this time is closed; it comes back and resumes. Milliseconds. */
const TAKE_WITHIN_MS = 10_000;

interface Stream extends Outlet<Actor> {
  leave: () => void;
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
function concerns(actor: Actor, row: EventRow, parentsInside: ReadonlySet<string>): boolean {
  if (actor.kind === 'admin' || (row.parent_id !== null && row.parent_id === actor.id)) return true;
  return row.to_parents_inside === 1 && parentsInside.has(actor.id);
}

/**
 * Sessions of these streams that are over, of the families that the events are about. What staff enter may end a password in
 * the same transaction: its streams must not be told of it before they are looked at the next time.
 */
async function findEndedSessions(
  { db, clock }: Context,
  rows: readonly EventRow[],
  open: Iterable<Stream>,
): Promise<ReadonlySet<string>> {
  const families = new Set(rows.flatMap(({ parent_id }) => parent_id ?? []));
  const asked = [...open].filter(({ who }) => who.kind === 'parent' && families.has(who.id));
  const ended = new Set(asked.map(({ who }) => who.session));
  const hashes = [...ended];
  for (let from = 0; from < hashes.length; from += SESSIONS_AT_ONCE) {
    const alive = await findLiveSessions(db, hashes.slice(from, from + SESSIONS_AT_ONCE), clock.now());
    for (const hash of alive) ended.delete(hash);
  }
  return ended;
}

/** A page of events with their children as they are now; for one parent, only what may concern them. */
async function readPage(
  context: Context,
  open: Iterable<Stream>,
  after: number,
  actor: Actor | undefined,
): Promise<Page<Actor>> {
  const { db } = context;
  const rows = await findEventsAfter(db, after, BATCH, actor?.kind === 'parent' ? actor.id : undefined);
  const childIds = new Set(rows.flatMap(({ child_id }) => child_id ?? []));
  const children = new Map((await findChildrenByIds(db, [...childIds])).map((child) => [child.id, child]));
  const inside = rows.some((row) => row.to_parents_inside === 1)
    ? await findParentsInside(db)
    : new Set<string>();
  // After the events: whoever ended with one of them is seen to have ended.
  const ended = await findEndedSessions(context, rows, open);
  return {
    lastId: rows.at(-1)?.id ?? after,
    isFull: rows.length === BATCH,
    events: rows.map((row) => {
      const texts = new Map<AccountKind, string | null>();
      return {
        id: row.id,
        textFor(who) {
          if (ended.has(who.session) || !concerns(who, row, inside)) return null;
          // The same words for all staff, and for the whole family: made once each.
          let text = texts.get(who.kind);
          if (text === undefined) {
            text = textOf(row, row.child_id === null ? undefined : children.get(row.child_id), who.kind);
            texts.set(who.kind, text);
          }
          return text;
        },
      };
    }),
  };
}

/** The event as it is sent; null for an unknown row. Pure. */
function textOf(row: EventRow, child: ChildView | undefined, viewer: AccountKind): string | null {
  const event = eventSchema.safeParse({
    type: row.type,
    at: toMoment(row.at),
    childId: row.child_id,
    parentId: row.parent_id,
    child: child ? presentChild(child, viewer) : null,
    ...(row.incident_id === null ? {} : { incidentId: row.incident_id }),
  });
  if (!event.success) return null;
  return `id: ${row.id}\nevent: ${event.data.type}\ndata: ${JSON.stringify(event.data)}\n\n`;
}

export function eventFeature(app: FastifyInstance, context: Context): EventStreams {
  const streams = new Set<Stream>();
  const fanOut = openFanOut<Actor>({
    readAfter: (id, actor) => readPage(context, streams, id, actor),
    onFailure: (error) => context.log.warn(describeFailure(error), 'events could not be read'),
  });

  /**
   * Ends the account's oldest streams beyond the number allowed. The oldest, not the new one: after a broken network
   * the old ones are the dead ones that nobody has noticed yet, and the desk must not be kept waiting for them.
   */
  function makeRoom(actor: Actor): void {
    const own = [...streams].filter(({ who: one }) => one.kind === actor.kind && one.id === actor.id);
    for (const stream of own.slice(0, Math.max(0, own.length + 1 - EVENT_STREAMS_PER_ACCOUNT))) stream.end();
  }

  /** Ends the streams whose session is over. */
  async function checkSessions(): Promise<void> {
    const hashes = [...new Set([...streams].map(({ who }) => who.session))];
    for (let from = 0; from < hashes.length; from += SESSIONS_AT_ONCE) {
      const asked = hashes.slice(from, from + SESSIONS_AT_ONCE);
      const alive = await findLiveSessions(context.db, asked, context.clock.now());
      const over = new Set(asked.filter((hash) => !alive.has(hash)));
      for (const stream of streams) if (over.has(stream.who.session)) stream.end();
    }
  }

  /** Also told when it is well again: `isWell` then. */
  function statusOf({ kind }: Actor): { readonly text: string; readonly isWell: boolean } {
    const status: Status = {
      type: 'status',
      storage: context.storage.isFull() ? 'full' : 'ok',
      clock: kind === 'admin' && context.clockGuard.isAhead() ? 'ahead' : 'ok',
    };
    return {
      text: `event: status\ndata: ${JSON.stringify(status)}\n\n`,
      isWell: status.storage === 'ok' && status.clock === 'ok',
    };
  }
  const tellStatus = (): void => {
    for (const stream of streams) stream.write(statusOf(stream.who).text);
  };
  const stopWatching = [context.storage.onChange(tellStatus), context.clockGuard.onChange(tellStatus)];

  const stopListening = context.wakeup.listen(fanOut.wake);
  const sweep = setInterval(fanOut.wake, SWEEP_MS);
  const heartbeat = setInterval(() => {
    for (const stream of streams) if (stream.waiting() === 0) stream.write(':\n\n');
  }, HEARTBEAT_MS);
  let checking = false;
  const sessionCheck = setInterval(async () => {
    if (checking) return;
    checking = true;
    try {
      await checkSessions();
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
    const newest = await findLastEventId(context.db);
    // Last of all, so that no session ends unseen before its stream is among those that are looked at.
    const actor = await identify(context, request);
    if (!actor) throw new AppError('unauthenticated');
    request.harisActor = actor;
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
      who: actor,
      leave: () => {},
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
        forget();
        raw.end();
        // Who takes nothing would keep the connection, and get what waits long after the session's end.
        setTimeout(() => raw.destroy(), END_WITHIN_MS).unref();
      },
    };
    const forget = (): void => {
      streams.delete(stream);
      stream.leave();
    };
    makeRoom(actor);
    streams.add(stream);
    raw.on('close', forget);
    raw.on('error', forget);
    raw.write('retry: 2000\n: hello\n\n');
    const status = statusOf(actor);
    if (!status.isWell) raw.write(status.text);
    // An id from the future (another database) would keep the stream silent: such a client starts from now.
    stream.leave = fanOut.open(stream, asked !== null && asked <= newest ? asked : newest, newest);
  });

  return {
    count: () => streams.size,
    stop() {
      stopListening();
      for (const stop of stopWatching) stop();
      for (const timer of [sweep, heartbeat, sessionCheck]) clearInterval(timer);
      for (const stream of [...streams]) stream.end();
    },
  };
}
