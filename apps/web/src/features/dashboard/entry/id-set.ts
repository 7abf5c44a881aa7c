/** Sets of ids that are never changed in place, so that they can be state. Pure. */
export const NOBODY: ReadonlySet<string> = new Set();

/** A copy of the set with the id, or without it. */
export function withId(ids: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(ids);
  if (isIn) next.add(id);
  else next.delete(id);
  return next;
}
