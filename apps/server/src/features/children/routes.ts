/** Binds the calls of children and their faces to their services. */
import { childRoutes } from '@haris/contract/http/children';
import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { hasCameras } from '../../db/cameras.ts';
import { type ChildView, findChild, findChildrenPage } from '../../db/children.ts';
import { findParent } from '../../db/parents.ts';
import { findLastSeen } from '../../db/sightings.ts';
import { bind } from '../../http/bind.ts';
import { presentChild, presentListedChild } from '../../http/present.ts';
import { decide } from '../../proposals/decide.ts';
import { admitFace } from '../../proposals/limits.ts';
import { askerOf } from '../../vision/client.ts';
import { presentCandidates } from '../../vision/resemblance.ts';
import { checkFaces } from './check-faces.ts';
import { addPhoto, proposePhoto } from './more-photos.ts';
import { mayAddChildTo, maySeeChild } from './policy.ts';
import { createChild, deleteChild, type SavedChild, updateChild } from './service.ts';

export function childFeature(app: FastifyInstance, context: Context): void {
  const ownChild = async (call: { actor: Actor; params: { id: string } }): Promise<ChildView> => {
    const child = await findChild(context.db, call.params.id);
    if (!child || !maySeeChild(call.actor, child)) throw new AppError('not_found');
    return child;
  };
  /** The parent that children may be added to by this actor. */
  const ownParent = async (actor: Actor, parentId: string): Promise<string> => {
    if (!mayAddChildTo(actor, parentId) || !(await findParent(context.db, parentId)))
      throw new AppError('not_found');
    return parentId;
  };
  const presentSaved = async (actor: Actor, message: string, saved: SavedChild) => ({
    message,
    child: presentChild(saved.child, actor.kind),
    ...(actor.kind === 'admin' && saved.lookalikes.length > 0
      ? { lookalikes: await presentCandidates(context, saved.lookalikes) }
      : {}),
  });

  bind(app, context, childRoutes.listChildren, {
    async handle({ actor, query }) {
      const page = await findChildrenPage(context.db, {
        search: query.search,
        limit: query.limit,
        cursor: query.cursor,
        inside: query.inside === undefined ? undefined : query.inside === 'true',
        pending: query.pending === undefined ? undefined : query.pending === 'true',
        parentId: actor.kind === 'parent' ? actor.id : undefined,
      });
      const ids = page.rows.map((child) => child.id);
      // Without a camera nobody could have been seen, and nothing is said of it.
      const seen = (await hasCameras(context.db)) ? await findLastSeen(context.db, ids) : null;
      return {
        children: page.rows.map((child) =>
          seen === null
            ? presentChild(child, actor.kind)
            : presentListedChild(child, actor.kind, seen.get(child.id) ?? null),
        ),
        total: page.total,
        nextCursor: page.nextCursor,
      };
    },
  });
  bind(app, context, childRoutes.createChild, {
    find: ({ actor, params }) => ownParent(actor, params.parentId),
    async handle({ actor, body, files, subject }) {
      await admitFace(context, actor, 'create', files.photo);
      const saved = await createChild(context, actor, subject, {
        name: body.name,
        photo: files.photo,
        encoding: body.encoding,
        confirmed: actor.kind === 'admin' && body.confirm === true,
      });
      return presentSaved(actor, 'Child registered successfully', saved);
    },
  });
  bind(app, context, childRoutes.updateChild, {
    find: ownChild,
    async handle({ actor, body, files, subject }) {
      if (body.name === undefined && !files.photo)
        throw new AppError('invalid_request', { message: 'Nothing to change was sent' });
      if (files.photo) await admitFace(context, actor, 'update', files.photo);
      const saved = await updateChild(context, actor, subject, {
        name: body.name,
        photo: files.photo,
        encoding: body.encoding,
        confirmed: actor.kind === 'admin' && body.confirm === true,
      });
      return presentSaved(actor, 'Child updated successfully', saved);
    },
  });
  bind(app, context, childRoutes.addChildPhoto, {
    find: ownChild,
    async handle({ actor, body, files, subject }) {
      await admitFace(context, actor, 'photos', files.photo);
      const add = actor.kind === 'parent' ? proposePhoto : addPhoto;
      const { photos, lookalikes } = await add(context, actor, subject, {
        photo: files.photo,
        encoding: body.encoding,
        confirmed: actor.kind === 'admin' && body.confirm === true,
      });
      const child = (await findChild(context.db, subject.id)) ?? subject;
      return { ...(await presentSaved(actor, 'Photo added successfully', { child, lookalikes })), photos };
    },
  });
  bind(app, context, childRoutes.confirmChild, {
    find: ownChild,
    async handle({ actor, body, subject }) {
      const { accept, revision, confirm = false } = body;
      const decision = { accept, revision, confirmed: confirm };
      const lookalikes = await decide(context, actor, { kind: 'child', id: subject.id }, decision);
      const child = await findChild(context.db, subject.id);
      if (!child) throw new AppError('not_found');
      return presentSaved(actor, accept ? 'Confirmed' : 'Rejected', { child, lookalikes });
    },
  });
  bind(app, context, childRoutes.deleteChild, {
    find: ownChild,
    async handle({ actor, subject }) {
      await deleteChild(context, actor, subject.id);
      return { message: 'Child deleted successfully.' };
    },
  });
  bind(app, context, childRoutes.registerFace, {
    async precheck({ actor, fields }) {
      if (typeof fields.parentId === 'string' && fields.parentId !== '')
        await ownParent(actor, fields.parentId);
    },
    async handle({ actor, files }) {
      await admitFace(context, actor, 'register', files.image);
      const { encoding, model, quality } = await context.vision.enrol(files.image, askerOf(actor));
      return { data: { encoding, model, quality } };
    },
  });
  bind(app, context, childRoutes.checkFace, {
    handle: async ({ actor, files }) => ({ faces: await checkFaces(context, actor, files.image) }),
  });
  bind(app, context, childRoutes.guideFace, {
    handle: ({ actor, files }) => context.vision.guide(files.image, askerOf(actor)),
  });
}
