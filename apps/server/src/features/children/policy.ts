/** Who may do what with children and their faces: pure. */
import type { Actor } from '../../actor.ts';

/** Staff see every child; a parent the own ones. */
export function maySeeChild(actor: Actor, child: { readonly parent_id: string }): boolean {
  return actor.kind === 'admin' || actor.id === child.parent_id;
}

/** Staff add children to any parent; a parent to the own account. */
export function mayAddChildTo(actor: Actor, parentId: string): boolean {
  return actor.kind === 'admin' || actor.id === parentId;
}
