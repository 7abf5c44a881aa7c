/** Binds the reading of one child with its family, and the removal of a further photo, for the child's sheet. */
import { sheetRoutes } from '@haris/contract/http/sheets';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { hasCameras } from '../../db/cameras.ts';
import { findEncodingTimes } from '../../db/face-encodings.ts';
import { findParentView } from '../../db/parents.ts';
import { findLastEntries } from '../../db/past-stays.ts';
import { findLastSeen } from '../../db/sightings.ts';
import { bind } from '../../http/bind.ts';
import { presentChild, presentListedChild, presentParent } from '../../http/present.ts';
import { usualEntryOf } from '../../usual-entry.ts';
import type { Access } from './access.ts';
import { removePhoto } from './remove-photo.ts';

export function bindSheet(app: FastifyInstance, context: Context, { ownChild }: Access): void {
  bind(app, context, sheetRoutes.getChild, {
    find: ownChild,
    async handle({ actor, subject }) {
      const { db } = context;
      const family = await findParentView(db, subject.parent_id);
      if (!family) throw new AppError('not_found');
      // Without cameras the child cannot be seen, so leave the field out.
      const seen = (await hasCameras(db)) ? await findLastSeen(db, [subject.id]) : null;
      const photos = await findEncodingTimes(db, subject.id);
      const entries = await findLastEntries(
        db,
        family.children.map(({ id }) => id),
      );
      return {
        child:
          seen === null
            ? presentChild(subject, actor)
            : presentListedChild(subject, actor, seen.get(subject.id) ?? null),
        parent: presentParent(family, actor),
        facePhotos: photos.map(({ id, created_at }) => ({ _id: id, addedAt: toMoment(created_at) })),
        usual: usualEntryOf(entries, subject.id),
      };
    },
  });
  bind(app, context, sheetRoutes.removeChildPhoto, {
    find: ownChild,
    async handle({ actor, subject, params }) {
      const photos = await removePhoto(context, actor, subject.id, params.photoId);
      return { message: 'Photo removed', photos };
    },
  });
}
