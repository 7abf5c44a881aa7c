/** Adds further photos of a registered child: with several photos, recognition is better (measured). */
import { PHOTOS_PER_CHILD } from '@haris/contract/constants';
import { distanceOf, distanceToPerson } from '@haris/contract/face-distance';
import type { Settings } from '@haris/contract/objects';
import type { NearChild, VisionEnrolAnswer } from '@haris/contract/vision';
import type { Kysely, Transaction } from 'kysely';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { ChildView } from '../../db/children.ts';
import { findDataKey } from '../../db/data-keys.ts';
import { openEncoding } from '../../db/encoding.ts';
import { countEncodings, findSealedEncodings } from '../../db/face-encodings.ts';
import { findProposals } from '../../db/proposals.ts';
import type { Database } from '../../db/schema.ts';
import { readSettings } from '../../db/settings.ts';
import { inTransaction } from '../../db/transaction.ts';
import { lockChildFor } from '../../guardian-rights.ts';
import { mailChanges } from '../../proposals/change-mail.ts';
import { countChange } from '../../proposals/limits.ts';
import { proposeForChild } from '../../proposals/propose.ts';
import { askerOf } from '../../vision/client.ts';
import { askAbout, askedBelow, findResemblance, presentCandidates } from '../../vision/resemblance.ts';
import { endUnprovenPassword } from '../../vouching.ts';
import { type FaceQuestion, type JudgedFace, refuseMismatch, SAME_PHOTO_DISTANCE } from './enrolment.ts';
import { keepEncoding, withFace } from './kept-faces.ts';

/**
 * From this distance on even staff may not add the photo, because it would make recognition worse. Measured on LFW:
 * photos of one person are at most 0.62 apart (225 pairs); 78 % of the pairs of two people are more than 0.7 apart.
 */
const ANOTHER_FACE_DISTANCE = 0.7;

export interface OneMorePhoto {
  readonly photo: Buffer;
  readonly encoding: readonly number[] | undefined;
  readonly confirmed: boolean;
}

/**
 * Proposes a parent's photo, compared only with the child's own photos. The photo is stored until staff decide, because
 * they must see it. Throws 404, `too_many_photos`, `photo_already_added`, `another_face`, and the errors of a photo.
 */
export async function proposePhoto(
  context: Context,
  actor: Actor,
  child: ChildView,
  input: OneMorePhoto,
): Promise<{ photos: number; lookalikes: readonly NearChild[] }> {
  const enrolled = await context.vision.enrol(input.photo, askerOf(actor));
  const settings = await readSettings(context.db, context.config);
  let photos = 0;
  await inTransaction(context.db, async (tx) => {
    await lockChildFor(tx, actor, child.id, 'mayEdit');
    await countChange(context, tx, actor);
    const own = await readEncodings(context, tx.trx, child.id);
    if (own.length >= PHOTOS_PER_CHILD) throw new AppError('too_many_photos');
    const { distances, differs } = compareWithOwn(own, enrolled, settings);
    refuseSamePhoto(distances);
    refuseMismatch(input.encoding, enrolled);
    if (differs) throw new AppError('another_face');
    await mailChanges(context, tx, actor.id, ['child_photos']);
    await proposeForChild(context, tx, actor, child.id, { more: enrolled });
    photos = own.length + 1;
  });
  await context.mails.settled();
  return { photos, lookalikes: [] };
}

/**
 * Adds a photo at the desk, storing only its encoding. The photo must show the registered child; otherwise further photos
 * could step by step turn one child's face into another's. Returns the child's number of photos.
 * Throws 404, `too_many_photos`, `photo_already_added`, `another_face`, `face_differs` until confirmed, and the errors of
 * a new photo.
 */
