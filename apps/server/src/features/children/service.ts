/** Children: registering with a face, changing, deleting. */
import { randomUUID } from 'node:crypto';
import type { VisionEnrolAnswer } from '@haris/contract/vision';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { type ChildView, findChild, takeChild } from '../../db/children.ts';
import { eraseDestroyedKeys, takeDataKey } from '../../db/data-keys.ts';
import { foldForSearch } from '../../db/folding.ts';
import { keepPhoto } from '../../db/photos.ts';
import { inTransaction, isMissingReference, type Tx } from '../../db/transaction.ts';
import { eraseChild } from '../../erasure/people.ts';
import { mailChanges } from '../../proposals/change-mail.ts';
import { countChange } from '../../proposals/limits.ts';
import { proposeFirstName, proposeForChild, withdraw } from '../../proposals/propose.ts';
import { askerOf } from '../../vision/client.ts';
import { sealEncoding } from '../../vision/encoding.ts';
import { advanceGalleryFrom, type Near } from '../../vision/gallery.ts';
import { endUnprovenPassword } from '../../vouching.ts';
import { type FaceQuestion, type JudgedFace, judgeFace, refuseMismatch } from './enrolment.ts';

/** Another enrolment came between judgement and commit this often in a row: not under any real load. */
const ENROL_ATTEMPTS = 20;

export interface NewChild {
  readonly name: string;
  readonly photo: Buffer;
  readonly encoding: readonly number[] | undefined;
  readonly confirmed: boolean;
}

export interface SavedChild {
  readonly child: ChildView;
  readonly lookalikes: readonly Near[];
}

/** The child. Throws 404. */
async function getChild(context: Context, id: string): Promise<ChildView> {
  const child = await findChild(context.db, id);
  if (!child) throw new AppError('not_found');
  return child;
}

/**
 * Registers a child of a parent. What a parent gives waits for staff, also here: the child is there at once, and its face
 * is not. Throws 404, `encoding_mismatch`, what a photo may be refused for; to staff whatever {@link judgeFace} throws.
 */
export async function createChild(
  context: Context,
  actor: Actor,
  parentId: string,
  input: NewChild,
): Promise<SavedChild> {
  const id = randomUUID();
  if (actor.kind === 'parent') {
    const face = await readFace(context, input);
    await forParent(context, async (tx) => {
      await insertChild(context, tx, id, parentId, input.name);
      await proposeFirstName(context, tx, actor, id, input.name);
      await proposeForChild(context, tx, actor, id, { face });
      await context.audit.append(tx, {
        actor,
        action: 'child.created',
        subject: { kind: 'child', id },
        details: { parentId },
      });
      await context.events.append(tx, { type: 'child.created', childId: id, parentId });
    });
    return { child: await getChild(context, id), lookalikes: [] };
  }
  const question: FaceQuestion = { ...input, parentId, childId: null };
  const judge = (enrolled: VisionEnrolAnswer) => judgeFace(context, question, enrolled);
  const lookalikes = await withFace(context, actor, input.photo, judge, async (tx, face) => {
    await insertChild(context, tx, id, parentId, input.name);
    await keepFace(context, tx, id, face);
    await endUnprovenPassword(context, tx, actor, parentId, 'child_added');
    await context.audit.append(tx, {
      actor,
      action: 'child.created',
      subject: { kind: 'child', id },
      details: {
        parentId,
        confirmed: input.confirmed,
        lookalikes: face.lookalikes.map((near) => near.childId),
      },
    });
    await context.events.append(tx, { type: 'child.created', childId: id, parentId });
  });
  return { child: await getChild(context, id), lookalikes };
}

async function insertChild(
  context: Context,
  { trx }: Tx,
  id: string,
  parentId: string,
  name: string,
): Promise<void> {
  await trx
    .insertInto('children')
    .values({
      id,
      parent_id: parentId,
      name,
      photo_id: null,
      sort_name: foldForSearch(name),
      created_at: context.clock.now(),
      version: 1,
    })
    .execute();
}

/** What the face engine finds in a photo that a parent sends, compared with nobody. Throws what it may be refused for. */
async function readFace(
  context: Context,
  { photo, encoding }: Pick<NewChild, 'photo' | 'encoding'>,
): Promise<VisionEnrolAnswer> {
  const enrolled = await context.vision.enrol(photo);
  refuseMismatch(encoding, enrolled);
  return enrolled;
}

/** The transaction of a parent's change. Throws 404 where the account was deleted meanwhile. */
async function forParent(context: Context, save: (tx: Tx) => Promise<void>): Promise<void> {
  try {
    await inTransaction(context.db, save);
  } catch (error) {
    if (isMissingReference(error)) throw new AppError('not_found');
    throw error;
  }
}

export interface ChildChange {
  readonly name?: string | undefined;
  readonly photo?: Buffer | undefined;
  readonly encoding?: readonly number[] | undefined;
  readonly confirmed: boolean;
}

/**
 * Changes name or photo: staff's at once, which also ends what waited for these fields; a parent's once staff have
 * confirmed it. Throws 404, and as {@link createChild}.
 */
