/** Fake server with families for page tests of the dashboard: children inside, check-in, checkout and undo. */

import type { EntryPeriod, StayEnd } from '@haris/contract/fields';
import { accountRoutes } from '@haris/contract/http/accounts';
import { childRoutes } from '@haris/contract/http/children';
import { searchRoutes, type UsualEntry } from '@haris/contract/http/search';
import { sheetRoutes } from '@haris/contract/http/sheets';
import { stayRoutes } from '@haris/contract/http/stays';
import type { Child, Parent } from '@haris/contract/objects';
import { queryOf, rankPeople, searchable } from '@haris/contract/search/people';
import { handle, refuse, server } from '../../../testing/contract-server.ts';
import { entryId, parent } from '../../../testing/people.ts';

export interface Desk {
  /** Actions carried out, oldest first: `check-in child-omar 30`, `checkout child-omar`, `undo-check-in child-omar`. */
  readonly done: readonly string[];
  /** Checks a child in at another desk, without a call of this page. */
  enter: (childId: string, minutes?: number) => void;
  leave: (childId: string) => void;
  /** These siblings came together last time, for so long. */
  cameLast: (childIds: readonly string[], minutes: EntryPeriod | null, end?: StayEnd) => void;
}

/** A parent with the given children, which get the parent's id, name and phone. */
export function family(more: Partial<Parent>, ...children: readonly Child[]): Parent {
  const known = parent(more);
  const { _id, name, phone } = known;
  return { ...known, children: children.map((child) => ({ ...child, parent: { _id, name, phone } })) };
}

