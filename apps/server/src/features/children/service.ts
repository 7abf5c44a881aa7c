/** Registers, changes and deletes children. */
import { randomUUID } from 'node:crypto';
import type { Permission } from '@haris/contract/permissions';
import type { NearChild, VisionEnrolAnswer } from '@haris/contract/vision';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findBarred } from '../../db/barred-adults.ts';
import {
  type ChildView,
  findChild,
  insertChild,
  lockChild,
  renameChild,
  setBirthDate,
} from '../../db/children.ts';
import { eraseDestroyedKeys } from '../../db/data-keys.ts';
import { noteDetailChanges } from '../../db/detail-changes.ts';
import { findFacilitiesOfChild, findOnlyFacility } from '../../db/facilities.ts';
import { findFurtherGuardians, findGuardiansOf, hasOtherGuardian } from '../../db/guardians/of-child.ts';
import { setHomeRoom } from '../../db/home-rooms.ts';
import { findFacilityIds } from '../../db/memberships.ts';
import { isAnyInside } from '../../db/stays.ts';
import { inTransaction, isMissingReference, type Tx } from '../../db/transaction.ts';
import { eraseChild } from '../../erasure/people.ts';
import { acrossFacilities, currentFacility, inFacility } from '../../facility.ts';
import { lockChildFor } from '../../guardian-rights.ts';
import { inheritBars, lockFamily } from '../../hand-over/inherited-bars.ts';
import { mailChanges } from '../../proposals/change-mail.ts';
import { countChange } from '../../proposals/limits.ts';
import { proposeForChild, withdraw } from '../../proposals/propose.ts';
import { lockAskedRoom } from '../../rooms/places.ts';
import { requireRights } from '../../staff-rights.ts';
import { askerOf } from '../../vision/client.ts';
import { endUnprovenPassword } from '../../vouching.ts';
import { type FaceQuestion, type JudgedFace, judgeFace, refuseMismatch } from './enrolment.ts';
import { keepFace, withFace } from './kept-faces.ts';

export interface NewChild {
  readonly name: string;
  /** `YYYY-MM-DD`. */
  readonly birthDate?: string | null | undefined;
  /** For staff; null: the default room. */
  readonly homeRoomId?: string | null | undefined;
  /** For a parent who works at no single facility. */
  readonly facilityId?: string | undefined;
  readonly photo: Buffer;
  readonly encoding: readonly number[] | undefined;
  readonly confirmed: boolean;
}

export interface SavedChild {
  readonly child: ChildView;
  readonly lookalikes: readonly NearChild[];
}

/** Returns the child. Throws 404. */
async function getChild(context: Context, id: string): Promise<ChildView> {
  const child = await findChild(context.db, id);
  if (!child) throw new AppError('not_found');
  return child;
}

/**
 * Registers a child of a parent, with the bars of the family's other children. If the parent registers the child, it exists
 * at once, but its face is a proposal until staff confirm it. Throws 404, `facility_required`, `encoding_mismatch`, the errors of a photo; for staff also the errors of {@link judgeFace}.
 */
export async function createChild(
  context: Context,
  actor: Actor,
  parentId: string,
  input: NewChild,
): Promise<SavedChild> {
  const facility = await findPlace(context, actor, input.facilityId);
  const saved = await inFacility(facility, () => createChildAt(context, actor, facility, parentId, input));
  await context.bars.update();
  return saved;
}

/**
 * The facility of a new child: the one that was named, else the one where the request works. Staff name no other than
 * theirs. Throws 404, `facility_required`.
 */
async function findPlace({ db }: Context, actor: Actor, asked: string | undefined): Promise<string> {
  if (asked !== undefined && asked !== actor.facility) {
    if (actor.kind !== 'parent' || !(await findFacilityIds(db)).includes(asked))
      throw new AppError('not_found');
    return asked;
  }
  const facility = actor.facility ?? (await findOnlyFacility(db));
  if (facility === null) throw new AppError('facility_required');
  return facility;
}

