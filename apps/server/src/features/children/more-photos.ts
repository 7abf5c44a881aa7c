/** More photos of a child who is registered: several photos are recognised better than one (measured). */
import { PHOTOS_PER_CHILD } from '@haris/contract/constants';
import { distanceOf, distanceToPerson } from '@haris/contract/face-distance';
import type { Settings } from '@haris/contract/objects';
import type { VisionEnrolAnswer } from '@haris/contract/vision';
import type { Kysely, Transaction } from 'kysely';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { type ChildView, takeChild } from '../../db/children.ts';
import { findDataKey } from '../../db/data-keys.ts';
import { findProposals } from '../../db/proposals.ts';
import type { Database } from '../../db/schema.ts';
import { readSettings } from '../../db/settings.ts';
import { inTransaction } from '../../db/transaction.ts';
import { mailChanges } from '../../proposals/change-mail.ts';
import { countChange } from '../../proposals/limits.ts';
import { proposeForChild } from '../../proposals/propose.ts';
import { openEncoding } from '../../vision/encoding.ts';
import type { Near } from '../../vision/gallery.ts';
import { askAbout, askedBelow, findResemblance, presentCandidates } from '../../vision/resemblance.ts';
import { endUnprovenPassword } from '../../vouching.ts';
import { type FaceQuestion, type JudgedFace, refuseMismatch, SAME_PHOTO_DISTANCE } from './enrolment.ts';
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
 * A parent's photo waits for staff, who must see it: until then it is kept whole. It is compared with the child's own
 * photos alone. Throws 404, `too_many_photos`, `photo_already_added`, `another_face`, what a photo may be refused for.
 */
export async function proposePhoto(
  context: Context,
  actor: Actor,
  child: ChildView,
  input: OneMorePhoto,
): Promise<{ photos: number; lookalikes: readonly Near[] }> {
  const enrolled = await context.vision.enrol(input.photo);
  const settings = await readSettings(context.db, context.config);
  let photos = 0;
  await inTransaction(context.db, async (tx) => {
    if (!(await takeChild(tx.trx, child.id))) throw new AppError('not_found');
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
 * Adds a photo at the desk; of it only the encoding is kept. It must show the child that is registered, or whoever may add photos
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
    (enrolled) => judgeOneMore(context, child.id, question, enrolled),
    async (tx, face) => {
      if (!(await takeChild(tx.trx, child.id))) throw new AppError('not_found');
      // The parent may have given one since it was judged, which no revision of the gallery tells.
      const own = await readEncodings(context, tx.trx, child.id);
      if (own.length >= PHOTOS_PER_CHILD) throw new AppError('too_many_photos');
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
  childId: string,
  question: FaceQuestion,
  enrolled: VisionEnrolAnswer,
): Promise<JudgedFace> {
  const settings = await readSettings(context.db, context.config);
  const most = askedBelow(settings);
  const whose = { parentId: question.parentId, childId, adult: null };
  const reach = Math.max(most, ANOTHER_FACE_DISTANCE);
  const found = await findResemblance(context, enrolled.encoding, whose, reach);
  // Read after the revision: had another photo come between, the save would notice.
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
  if (!question.confirmed) await askAbout(context, found.questions, found.adults);
  refuseSamePhoto(distances);
  refuseMismatch(question.encoding, enrolled);
  return judged;
}

/** How far the photo lies from the child's own, and whether it looks different from them. */
function compareWithOwn(
  own: readonly (readonly number[])[],
  { encoding }: VisionEnrolAnswer,
  settings: Settings,
): { distance: number; distances: number[]; differs: boolean } {
  const distances = own.map((one) => distanceOf(one, encoding));
  const distance = distanceToPerson(own, encoding);
  // From the furthest photo too: by the mean alone one could walk photo by photo from one face to another.
  const differs =
    distance >= settings.recognitionThreshold || Math.max(...distances) >= settings.questionThreshold;
  return { distance, distances, differs };
}

function refuseSamePhoto(distances: readonly number[]): void {
  if (distances.some((distance) => distance <= SAME_PHOTO_DISTANCE))
    throw new AppError('photo_already_added');
}

/** The child's encodings, opened; those that wait for staff too. Throws 404 when there is none. */
async function readEncodings(
  context: Context,
  db: Kysely<Database> | Transaction<Database>,
  childId: string,
): Promise<number[][]> {
  const key = await findDataKey(db, context.vault, 'child', childId);
  const confirmed = await db
    .selectFrom('face_encodings')
    .select(['id', 'sealed'])
    .where('child_id', '=', childId)
    .execute();
  const waiting = await findProposals(db, { kind: 'child', id: childId });
  const sealed = [...confirmed, ...waiting].flatMap((row) =>
    row.sealed && key ? [openEncoding(key, row.id, row.sealed)] : [],
  );
  if (sealed.length === 0) throw new AppError('not_found');
  return sealed;
}
