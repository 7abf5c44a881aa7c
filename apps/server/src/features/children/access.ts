/** Finds the child or parent of a call if the actor has access, and presents a saved child. */
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { type ChildView, findChild } from '../../db/children.ts';
import { findParent } from '../../db/parents.ts';
import { presentChild } from '../../http/present.ts';
import { firstGuardian, may } from '../../policy.ts';
import { presentCandidates } from '../../vision/resemblance.ts';
import type { SavedChild } from './service.ts';

export type Access = ReturnType<typeof openAccess>;

export function openAccess(context: Context) {
  return {
    /**
     * Throws 404, also for a child that the actor may not see. A parent must be the first guardian, with the right to change
     * the child: a change by another one would replace a proposal that this one may not read.
     */
    async ownChild({ actor, params }: { actor: Actor; params: { id: string } }): Promise<ChildView> {
      const child = await findChild(context.db, params.id);
      const permission = actor.kind === 'parent' ? 'families.edit' : 'families.view';
      if (!child || !may(actor, permission, firstGuardian(child))) throw new AppError('not_found');
      return child;
    },
    /** Returns the parent's id if the actor may add children to the account. Throws 404. */
    async ownParent(actor: Actor, parentId: string): Promise<string> {
      if (!may(actor, 'families.edit', parentId) || !(await findParent(context.db, parentId)))
        throw new AppError('not_found');
      return parentId;
    },
    /** Presents the child as the actor may see it; for staff, with the children who look alike. */
    async presentSaved(actor: Actor, message: string, saved: SavedChild) {
      return {
        message,
        child: presentChild(saved.child, actor),
        ...(actor.kind === 'admin' && saved.lookalikes.length > 0
          ? { lookalikes: await presentCandidates(context, saved.lookalikes) }
          : {}),
      };
    },
  };
}
