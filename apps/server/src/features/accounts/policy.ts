/** Who may do what with accounts: pure. */
import type { Actor } from '../../actor.ts';

/** Staff see and change every parent; a parent the own account only. */
export function mayManageParent(actor: Actor, parentId: string): boolean {
  return actor.kind === 'admin' || actor.id === parentId;
}
