/** More photos of a child who is registered: several photos are recognised better than one (measured). */
import { PHOTOS_PER_CHILD } from '@haris/contract/constants';
import { distanceOf } from '@haris/contract/face-distance';
import { encodingSchema, type VisionEnrolAnswer } from '@haris/contract/vision';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { type ChildView, takeChild } from '../../db/children.ts';
import { findDataKey } from '../../db/data-keys.ts';
import { readSettings } from '../../db/settings.ts';
import type { Near } from '../../vision/gallery.ts';
import { endUnprovenPassword } from '../../vouching.ts';
import {
  type FaceQuestion,
  type JudgedFace,
  refuseMismatch,
  refuseRegistered,
  SAME_PHOTO_DISTANCE,
} from './enrolment.ts';
import { keepEncoding, withFace } from './service.ts';

export interface OneMorePhoto {
  readonly photo: Buffer;
  readonly encoding: readonly number[] | undefined;
  readonly confirmed: boolean;
}

/**
 * Adds a photo; of it only the encoding is kept. It must show the child that is registered, or whoever may add photos
 * could turn a child's face into another's. Answers how many photos the face is known by now.
 * Throws 404, `too_many_photos`, `photo_already_added`, `another_face`, and whatever a new photo may be refused for.
 */
export async function addPhoto(
  context: Context,
  actor: Actor,
  child: ChildView,
  input: OneMorePhoto,
): Promise<{ photos: number; lookalikes: readonly Near[] }> {
  const question: FaceQuestion = { ...input, parentId: child.parent_id, childId: child.id };
  let photos = 0;
  const lookalikes = await withFace(
    context,
    actor,
    input.photo,
    (enrolled) => judgeOneMore(context, actor, child.id, question, enrolled),
    async (tx, face) => {
      if (!(await takeChild(tx.trx, child.id))) throw new AppError('not_found');
      await keepEncoding(context, tx, child.id, face);
      const { count } = await tx.trx
        .selectFrom('face_encodings')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('child_id', '=', child.id)
        .executeTakeFirstOrThrow();
      photos = Number(count);
      await endUnprovenPassword(context, tx, actor, child.parent_id, 'photo_changed');
      await context.audit.append(tx, {
        actor,
        action: 'child.photo_added',
        subject: { kind: 'child', id: child.id },
        details: {
          photos,
          confirmed: input.confirmed,
          lookalikes: face.lookalikes.map((near) => near.childId),
        },
      });
      await context.events.append(tx, {
        type: 'child.updated',
        childId: child.id,
        parentId: child.parent_id,
      });
    },
  );
  return { photos, lookalikes };
}

/**
 * Judges the photo by itself. Where no photo of the child is near somebody else, the child is not either: a mean of
 * distances is never under the least of them.
 */
async function judgeOneMore(
  context: Context,
  actor: Actor,
  childId: string,
  question: FaceQuestion,
  enrolled: VisionEnrolAnswer,
): Promise<JudgedFace> {
  const settings = await readSettings(context.db, context.config);
  const most = Math.max(settings.questionThreshold, settings.duplicateThreshold);
  const { revision, nearest } = await context.gallery.nearest(enrolled.encoding, most, [childId]);
  // Read after the revision: had another photo come between, the save would notice.
  const own = await readEncodings(context, childId);
  if (own.length >= PHOTOS_PER_CHILD) throw new AppError('too_many_photos');
  await refuseRegistered(context, actor, question, nearest, settings);
  const distances = own.map((encoding) => distanceOf(encoding, enrolled.encoding));
  if (distances.some((distance) => distance <= SAME_PHOTO_DISTANCE))
    throw new AppError('photo_already_added');
  refuseMismatch(question, enrolled);
  // To each of them, not to their mean: photo by photo one could walk from one face to another.
  if (distances.some((distance) => distance >= settings.recognitionThreshold))
    throw new AppError('another_face');
  return { enrolled, revision, lookalikes: nearest };
}

/** The child's encodings, opened. Throws 404 when the child is gone. */
async function readEncodings(context: Context, childId: string): Promise<number[][]> {
  const key = await findDataKey(context.db, context.vault, 'child', childId);
  const rows = await context.db
    .selectFrom('face_encodings')
    .select(['id', 'sealed'])
    .where('child_id', '=', childId)
    .execute();
  if (!key || rows.length === 0) throw new AppError('not_found');
  return rows.map((row) =>
    encodingSchema.parse(JSON.parse(key.open(`encoding ${row.id}`, row.sealed).toString('utf8'))),
  );
}