/** Installs the handlers of the desk's calls. */
export function serveDesk(...families: readonly Parent[]): Desk {
  const parents = [...families];
  const done: string[] = [];

  const find = (id: string) => parents.flatMap(({ children }) => children).find(({ _id }) => _id === id);
  function put(child: Child): Child {
    for (const [index, known] of parents.entries()) {
      const children = known.children.map((one) => (one._id === child._id ? child : one));
      parents[index] = { ...known, children };
    }
    return child;
  }
  const outside = (child: Child) =>
    put({
      ...child,
      status: 'Outside',
      isInside: false,
      entryTime: null,
      duration: null,
      uniqueEntryId: null,
    });
  const inside = (child: Child, minutes: number) =>
    put({
      ...child,
      status: 'Inside',
      isInside: true,
      entryTime: new Date().toISOString(),
      duration: minutes,
      uniqueEntryId: entryId(),
    });
  /** Children as they were inside, by child id, for undoing a checkout. */
  const left = new Map<string, Child>();

  const usual: UsualEntry = { childIds: [], minutes: null };
  const named = (text: string) => [{ text: searchable('name', text), penalty: 0 }];

  /** Sets another end; the duration is in whole minutes. */
  function extend(child: Child, due: string, minutes: number) {
    const end = Date.parse(child.entryTime ?? '') + (child.duration ?? 0) * 60_000;
    if (end !== Date.parse(due)) return refuse('stay_changed');
    done.push(`extend ${child._id} ${minutes}`);
    return { message: 'Extended', child: put({ ...child, duration: (child.duration ?? 0) + minutes }) };
  }

  server.use(
    handle(searchRoutes.search, ({ query: { q } }) => {
      const pairs = parents.flatMap((parent) => parent.children.map((child) => ({ child, parent })));
      const typed = queryOf(q);
      const isEmpty = typed.folded === '';
      const children = isEmpty ? [] : rankPeople(typed, pairs, ({ child }) => named(child.name));
      const found = isEmpty
        ? parents.map((person) => ({ person, match: { cost: 0 } }))
        : rankPeople(typed, parents, (parent) => named(`${parent.name} ${parent.email}`));
      const rankOf = (cost: number) => Math.round(cost * 1000);
      const usualOf = (parent: Parent) =>
        parent.children.some(({ _id }) => usual.childIds.includes(_id))
          ? usual
          : { childIds: [], minutes: null };
      return {
        children: children.map(({ person: { child, parent }, match }) => ({
          rank: rankOf(match.cost),
          by: 'name' as const,
          child,
          parent,
          usual: usualOf(parent),
        })),
        parents: found.map(({ person, match }) => ({
          rank: rankOf(match.cost),
          parent: person,
          usual: usualOf(person),
        })),
      };
    }),
    handle(sheetRoutes.getChild, ({ params: { id } }) => {
      const of = parents.find(({ children }) => children.some(({ _id }) => _id === id));
      const child = find(id);
      if (of === undefined || child === undefined) return refuse('not_found');
      const isUsual = usual.childIds.includes(id);
      return {
        child,
        parent: of,
        facePhotos: [],
        usual: isUsual ? usual : { childIds: [id], minutes: null },
      };
    }),
    handle(sheetRoutes.getParent, ({ params: { id } }) => {
      const found = parents.find(({ _id }) => _id === id);
      return found === undefined
        ? refuse('not_found')
        : { parent: found, pendingEmail: null, emailWaits: null };
    }),
    handle(stayRoutes.listStays, { stays: [], total: 0, nextCursor: null }),
    handle(stayRoutes.extendStay, ({ params: { id }, body: { due, minutes, until } }) => {
      const child = find(id);
      if (child === undefined) return refuse('not_found');
      if (!child.isInside) return refuse('not_inside');
      return extend(child, due, minutes ?? Math.ceil((Date.parse(until ?? '') - Date.parse(due)) / 60_000));
    }),
    handle(stayRoutes.undoExtendStay, ({ params: { id } }) => {
      const child = find(id);
      if (child === undefined) return refuse('not_found');
      done.push(`undo-extend ${id}`);
      return { message: 'Undone', child: put({ ...child, duration: (child.duration ?? 0) - 30 }) };
    }),
    handle(childRoutes.listChildren, ({ query }) => {
      const children = parents
        .flatMap((known) => known.children)
        .filter(({ isInside }) => query.inside === undefined || isInside === (query.inside === 'true'));
      return { children, total: children.length, nextCursor: null };
    }),
    handle(accountRoutes.listParents, ({ query: { search = '', pending, limit, cursor = '0' } }) => {
      const found = parents
        .filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(search.toLowerCase()))
        .filter(
          (parent) =>
            pending !== 'true' || [parent, ...parent.children].some((one) => one.pending.length > 0),
        );
      const end = Number(cursor) + limit;
      return {
        parents: found.slice(Number(cursor), end),
        total: found.length,
        nextCursor: end < found.length ? String(end) : null,
      };
    }),
    handle(accountRoutes.deleteParent, ({ params: { id } }) => {
      const index = parents.findIndex(({ _id }) => _id === id);
      if (parents[index]?.children.some(({ isInside }) => isInside)) return refuse('child_inside');
      parents.splice(index, 1);
      done.push(`delete ${id}`);
      return { message: 'Parent deleted' };
    }),
    handle(childRoutes.checkInChild, ({ params: { id }, body }) => {
      const child = find(id);
      if (child === undefined) return refuse('not_found');
      if (child.isInside) return refuse('already_inside');
      done.push(`check-in ${id} ${body.durationInMinutes}`);
      return { message: 'Checked in', child: inside(child, body.durationInMinutes) };
    }),
    handle(childRoutes.checkOutChild, ({ params: { id } }) => {
      const child = find(id);
      if (child === undefined) return refuse('not_found');
      if (!child.isInside) return refuse('not_inside');
      left.set(id, child);
      done.push(`checkout ${id}`);
      return { message: 'Checked out', child: outside(child) };
    }),
    handle(stayRoutes.undoCheckInChild, ({ params: { id } }) => {
      const child = find(id);
      if (child === undefined) return refuse('not_found');
      done.push(`undo-check-in ${id}`);
      return { message: 'Undone', child: outside(child) };
    }),
    handle(stayRoutes.undoCheckOutChild, ({ params: { id } }) => {
      const before = left.get(id);
      if (before === undefined) return refuse('nothing_to_undo');
      if (find(id)?.isInside) return refuse('already_inside');
      done.push(`undo-checkout ${id}`);
      return { message: 'Undone', child: put(before) };
    }),
  );
  return {
    done,
    cameLast(childIds, minutes, end) {
      usual.childIds = [...childIds];
      usual.minutes = minutes;
      usual.end = end;
    },
    enter(childId, minutes = 60) {
      const child = find(childId);
      if (child !== undefined) inside(child, minutes);
    },
    leave(childId) {
      const child = find(childId);
      if (child !== undefined) outside(child);
    },
  };
}
