/** Who may see what of which family, where several features ask: pure. */
import type { Actor } from '../actor.ts';
import type { PhotoOwner } from '../db/photos.ts';

/** Staff see every photo; a parent those of the own family. */
export function maySeePhoto(actor: Actor, owner: PhotoOwner): boolean {
  return actor.kind === 'admin' || actor.id === owner.parent_id;
}

/** Staff watch every child; a parent the own ones. Whether there is a picture is another question. */
export function mayWatchChild(actor: Actor, child: { readonly parent_id: string }): boolean {
  return actor.kind === 'admin' || actor.id === child.parent_id;
}

/** A whole camera shows everyone: staff only. */
export function mayWatchCamera(actor: Actor): boolean {
  return actor.kind === 'admin';
}
