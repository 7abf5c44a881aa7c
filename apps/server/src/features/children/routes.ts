/** Binds the calls that list, add, change and delete children. */
import { childRoutes } from '@haris/contract/http/children';
import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { hasCameras } from '../../db/cameras.ts';
import { findChild, findChildrenPage } from '../../db/children.ts';
import { findLastVisits } from '../../db/past-stays.ts';
import { findLastSeen } from '../../db/sightings.ts';
import { bind } from '../../http/bind.ts';
import { presentChild, presentListedChild, presentVisit } from '../../http/present.ts';
import { may } from '../../policy.ts';
import { decide } from '../../proposals/decide.ts';
import { withFaceCounted } from '../../proposals/limits.ts';
import { readDay } from '../../rooms/state.ts';
import { type Access, openAccess } from './access.ts';
import { bindFaces } from './face-routes.ts';
import { addPhoto, proposePhoto } from './more-photos.ts';
import { type ChildChange, createChild, deleteChild, updateChild } from './service.ts';
import { bindSheet } from './sheet-routes.ts';

export function childFeature(app: FastifyInstance, context: Context): void {
  const access = openAccess(context);
  bindList(app, context);
  bindChanges(app, context, access);
  bindPhotosAndDecisions(app, context, access);
  bindFaces(app, context, access);
  bindSheet(app, context, access);
}

function bindList(app: FastifyInstance, context: Context): void {
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
      // Without cameras the children cannot be seen, so leave the field out.
      const seen = (await hasCameras(context.db)) ? await findLastSeen(context.db, ids) : null;
      const visits = actor.kind === 'parent' ? await findLastVisits(context.db, ids) : null;
      return {
        children: page.rows.map((child) => ({
          ...(seen === null
            ? presentChild(child, actor)
            : presentListedChild(child, actor, seen.get(child.id) ?? null)),
          ...(visits === null ? {} : { lastVisit: presentVisit(visits.get(child.id)) }),
        })),
        total: page.total,
        nextCursor: page.nextCursor,
      };
    },
  });
}

function bindChanges(app: FastifyInstance, context: Context, access: Access): void {
  const { ownChild, ownParent, presentSaved } = access;
  bind(app, context, childRoutes.createChild, {
    find: ({ actor, params }) => ownParent(actor, params.parentId),
    async handle({ actor, body, files, subject }) {
      const { photo } = files;
      const saved = await withFaceCounted(context, actor, 'create', photo, async () =>
        createChild(context, actor, subject, {
          ...(await judgeDetails(context, actor, body)),
          name: body.name,
          facilityId: body.facilityId,
          photo,
          encoding: body.encoding,
          confirmed: may(actor, 'families.edit') && body.confirm === true,
        }),
      );
      return presentSaved(actor, 'Child registered successfully', saved);
    },
  });
  bind(app, context, childRoutes.updateChild, {
    find: ownChild,
    async handle({ actor, body, files, subject }) {
      const details = await judgeDetails(context, actor, body);
      const isNothing = [body.name, details.birthDate, details.homeRoomId].every((one) => one === undefined);
      if (isNothing && !files.photo)
        throw new AppError('invalid_request', { message: 'Nothing to change was sent' });
      const { photo } = files;
      const update = () =>
        updateChild(context, actor, subject, {
          ...details,
          name: body.name,
          photo,
          encoding: body.encoding,
          confirmed: may(actor, 'families.edit') && body.confirm === true,
        });
      const saved = await (photo ? withFaceCounted(context, actor, 'update', photo, update) : update());
      return presentSaved(actor, 'Child updated successfully', saved);
    },
  });
  bind(app, context, childRoutes.deleteChild, {
    find: ownChild,
    async handle({ actor, subject }) {
      await deleteChild(context, actor, subject.id);
      return { message: 'Child deleted successfully.' };
    },
  });
}

/**
 * Birth date and home room as this actor may give them. Throws 400 for a birth date in the future and for one that a
 * parent removes, 403 for a parent's home room.
 */
async function judgeDetails(
  context: Context,
  actor: Actor,
  {
    birthDate,
    homeRoomId,
  }: { birthDate?: string | null | undefined; homeRoomId?: string | null | undefined },
): Promise<Pick<ChildChange, 'birthDate' | 'homeRoomId'>> {
  if (homeRoomId !== undefined && actor.kind === 'parent') throw new AppError('forbidden');
  const refuse = (message: string): never => {
    throw new AppError('invalid_request', { message, fields: { birthDate: message } });
  };
  if (birthDate === null && actor.kind === 'parent') return {};
  if (birthDate && birthDate > (await readDay(context.db, context)).date)
    refuse('Birth date must not lie in the future');
  return { birthDate, homeRoomId };
}

function bindPhotosAndDecisions(app: FastifyInstance, context: Context, access: Access): void {
  const { ownChild, presentSaved } = access;
  bind(app, context, childRoutes.addChildPhoto, {
    find: ownChild,
    async handle({ actor, body, files, subject }) {
      const { photo } = files;
      const add = actor.kind === 'parent' ? proposePhoto : addPhoto;
      const { photos, lookalikes } = await withFaceCounted(context, actor, 'photos', photo, () =>
        add(context, actor, subject, {
          photo,
          encoding: body.encoding,
          confirmed: may(actor, 'families.edit') && body.confirm === true,
        }),
      );
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
}