export async function addPhoto(
  context: Context,
  actor: Actor,
  child: ChildView,
  input: OneMorePhoto,
): Promise<{ photos: number; lookalikes: readonly NearChild[] }> {
  const question: FaceQuestion = { ...input, parentId: child.parent_id, childId: child.id };
  let photos = 0;
  const lookalikes = await withFace(
    context,
    actor,
    { photo: input.photo, childId: child.id },
    (enrolled) => judgeOneMore(context, child.id, question, enrolled),
    async (tx, face) => {
      // A parent may have proposed a photo since the judgement; proposals do not advance the gallery.
      const own = await readEncodings(context, tx.trx, child.id);
      if (own.length >= PHOTOS_PER_CHILD) throw new AppError('too_many_photos');
      await keepEncoding(context, tx, child.id, face);
      photos = await countEncodings(tx.trx, child.id);
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
        audience: 'guardians',
      });
    },
  );
  return { photos, lookalikes };
}

/**
 * Judges the photo on its own, which is sufficient: the child's distance from another person is a mean over the photos,
 * and a mean is never below the smallest value.
 */
async function judgeOneMore(
  context: Context,
  childId: string,
  question: FaceQuestion,
  enrolled: VisionEnrolAnswer,
): Promise<JudgedFace> {
  const settings = await readSettings(context.db, context.config);
  const most = askedBelow(settings);
  const whose = { parentId: question.parentId, childId, adult: null };
  const reach = Math.max(most, ANOTHER_FACE_DISTANCE);
  const found = await findResemblance(context, enrolled.encoding, whose, { reach });
  // Read after the revision, so that saving detects a photo that was added in between.
  const own = await readEncodings(context, context.db, childId);
  if (own.length >= PHOTOS_PER_CHILD) throw new AppError('too_many_photos');
  const { distance, distances, differs } = compareWithOwn(own, enrolled, settings);
  const lookalikes = found.nearest.filter((near) => near.distance < most);
  const nearer = found.nearest.filter((near) => near.distance < distance);
  const judged = { enrolled, revision: found.revision, lookalikes };
  if (distance >= ANOTHER_FACE_DISTANCE) throw new AppError('another_face');
  if (differs || nearer.length > 0) {
    refuseSamePhoto(distances);
    refuseMismatch(question.encoding, enrolled);
    if (question.confirmed) return judged;
    const others = [...new Set([...nearer, ...lookalikes])];
    throw new AppError('face_differs', {
      candidates: await presentCandidates(context, [{ childId, distance }, ...others]),
    });
  }
  // Nobody is nearer than the child itself, so staff are asked only about those whom cameras would name (decision 028).
  const mistaken = found.questions.filter((near) => near.distance < settings.recognitionThreshold);
  if (!question.confirmed) await askAbout(context, mistaken, found.adults);
  refuseSamePhoto(distances);
  refuseMismatch(question.encoding, enrolled);
  return judged;
}

/** Distances of the photo from the child's own photos, and whether it looks different from them. */
function compareWithOwn(
  own: readonly (readonly number[])[],
  { encoding }: VisionEnrolAnswer,
  settings: Settings,
): { distance: number; distances: number[]; differs: boolean } {
  const distances = own.map((one) => distanceOf(one, encoding));
  const distance = distanceToPerson(own, encoding);
  // Check the furthest photo too: with the mean alone, a series of photos could lead from one face to another.
  const differs =
    distance >= settings.recognitionThreshold || Math.max(...distances) >= settings.questionThreshold;
  return { distance, distances, differs };
}

function refuseSamePhoto(distances: readonly number[]): void {
  if (distances.some((distance) => distance <= SAME_PHOTO_DISTANCE))
    throw new AppError('photo_already_added');
}

/** Returns the child's decrypted encodings, including proposed ones. Throws 404 if there is none. */
async function readEncodings(
  context: Context,
  db: Kysely<Database> | Transaction<Database>,
  childId: string,
): Promise<number[][]> {
  const key = await findDataKey(db, context.vault, 'child', childId);
  const confirmed = await findSealedEncodings(db, childId);
  const waiting = await findProposals(db, { kind: 'child', id: childId });
  const sealed = [...confirmed, ...waiting].flatMap((row) =>
    row.sealed && key ? [openEncoding(key, row.id, row.sealed)] : [],
  );
  if (sealed.length === 0) throw new AppError('not_found');
  return sealed;
}
