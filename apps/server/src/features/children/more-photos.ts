/** More photos of a child who is registered: several photos are recognised better than one (measured). */
import { PHOTOS_PER_CHILD } from '@haris/contract/constants';
import { distanceOf, distanceToPerson } from '@haris/contract/face-distance';
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
  presentCandidates,
  refuseMismatch,
  refuseRegistered,
  SAME_PHOTO_DISTANCE,
} from './enrolment.ts';
import { keepEncoding, withFace } from './service.ts';

/**
 * From here on nobody may add it, staff neither: it would make recognition worse. Measured on LFW: no pair of one
 * person lies over 0.62 apart (225 pairs), 78 % of the pairs of two lie over 0.7.
 */
const ANOTHER_FACE_DISTANCE = 0.7;

export interface OneMorePhoto {
  readonly photo: Buffer;
  readonly encoding: readonly number[] | undefined;
  readonly confirmed: boolean;
}

/**
 * Adds a photo; of it only the encoding is kept. It must show the child that is registered, or whoever may add photos
 * could turn a child's face into another's. Answers how many photos the face is known by now.
 * Throws 404, `too_many_photos`, `photo_already_added`, `another_face`, to staff `face_differs` until confirmed, and whatever a new photo may be refused for.
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
  const { revision, nearest } = await context.gallery.nearest(
    enrolled.encoding,
    Math.max(most, ANOTHER_FACE_DISTANCE),
    [childId],
  );
  // Read after the revision: had another photo come between, the save would notice.
  const own = await readEncodings(context, childId);
  if (own.length >= PHOTOS_PER_CHILD) throw new AppError('too_many_photos');
  const distances = own.map((encoding) => distanceOf(encoding, enrolled.encoding));
  const distance = distanceToPerson(own, enrolled.encoding);
  const lookalikes = nearest.filter((near) => near.distance < most);
  const nearer = nearest.filter((near) => near.distance < distance);
  // From the furthest photo too: by the mean alone one could walk photo by photo from one face to another.
  const differs =
    distance >= settings.recognitionThreshold || Math.max(...distances) >= settings.questionThreshold;
  const judged = { enrolled, revision, lookalikes };
  if (distance >= ANOTHER_FACE_DISTANCE) throw new AppError('another_face');
  if (actor.kind === 'admin' && (differs || nearer.length > 0)) {
    refuseSamePhoto(distances);
    refuseMismatch(question, enrolled);
    if (question.confirmed) return judged;
    const others = [...new Set([...nearer, ...lookalikes])];
    throw new AppError('face_differs', {
      candidates: await presentCandidates(context, [{ childId, distance }, ...others]),
    });
  }
  await refuseRegistered(context, actor, question, lookalikes, settings);
  refuseSamePhoto(distances);
  refuseMismatch(question, enrolled);
  if (differs || nearer.length > 0) throw new AppError('another_face');
  return judged;
}

function refuseSamePhoto(distances: readonly number[]): void {
  if (distances.some((distance) => distance <= SAME_PHOTO_DISTANCE))
    throw new AppError('photo_already_added');
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
