/** Finds whom or what somebody asks to watch, among what this actor may see; and whether there is a picture now. */
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findCamera } from '../../db/cameras.ts';
import { type ChildView, findChild, findChildrenByName } from '../../db/children.ts';
import { foldForSearch } from '../../db/folding.ts';
import type { CameraRow } from '../../db/schema.ts';
import { mayWatchCamera, mayWatchChild } from '../../http/policy.ts';

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

/** Throws 403 for a parent who asks for a camera, 404 for what is not there to this actor, 400. */
export async function findTarget(context: Context, actor: Actor, query: VideoQuery): Promise<Target> {
  const { target_name: name, target_id: id, camera_id: cameraId } = query;
  // Who may, before what was asked: nothing can be told from the order.
  if (cameraId !== undefined && !mayWatchCamera(actor)) throw new AppError('forbidden');
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
  if (!child || !mayWatchChild(actor, child)) throw new AppError('not_found');
  return child;
}

/**
 * Names compare as in search: without case, accents and Arabic letter forms. Never across families for a parent; of two
 * own children of one name the one that is inside. Staff must say which of several by `target_id`.
 */
async function childByName(context: Context, actor: Actor, name: string): Promise<ChildView> {
  const folded = foldForSearch(name);
  if (folded === '') refuse('target_name', 'target_name is required');
  const parentId = actor.kind === 'admin' ? undefined : actor.id;
  const found = await findChildrenByName(context.db, folded, parentId);
  const visible = found.filter((child) => mayWatchChild(actor, child));
  const [first] = visible;
  if (!first) throw new AppError('not_found');
  if (visible.length === 1) return first;
  if (actor.kind === 'admin') refuse('target_name', 'Several children have this name: use target_id');
  return visible.find((child) => child.unique_entry_id !== null) ?? first;
}