export async function updateChild(
  context: Context,
  actor: Actor,
  child: ChildView,
  change: ChildChange,
): Promise<SavedChild> {
  const { id } = child;
  const { name, photo } = change;
  if (actor.kind === 'parent') {
    const { encoding } = change;
    const face = photo && (await readFace(context, { photo, encoding }));
    await forParent(context, async (tx) => {
      if (!(await takeChild(tx.trx, id))) throw new AppError('not_found');
      await countChange(context, tx, actor);
      await mailChanges(context, tx, actor.id, [
        ...(photo ? (['child_photo'] as const) : []),
        ...(name === undefined ? [] : (['child_name'] as const)),
      ]);
      await proposeForChild(context, tx, actor, id, { name, face });
    });
    await context.mails.settled();
    return { child: await getChild(context, id), lookalikes: [] };
  }
  const save = async (tx: Tx, face: JudgedFace | null): Promise<void> => {
    if (!(await takeChild(tx.trx, id))) throw new AppError('not_found');
    if (name !== undefined)
      await tx.trx
        .updateTable('children')
        .set({ name, sort_name: foldForSearch(name) })
        .where('id', '=', id)
        .execute();
    if (name !== undefined) await withdraw(tx, { kind: 'child', id }, ['name']);
    if (face) {
      await withdraw(tx, { kind: 'child', id }, ['photo', 'photos']);
      await keepFace(context, tx, id, face);
      await endUnprovenPassword(context, tx, actor, child.parent_id, 'photo_changed');
    }
    await context.audit.append(tx, {
      actor,
      action: 'child.updated',
      subject: { kind: 'child', id },
      details: { name: name !== undefined, photo: face !== null },
    });
    await context.events.append(tx, { type: 'child.updated', childId: id, parentId: child.parent_id });
  };
  let lookalikes: readonly Near[] = [];
  if (photo) {
    const question: FaceQuestion = {
      photo,
      encoding: change.encoding,
      parentId: child.parent_id,
      childId: id,
      confirmed: change.confirmed,
    };
    const judge = (enrolled: VisionEnrolAnswer) => judgeFace(context, question, enrolled);
    lookalikes = await withFace(context, actor, photo, judge, save);
  } else await inTransaction(context.db, (tx) => save(tx, null));
  return { child: await getChild(context, id), lookalikes };
}

/** Deletes a child with photo and encodings, and destroys its key. Throws 404, `child_inside`. */
export async function deleteChild(context: Context, actor: Actor, id: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const { trx } = tx;
    const taken = await takeChild(trx, id);
    if (!taken) throw new AppError('not_found');
    const open = await trx
      .selectFrom('stays')
      .select('id')
      .where('child_id', '=', id)
      .where('exit_time', 'is', null)
      .executeTakeFirst();
    if (open) throw new AppError('child_inside');
    await eraseChild(tx, id, context.clock.now());
    await context.audit.append(tx, {
      actor,
      action: 'child.deleted',
      subject: { kind: 'child', id },
      details: { parentId: taken.parent_id },
    });
    await context.events.append(tx, { type: 'child.deleted', childId: id, parentId: taken.parent_id });
  });
  await eraseDestroyedKeys(context);
  await context.erasures.update();
}

/**
 * Judges a face and saves with it, unless another face was enrolled in between: then it is judged again, so that two
 * who register one face at the same moment cannot both succeed. Answers the lookalikes.
 */
export async function withFace(
  context: Context,
  actor: Actor,
  photo: Buffer,
  judge: (enrolled: VisionEnrolAnswer) => Promise<JudgedFace>,
  save: (tx: Tx, face: JudgedFace) => Promise<void>,
): Promise<readonly Near[]> {
  const enrolled = await context.vision.enrol(photo, askerOf(actor));
  // Each enrolment makes the judgement of all others old: on one server they are judged one after the other.
  return inTurn(context, async () => {
    for (let attempt = 0; attempt < ENROL_ATTEMPTS; attempt++) {
      const face = await judge(enrolled);
      try {
        const saved = await inTransaction(context.db, async (tx) => {
          if (!(await advanceGalleryFrom(tx.trx, face.revision))) return false;
          await save(tx, face);
          return true;
        });
        if (saved) return face.lookalikes;
      } catch (error) {
        // The parent was deleted meanwhile.
        if (isMissingReference(error)) throw new AppError('not_found');
        throw error;
      }
    }
    throw new AppError('unavailable');
  });
}

const lastTurn = new WeakMap<Context, Promise<unknown>>();

function inTurn<T>(context: Context, work: () => Promise<T>): Promise<T> {
  const mine = (lastTurn.get(context) ?? Promise.resolve()).then(work, work);
  lastTurn.set(
    context,
    mine.catch(() => undefined),
  );
  return mine;
}

/** Keeps photo and encoding as the child's only ones. */
async function keepFace(context: Context, tx: Tx, childId: string, face: JudgedFace): Promise<void> {
  const jpeg = Buffer.from(face.enrolled.photo.jpeg, 'base64');
  const photoId = await keepPhoto(context, tx, { kind: 'child', id: childId }, jpeg, context.clock.now());
  await tx.trx.updateTable('children').set({ photo_id: photoId }).where('id', '=', childId).execute();
  await tx.trx.deleteFrom('face_encodings').where('child_id', '=', childId).execute();
  await keepEncoding(context, tx, childId, face);
}

/** Keeps the encoding beside those that the child has. */
export async function keepEncoding(
  context: Context,
  tx: Tx,
  childId: string,
  face: JudgedFace,
): Promise<void> {
  const { encoding, model, quality } = face.enrolled;
  const key = await takeDataKey(tx.trx, context.vault, 'child', childId);
  const id = randomUUID();
  await tx.trx
    .insertInto('face_encodings')
    .values({
      id,
      child_id: childId,
      sealed: sealEncoding(key, id, encoding),
      model,
      quality,
      created_at: context.clock.now(),
    })
    .execute();
}
