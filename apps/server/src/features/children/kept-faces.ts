/** Saves faces that were judged: a child's photo and its encodings, one enrolment after the other. */
import { randomUUID } from 'node:crypto';
import type { NearChild, VisionEnrolAnswer } from '@haris/contract/vision';
import { createLimiter, type Limiter } from '@haris/runtime/limiter';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { lockChild, setChildPhoto } from '../../db/children.ts';
import { takeDataKey } from '../../db/data-keys.ts';
import { sealEncoding } from '../../db/encoding.ts';
import { deleteEncodings, insertEncoding } from '../../db/face-encodings.ts';
import { advanceGalleryFrom } from '../../db/gallery.ts';
import { keepPhoto } from '../../db/photos.ts';
import { inTransaction, isMissingReference, type Tx } from '../../db/transaction.ts';
import { lockFamily } from '../../hand-over/inherited-bars.ts';
import { again, JudgedTooEarlyError } from '../../vision/again.ts';
import { askerOf } from '../../vision/client.ts';
import type { JudgedFace } from './enrolment.ts';

/** One limiter per server: each enrolment outdates the judgement of all others, so they run one after the other. */
const judging = new WeakMap<Context, Limiter>();

function judgingOf(context: Context): Limiter {
  const limiter = judging.get(context) ?? createLimiter(1);
  judging.set(context, limiter);
  return limiter;
}

/**
 * Judges a face and saves it. If another face was enrolled in between, judges it again, so that two people who register
 * one face at the same moment cannot both succeed. A `childId` is locked; for a new child, those of its family are. Returns the
 * lookalikes. Throws 404.
 */
export async function withFace(
  context: Context,
  actor: Actor,
  {
    photo,
    ...whose
  }: { readonly photo: Buffer } & ({ readonly childId: string } | { readonly newChildOf: string }),
  judge: (enrolled: VisionEnrolAnswer) => Promise<JudgedFace>,
  save: (tx: Tx, face: JudgedFace) => Promise<void>,
): Promise<readonly NearChild[]> {
  const enrolled = await context.vision.enrol(photo, askerOf(actor));
  return judgingOf(context).run(() =>
    again(async () => {
      const face = await judge(enrolled);
      try {
        await inTransaction(context.db, async (tx) => {
          // Children before the gallery, as where staff confirm a face: one order, so that the two never wait for each other.
          if ('newChildOf' in whose) await lockFamily(tx, whose.newChildOf);
          else if (!(await lockChild(tx.trx, whose.childId))) throw new AppError('not_found');
          if (!(await advanceGalleryFrom(tx.trx, face.revision))) throw new JudgedTooEarlyError();
          await save(tx, face);
        });
      } catch (error) {
        // The parent or child was deleted meanwhile.
        if (isMissingReference(error)) throw new AppError('not_found');
        throw error;
      }
      return face.lookalikes;
    }),
  );
}

/** Replaces the child's photo and all its encodings, at the desk: the photo is confirmed. */
export async function keepFace(context: Context, tx: Tx, childId: string, face: JudgedFace): Promise<void> {
  const jpeg = Buffer.from(face.enrolled.photo.jpeg, 'base64');
  const now = context.clock.now();
  const photoId = await keepPhoto(context, tx, { kind: 'child', id: childId }, jpeg, now);
  await setChildPhoto(tx.trx, childId, photoId, now);
  await deleteEncodings(tx.trx, childId);
  await keepEncoding(context, tx, childId, face);
}

/** Adds an encoding of the child. */
export async function keepEncoding(
  context: Context,
  tx: Tx,
  childId: string,
  face: JudgedFace,
): Promise<void> {
  const { encoding, model, quality } = face.enrolled;
  const key = await takeDataKey(tx.trx, context.vault, 'child', childId);
  const id = randomUUID();
  await insertEncoding(tx.trx, {
    id,
    child_id: childId,
    sealed: sealEncoding(key, id, encoding),
    model,
    quality,
    created_at: context.clock.now(),
  });
}
