/** Reads pages of events, and decides which account gets which event, and with which fields. */
import { eventSchema } from '@haris/contract/live/events';
import { streams } from '@haris/contract/live/sockets';
import type { Actor } from '../../actor.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { type ChildView, findChildrenByIds } from '../../db/children.ts';
import { type EventRow, findEventsAfter } from '../../db/events.ts';
import { findFacilitiesOfFamilies } from '../../db/facilities.ts';
import { findRightsAt, type Rights } from '../../db/memberships.ts';
import { sessionKey } from '../../db/sessions.ts';
import { findParentIdsInside } from '../../db/stays.ts';
import { ALL_FACILITIES, inFacility } from '../../facility.ts';
import { findStillAdmitted, openingOf } from '../../http/openings.ts';
import { presentChild } from '../../http/present.ts';
import { may, type Permitted, permissionsAt } from '../../policy.ts';
import { mayReceive } from './event-permissions.ts';
import type { Page, PageEvent } from './fan-out.ts';

/** Events per page. */
const PAGE_SIZE = 500;
const opening = openingOf(streams.streamEvents);

/**
 * Keys (`sessionKey`) of those of these people whose session has ended, who have lost the role at the facility at which they
 * work, or who may no longer have the stream open.
 */
export async function findEndedSessions(
  context: Pick<Context, 'db' | 'vault' | 'clock'>,
  actors: readonly Actor[],
): Promise<ReadonlySet<string>> {
  const still = await findStillAdmitted(context, opening, actors);
  return new Set(actors.map(sessionKey).filter((key) => !still.has(key)));
}

/**
 * Whether an event is about the parent: about the own account, or about a child whose guardian the parent is now and, if it is
 * not the first one, was then already. `child`: the child of the event; undefined if it has none or was deleted.
 */
function isAbout(id: string, row: EventRow, child: ChildView | undefined): boolean {
  // Whoever was asked, or has ended, is no guardian, and is told that and no more.
  if (child === undefined || row.type === 'guardian.changed') return row.parent_id === id;
  const own = child.guardians.find(({ parentId }) => parentId === id);
  if (own === undefined) return false;
  if (row.parent_id === id) return true;
  return row.audience === 'guardians' && (child.parent_id === id || own.since <= row.at);
}

/** Open sessions of the parents whom these events concern. */
function sessionsConcerned(
  rows: readonly EventRow[],
  children: ReadonlyMap<string, ChildView>,
  open: Iterable<Actor>,
): Actor[] {
  const concerned = new Set<string>();
  for (const { parent_id, child_id } of rows) {
    if (parent_id !== null) concerned.add(parent_id);
    for (const { parentId } of children.get(child_id ?? '')?.guardians ?? []) concerned.add(parentId);
  }
  return [...open].filter(({ kind, id }) => kind === 'parent' && concerned.has(id));
}

/** The family of an event: to a guardian, the guardian; to a parent whom the event reaches as all others inside, nobody. */
function parentIdFor(row: EventRow, child: ChildView | undefined, { kind, id }: Permitted): string | null {
  if (kind === 'admin' || row.parent_id === null) return row.parent_id;
  return isAbout(id, row, child) ? id : null;
}

/** Formats the event for the stream; null if the row is of an unknown kind. Pure. */
function textOf(row: EventRow, child: ChildView | undefined, reader: Permitted): string | null {
  const event = eventSchema.safeParse({
    type: row.type,
    at: toMoment(row.at),
    childId: row.child_id,
    parentId: parentIdFor(row, child, reader),
    child: child ? presentChild(child, reader) : null,
    ...(row.incident_id === null ? {} : { incidentId: row.incident_id }),
  });
  if (!event.success) return null;
  return `id: ${row.id}\nevent: ${event.data.type}\ndata: ${JSON.stringify(event.data)}\n\n`;
}

/** For events that belong to no single facility, finds the facilities that know the family concerned. */
async function findPlaces(
  db: Context['db'],
  rows: readonly EventRow[],
): Promise<(row: EventRow) => ReadonlySet<string>> {
  const shared = rows.filter(({ facility_id }) => facility_id === ALL_FACILITIES);
  const places = await findFacilitiesOfFamilies(db, [
    ...new Set(shared.flatMap(({ parent_id }) => parent_id ?? [])),
  ]);
  return ({ parent_id }) => new Set(parent_id === null ? [] : places.get(parent_id));
}

