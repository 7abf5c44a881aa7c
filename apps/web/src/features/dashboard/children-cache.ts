/** What one child's news changes in the lists on screen. Pure: takes lists, gives lists, knows no query client. */
import type { Child, Parent } from '@haris/contract/objects';
import { dueAt } from '../../countdown/remaining.ts';

/**
 * Those over time first, then by due time (the earliest due is the longest over), then by name.
 * A stay whose end cannot be read comes first: someone has to look at it.
 */
export function sortByDue(children: readonly Child[]): Child[] {
  return [...children].sort(
    (a, b) => (dueAt(a) ?? 0) - (dueAt(b) ?? 0) || a.name.localeCompare(b.name) || (a._id < b._id ? -1 : 1),
  );
}

/**
 * News of a child say nothing of the cameras: where it was seen in this stay stands in what was read before. Who comes in
 * where cameras look was not seen yet, and says so from the start: its row must not grow a moment later.
 */
function withLastSeen(child: Child, inside: readonly Child[]): Child {
  if (child.lastSeen !== undefined) return child;
  const before = inside.find(({ uniqueEntryId }) => uniqueEntryId === child.uniqueEntryId);
  if (before?.lastSeen !== undefined) return { ...child, lastSeen: before.lastSeen };
  return inside.some(({ lastSeen }) => lastSeen !== undefined) ? { ...child, lastSeen: null } : child;
}

/** The children inside after news of `child`: put in or replaced when inside, taken out when not. The same array when nothing changes. */
export function withChildInside(inside: readonly Child[], child: Child): readonly Child[] {
  const known = inside.find((other) => other._id === child._id);
  if (!child.isInside) return known ? inside.filter((other) => other._id !== child._id) : inside;
  return sortByDue([...inside.filter((other) => other._id !== child._id), withLastSeen(child, inside)]);
}

/** Families as they are listed, page by page. */
interface ParentsPage {
  readonly parents: readonly Parent[];
  readonly total: number;
}

/** The pages without a parent who was deleted; each names the new total. */
export function withoutParent<P extends ParentsPage>(pages: readonly P[], parentId: string): P[] {
  if (!pages.some(({ parents }) => parents.some(({ _id }) => _id === parentId))) return [...pages];
  return pages.map((page) => ({
    ...page,
    parents: page.parents.filter(({ _id }) => _id !== parentId),
    total: page.total - 1,
  }));
}

/** The parents after news of `child`: replaced where the own family has it. Families without it stay the same objects. */
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