async function createChildAt(
  context: Context,
  actor: Actor,
  facility: string,
  parentId: string,
  input: NewChild,
): Promise<SavedChild> {
  const id = randomUUID();
  const createdAt = context.clock.now();
  const newRow = { id, parentId, name: input.name, facility, createdAt, isConfirmed: actor.kind === 'admin' };
  if (actor.kind === 'parent') {
    const face = await readFace(context, actor, input);
    await forParent(context, async (tx) => {
      // Children before the audit chain, as everywhere.
      await lockFamily(tx, parentId);
      await insertChild(tx.trx, newRow);
      await proposeForChild(context, tx, actor, id, { face, birthDate: input.birthDate ?? undefined });
      await inheritBars(context, tx, actor, newRow);
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
  const lookalikes = await withFace(
    context,
    actor,
    { photo: input.photo, newChildOf: parentId },
    judge,
    async (tx, face) => {
      await insertChild(tx.trx, newRow);
      await keepDetails(tx, id, input);
      await keepFace(context, tx, id, face);
      await endUnprovenPassword(context, tx, actor, parentId, 'child_added');
      await inheritBars(context, tx, actor, newRow);
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
    },
  );
  return { child: await getChild(context, id), lookalikes };
}

/** Stores birth date and home room if they are given. Throws 404 for an unknown room. */
async function keepDetails(
  { trx }: Tx,
  id: string,
  { birthDate, homeRoomId }: Pick<ChildChange, 'birthDate' | 'homeRoomId'>,
): Promise<void> {
  if (birthDate !== undefined) await setBirthDate(trx, id, birthDate);
  if (homeRoomId === undefined) return;
  // Locked, so that it is not deleted meanwhile.
  const facility = currentFacility();
  if (homeRoomId !== null) await lockAskedRoom(trx, facility, homeRoomId);
  await setHomeRoom(trx, id, facility, homeRoomId);
}

/** Finds the face in a parent's photo, without comparing it with others. Throws the errors of a photo. */
async function readFace(
  context: Context,
  actor: Actor,
  { photo, encoding }: Pick<NewChild, 'photo' | 'encoding'>,
): Promise<VisionEnrolAnswer> {
  const enrolled = await context.vision.enrol(photo, askerOf(actor));
  refuseMismatch(encoding, enrolled);
  return enrolled;
}

/** Runs the transaction of a parent's change. Throws 404 if the account was deleted meanwhile. */
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
  /** `YYYY-MM-DD`; null removes it, for staff. */
  readonly birthDate?: string | null | undefined;
  /** For staff; null: the default room. */
  readonly homeRoomId?: string | null | undefined;
  readonly photo?: Buffer | undefined;
  readonly encoding?: readonly number[] | undefined;
  readonly confirmed: boolean;
}

/**
 * Changes name or photo. A change by staff takes effect at once and withdraws the proposals for these fields; a change by
 * a parent becomes a proposal. Throws 404, and the errors of {@link createChild}.
 */
export async function updateChild(
  context: Context,
  actor: Actor,
  child: ChildView,
  change: ChildChange,
): Promise<SavedChild> {
  const { id } = child;
  const { name, photo, birthDate } = change;
  if (actor.kind === 'parent') {
    const { encoding } = change;
    const face = photo && (await readFace(context, actor, { photo, encoding }));
    await forParent(context, async (tx) => {
      await lockChildFor(tx, actor, id, 'mayEdit');
      await countChange(context, tx, actor);
      await mailChanges(context, tx, actor.id, [
        ...(photo ? (['child_photo'] as const) : []),
        ...(name === undefined ? [] : (['child_name'] as const)),
        ...(birthDate === undefined ? [] : (['child_birth_date'] as const)),
      ]);
      await proposeForChild(context, tx, actor, id, { name, face, birthDate: birthDate ?? undefined });
    });
    await context.mails.settled();
    return { child: await getChild(context, id), lookalikes: [] };
  }
  const save = async (tx: Tx, face: JudgedFace | null): Promise<void> => {
    if (!(await lockChild(tx.trx, id))) throw new AppError('not_found');
    if (name !== undefined) await renameChild(tx.trx, id, name, context.clock.now());
    const isRenamed = name !== undefined && name !== child.name;
    const changed = [...(isRenamed ? (['name'] as const) : []), ...(face ? (['photo'] as const) : [])];
    await noteDetailChanges(tx.trx, { subject_kind: 'child', subject_id: id }, changed, context.clock.now());
    if (name !== undefined) await withdraw(tx, { kind: 'child', id }, ['name']);
    if (birthDate !== undefined) await withdraw(tx, { kind: 'child', id }, ['birthDate']);
    await keepDetails(tx, id, change);
    if (face) {
      await withdraw(tx, { kind: 'child', id }, ['photo', 'photos']);
      await keepFace(context, tx, id, face);
      await endUnprovenPassword(context, tx, actor, child.parent_id, 'photo_changed');
    }
    await context.audit.append(tx, {
      actor,
      action: 'child.updated',
      subject: { kind: 'child', id },
      details: {
        name: name !== undefined,
        photo: face !== null,
        ...(birthDate === undefined ? {} : { birthDate: true }),
        ...(change.homeRoomId === undefined ? {} : { homeRoomId: change.homeRoomId }),
      },
    });
    await context.events.append(tx, {
      type: 'child.updated',
      childId: id,
      parentId: child.parent_id,
      audience: 'guardians',
    });
  };
  let lookalikes: readonly NearChild[] = [];
  if (photo) {
    const question: FaceQuestion = {
      photo,
      encoding: change.encoding,
      parentId: child.parent_id,
      childId: id,
      confirmed: change.confirmed,
    };
    const judge = (enrolled: VisionEnrolAnswer) => judgeFace(context, question, enrolled);
    lookalikes = await withFace(context, actor, { photo, childId: id }, judge, save);
  } else await inTransaction(context.db, (tx) => save(tx, null));
  return { child: await getChild(context, id), lookalikes };
}

/**
 * Deletes a child with photo and encodings, and destroys its key. Throws 404, `child_inside`, `beyond_own_rights`; for a parent
 * `child_kept` if an adult is barred, or a guardian may not take the child, because the same child, registered again, would have no bar or
 * limit, and if the child has, or is about to get, another guardian, whose child it is too.
 */
export async function deleteChild(context: Context, actor: Actor, id: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const { trx } = tx;
    const taken = await lockChildFor(tx, actor, id, 'mayEdit');
    const places = await findFacilitiesOfChild(trx, id);
    // It is erased everywhere, and may be inside elsewhere.
    const right: ReadonlySet<Permission> = new Set(['families.delete']);
    if (actor.kind === 'admin')
      await requireRights(trx, actor, new Map(places.map((place) => [place, right])));
    else if (
      (await findBarred(trx, id)).length > 0 ||
      (await findGuardiansOf(trx, id)).some(({ mayTake }) => !mayTake) ||
      (await hasOtherGuardian(trx, id, taken.parent_id))
    )
      throw new AppError('child_kept');
    if (await acrossFacilities(() => isAnyInside(trx, [id]))) throw new AppError('child_inside');
    const others = await acrossFacilities(() => findFurtherGuardians(trx, [id]));
    await acrossFacilities(() => eraseChild(tx, id, context.clock.now()));
    await context.audit.append(tx, {
      actor,
      action: 'child.deleted',
      subject: { kind: 'child', id },
      details: { parentId: taken.parent_id },
    });
    const fact = { type: 'child.deleted', childId: id, parentId: taken.parent_id } as const;
    for (const place of places) await inFacility(place, () => context.events.append(tx, fact));
    // Nobody knows afterwards whose child it was.
    for (const { parentId } of others)
      await context.events.append(tx, { ...fact, parentId, audience: 'account' });
  });
  await eraseDestroyedKeys(context);
  await context.erasures.update();
}