/**
 * Reads what a page needs for one facility: the permissions of its staff, and the children that it knows. `facility`
 * null: for parents, who see their children at every facility; it has no permissions.
 */
async function readAt(
  db: Context['db'],
  facility: string | null,
  childIds: readonly string[],
  staff: readonly string[],
) {
  const children = await (facility === null
    ? findChildrenByIds(db, childIds)
    : inFacility(facility, () => findChildrenByIds(db, childIds)));
  const rights = facility === null ? new Map<string, Rights>() : await findRightsAt(db, facility, staff);
  return { children: new Map(children.map((child) => [child.id, child])), rights };
}

/**
 * Reads a page of events after an id, with the current data of their children. `open` returns the actors of all open
 * streams. If `actor` is a parent, the page has only events that may concern that parent.
 */
export async function readPage(
  context: Pick<Context, 'db' | 'vault' | 'clock'>,
  open: () => Iterable<Actor>,
  after: number,
  actor: Actor | undefined,
): Promise<Page<Actor>> {
  const { db } = context;
  const rows = await findEventsAfter(db, after, PAGE_SIZE, actor?.kind === 'parent' ? actor.id : undefined);
  const childIds = [...new Set(rows.flatMap(({ child_id }) => child_id ?? []))];
  /** Parents with a child inside, by the facility of an event for them. */
  const inside = new Map<string, ReadonlySet<string>>();
  for (const { facility_id, to_parents_inside } of rows)
    if (to_parents_inside === 1 && !inside.has(facility_id))
      inside.set(facility_id, new Set(await findParentIdsInside(db, facility_id)));
  const { children } = await readAt(db, null, childIds, []);
  // Check sessions after reading the events: a change by staff may end a session in the transaction of its event, and that
  // session must not get the event.
  const ended = await findEndedSessions(context, sessionsConcerned(rows, children, open()));
  const placesOf = await findPlaces(db, rows);
  // Read for each page: a role may have changed since the stream was opened.
  const at = new Map<string | null, Awaited<ReturnType<typeof readAt>>>([
    [null, { children, rights: new Map() }],
  ]);
  const staff = [...open()].filter(({ kind }) => kind === 'admin');
  for (const [facility, actors] of Map.groupBy(staff, (one) => one.facility))
    at.set(facility, await readAt(db, facility, childIds, [...new Set(actors.map(({ id }) => id))]));

  function concerns({ kind, id, facility, deskId }: Actor, row: EventRow): boolean {
    if (kind === 'parent')
      return (
        isAbout(id, row, children.get(row.child_id ?? '')) ||
        (row.to_parents_inside === 1 && inside.get(row.facility_id)?.has(id) === true)
      );
    if (row.audience === 'account') return false;
    const rights = at.get(facility)?.rights.get(id);
    if (facility === null || !rights || !mayReceive(permissionsAt(rights.here, deskId), row.type))
      return false;
    if (row.facility_id !== ALL_FACILITIES) return row.facility_id === facility;
    return mayReceive(permissionsAt(rights.everywhere, deskId), row.type) || placesOf(row).has(facility);
  }

  /** What the account may do now, not when its stream was opened. */
  function readerOf({ kind, id, facility, deskId }: Actor): Permitted {
    const rights = kind === 'admin' ? at.get(facility)?.rights.get(id) : undefined;
    return { kind, id, permissions: permissionsAt(rights?.here ?? new Set(), deskId) };
  }

  function toEvent(row: EventRow): PageEvent<Actor> {
    /** One text for all staff of a facility who may read the same, and one for each parent who reads the child. */
    const texts = new Map<string, string | null>();
    return {
      id: row.id,
      textFor(who) {
        if (ended.has(sessionKey(who)) || !concerns(who, row)) return null;
        const place = who.kind === 'admin' ? who.facility : null;
        const found = at.get(place)?.children.get(row.child_id ?? '');
        const reader = readerOf(who);
        const child = found && may(reader, 'families.view', found.guardians) ? found : undefined;
        const own = who.kind === 'parent' && (child !== undefined || row.parent_id !== null) ? who.id : '';
        const key = `${who.kind} ${own} ${place} ${child !== undefined} ${may(reader, 'children.check_in')}`;
        let text = texts.get(key);
        if (text === undefined) {
          text = textOf(row, child, reader);
          texts.set(key, text);
        }
        return text;
      },
    };
  }

  return { lastId: rows.at(-1)?.id ?? after, isFull: rows.length === PAGE_SIZE, events: rows.map(toEvent) };
}
