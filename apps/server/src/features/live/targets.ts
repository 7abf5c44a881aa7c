/** Finds the child or camera that a request names, among those that the actor may watch. */

import { foldForSearch } from '@haris/contract/search/folding';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findCamera } from '../../db/cameras.ts';
import { type ChildView, findChild, findChildrenByName } from '../../db/children.ts';
import type { CameraRow } from '../../db/schema.ts';
import { may } from '../../policy.ts';

export interface VideoQuery {
  readonly target_name?: string | undefined;
  readonly target_id?: string | undefined;
  readonly camera_id?: string | undefined;
}

export type Target =
  | { readonly kind: 'child'; readonly child: ChildView }
  | { readonly kind: 'camera'; readonly camera: CameraRow };

function refuse(field: keyof VideoQuery, message: string): never {
  throw new AppError('invalid_request', { message, fields: { [field]: message } });
}

/** Throws 403 if a parent names a camera; 404 if the target does not exist or the actor may not see it; 400. */
export async function findTarget(context: Context, actor: Actor, query: VideoQuery): Promise<Target> {
  const { target_name: name, target_id: id, camera_id: cameraId } = query;
  // Authorize before validating, so that the order of errors reveals nothing.
  if (cameraId !== undefined && !may(actor, 'live.watch')) throw new AppError('forbidden');
  const asked = [name, id, cameraId].filter((part) => part !== undefined).length;
  if (asked > 1) refuse('target_id', 'Only one of target_name, target_id and camera_id may be given');
  if (id !== undefined) return { kind: 'child', child: await childById(context, actor, id) };
  if (name !== undefined) return { kind: 'child', child: await childByName(context, actor, name) };
  if (cameraId === undefined) refuse('target_name', 'target_name or target_id is required');
  const camera = cameraId.includes('\0') ? undefined : await findCamera(context.db, cameraId);
  if (!camera) throw new AppError('not_found');
  return { kind: 'camera', camera };
}

async function childById(context: Context, actor: Actor, id: string): Promise<ChildView> {
  const child = id.includes('\0') ? undefined : await findChild(context.db, id);
  if (!child || !may(actor, 'live.watch', child.guardians)) throw new AppError('not_found');
  return child;
}

/**
 * Finds a child by name, ignoring case, accents and Arabic letter forms, as in search. Parents find only children
 * whose guardian they are, and of two with the same name the child inside. Staff must use `target_id` if several children have the name.
 */
async function childByName(context: Context, actor: Actor, name: string): Promise<ChildView> {
  const folded = foldForSearch(name);
  if (folded === '') refuse('target_name', 'target_name is required');
  const parentId = actor.kind === 'parent' ? actor.id : undefined;
  const found = await findChildrenByName(context.db, folded, parentId);
  const visible = found.filter((child) => may(actor, 'live.watch', child.guardians));
  const [first] = visible;
  if (!first) throw new AppError('not_found');
  if (visible.length === 1) return first;
  if (actor.kind === 'admin') refuse('target_name', 'Several children have this name: use target_id');
  return visible.find((child) => child.unique_entry_id !== null) ?? first;
}
