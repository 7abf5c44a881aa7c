/** Applies the change of one child to the cached lists. Pure. */
import type { Child, Parent } from '@haris/contract/objects';
import { dueAt } from '../../../countdown/remaining.ts';

/**
 * Children over time first, then by due time (the earliest due is the longest over), then by name. A stay with an
 * unreadable end comes first, so that somebody looks at it.
 */
export function sortByDue(children: readonly Child[]): Child[] {
  return [...children].sort(
    (a, b) => (dueAt(a) ?? 0) - (dueAt(b) ?? 0) || a.name.localeCompare(b.name) || (a._id < b._id ? -1 : 1),
  );
}

/**
 * Events about a child do not include sightings, so the sighting of the same stay is copied from the cached list. If
 * the list shows sightings at all, a new child gets null ("not seen yet") at once, so that its row does not grow later.
 */
function withLastSeen(child: Child, inside: readonly Child[]): Child {
  if (child.lastSeen !== undefined) return child;
  const before = inside.find(({ uniqueEntryId }) => uniqueEntryId === child.uniqueEntryId);
  if (before?.lastSeen !== undefined) return { ...child, lastSeen: before.lastSeen };
  return inside.some(({ lastSeen }) => lastSeen !== undefined) ? { ...child, lastSeen: null } : child;
}

/**
 * The children inside after a change of `child`: added or replaced if inside, removed if not. Returns the same array if
 * the child is neither inside nor listed.
 */
export function withChildInside(inside: readonly Child[], child: Child): readonly Child[] {
  const known = inside.find((other) => other._id === child._id);
  if (!child.isInside) return known ? inside.filter((other) => other._id !== child._id) : inside;
  return sortByDue([...inside.filter((other) => other._id !== child._id), withLastSeen(child, inside)]);
}

/** One page of the list of families. */
interface ParentsPage {
  readonly parents: readonly Parent[];
  readonly total: number;
}

/** The pages without a deleted parent; each page gets the new total. */
export function withoutParent<P extends ParentsPage>(pages: readonly P[], parentId: string): P[] {
  if (!pages.some(({ parents }) => parents.some(({ _id }) => _id === parentId))) return [...pages];
  return pages.map((page) => ({
    ...page,
    parents: page.parents.filter(({ _id }) => _id !== parentId),
    total: page.total - 1,
  }));
}

/** The parents after a change of `child`, replaced in its own family. Other families stay the same objects. */
export function withChildInFamilies(parents: readonly Parent[], child: Child): readonly Parent[] {
  return parents.map((parent) =>
    parent.children.some((other) => other._id === child._id)
      ? {
          ...parent,
          children: parent.children.map((other) => (other._id === child._id ? child : other)),
        }
      : parent,
  );
}

/**
 * Updates a sheet after a change of `child`, who may be its child or a sibling. Within the same stay, keeps where the
 * child was last seen.
 */
export function withChildInSheet<S extends { readonly child: Child; readonly parent: Parent }>(
  sheet: S,
  child: Child,
): S {
  const [parent] = withChildInFamilies([sheet.parent], child);
  if (sheet.child._id !== child._id) return { ...sheet, parent };
  return { ...sheet, parent, child: withLastSeen(child, [sheet.child]) };
}
