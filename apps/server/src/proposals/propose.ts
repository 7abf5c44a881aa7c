/** Turns changes by parents into proposals, in the transaction of their call (decision 026). */
import { randomUUID } from 'node:crypto';
import type { VisionEnrolAnswer } from '@haris/contract/vision';
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { findChild, renameChild, setChildPhoto } from '../db/children.ts';
import { takeDataKey } from '../db/data-keys.ts';
import { noteDetailChanges } from '../db/detail-changes.ts';
import { sealEncoding } from '../db/encoding.ts';
import { findParent } from '../db/parents.ts';
import { addPhoto, dropPhotos } from '../db/photos.ts';
import { deleteProposals, findProposals, insertProposal, type ProposalSubject } from '../db/proposals.ts';
import type { ProposalRow } from '../db/schema.ts';
import { isAnyInside } from '../db/stays.ts';
import type { Tx } from '../db/transaction.ts';
import { acrossFacilities } from '../facility.ts';

/** Proposed value of one field. Proposals for `photos` accumulate; for other fields, the new one replaces the earlier one. */
interface Given {
  readonly field: ProposalRow['field'];
  readonly value?: string;
  readonly photoId?: string;
  readonly face?: VisionEnrolAnswer | null;
}

/** Adds one proposal. Deletes the photo of an earlier proposal for the same field, unless it is `shown` to staff. */
async function addProposal(
  context: Context,
  tx: Tx,
  actor: Actor,
  subject: ProposalSubject,
  { field, value, photoId, face }: Given,
  shown?: string | null,
): Promise<void> {
  const id = randomUUID();
  if (field !== 'photos') await withdraw(tx, subject, [field], shown);
  const key = face && (await takeDataKey(tx.trx, context.vault, subject.kind, subject.id));
  await insertProposal(tx.trx, {
    id,
    subject_kind: subject.kind,
    subject_id: subject.id,
    field,
    slot: field === 'photos' ? id : '',
    value: value ?? null,
    photo_id: photoId ?? null,
    sealed: face && key ? sealEncoding(key, id, face.encoding) : null,
    model: face?.model ?? null,
    quality: face?.quality ?? null,
    by_id: actor.id,
    created_at: context.clock.now(),
  });
}

/**
 * Deletes the proposals for these fields with their photos, except a photo that is `shown` to staff. Called if staff have
 * set a value themselves, or the parent has taken the change back.
 */
export async function withdraw(
  tx: Tx,
  subject: ProposalSubject,
  fields: readonly ProposalRow['field'][],
  shown?: string | null,
): Promise<void> {
  const waiting = (await findProposals(tx.trx, subject)).filter(({ field }) => fields.includes(field));
  const ids = waiting.map(({ id }) => id);
  await dropPhotos(tx, subject, { only: photosOf(waiting).filter((id) => id !== shown) });
  await deleteProposals(tx.trx, subject.kind, [subject.id], ids);
}

/**
 * Deletes what an account has proposed for a child that the transaction has locked, with the photos. A name or photo that is the
 * only one, because staff never confirmed any, stays for their decision.
 */
export async function withdrawProposedBy(tx: Tx, childId: string, parentId: string): Promise<void> {
  const subject = { kind: 'child', id: childId } as const;
  const child = await findChild(tx.trx, childId);
  if (!child) return;
  const isOnlyOne = (field: ProposalRow['field']): boolean =>
    field === 'name'
      ? child.name_confirmed_at === null
      : (field === 'photo' || field === 'photos') && child.photo_confirmed_at === null;
  const waiting = (await findProposals(tx.trx, subject)).filter(
    ({ by_id: by, field }) => by === parentId && !isOnlyOne(field),
  );
  await dropPhotos(tx, subject, { only: photosOf(waiting).filter((id) => id !== child.photo_id) });
  await deleteProposals(
    tx.trx,
    'child',
    [childId],
    waiting.map(({ id }) => id),
  );
}

export function photosOf(proposals: readonly ProposalRow[]): string[] {
  return proposals.flatMap(({ photo_id: photoId }) => (photoId === null ? [] : [photoId]));
}

/** A parent's changes of a child. */
export interface GivenForChild {
  readonly name?: string | undefined;
  /** `YYYY-MM-DD`. */
  readonly birthDate?: string | undefined;
  /** The only face in a readable photo. It matches the encoding in the call, and is not compared with other people. */
  readonly face?: VisionEnrolAnswer | undefined;
  /** A further photo of the face. */
  readonly more?: VisionEnrolAnswer | undefined;
}

/**
 * Proposes changes of a child that the transaction has locked. A name or photo that staff never confirmed is replaced by the
 * proposed one at once, because there is no confirmed one. But while the child is inside, staff keep seeing the name and
 * photo of its check-in until they decide. A name that staff rejected, and never confirmed one, is proposed again with any
 * change, so that they decide on the child as a whole.
 */
export async function proposeForChild(
  context: Context,
  tx: Tx,
  actor: Actor,
  childId: string,
  { name, birthDate, face, more }: GivenForChild,
): Promise<void> {
  const subject = { kind: 'child', id: childId } as const;
  const child = await findChild(tx.trx, childId);
  if (!child) throw new AppError('not_found');
  const isInside = await acrossFacilities(() => isAnyInside(tx.trx, [childId]));
  const isNameConfirmed = child.name_confirmed_at !== null;
  const isPhotoConfirmed = child.photo_confirmed_at !== null;
  const note = (field: 'name' | 'photo') =>
    noteDetailChanges(tx.trx, { subject_kind: 'child', subject_id: childId }, [field], context.clock.now());
  const waits = (field: ProposalRow['field']) => child.proposals.some((one) => one.field === field);
  if (name !== undefined) {
    if (!isNameConfirmed && !isInside) {
      await renameChild(tx.trx, childId, name, null);
      if (name !== child.name) await note('name');
    }
    if (isNameConfirmed && name === child.name) await withdraw(tx, subject, ['name']);
    else await addProposal(context, tx, actor, subject, { field: 'name', value: name });
  } else if (!isNameConfirmed && !waits('name'))
    await addProposal(context, tx, actor, subject, { field: 'name', value: child.name });
  if (birthDate !== undefined) {
    if (birthDate === child.birth_date) await withdraw(tx, subject, ['birthDate']);
    else await addProposal(context, tx, actor, subject, { field: 'birthDate', value: birthDate });
  }
  if (face) {
    const photoId = await keep(context, tx, subject, face.photo.jpeg);
    const isShown = !isPhotoConfirmed && !isInside;
    if (isShown) {
      await setChildPhoto(tx.trx, childId, photoId, null);
      await note('photo');
    }
    // Withdraw further photos, because they were compared with the photo that is now replaced.
    await withdraw(tx, subject, ['photos']);
    // The replaced photo goes, also one whose proposal has gone before.
    if (isShown && child.photo_id !== null) await dropPhotos(tx, subject, { only: [child.photo_id] });
    const shown = isShown ? null : child.photo_id;
    await addProposal(context, tx, actor, subject, { field: 'photo', photoId, face }, shown);
  }
  if (more) {
    const photoId = await keep(context, tx, subject, more.photo.jpeg);
    await addProposal(context, tx, actor, subject, { field: 'photos', photoId, face: more });
  }
  const fields = [
    name !== undefined && 'name',
    birthDate !== undefined && 'birthDate',
    face && 'photo',
    more && 'photos',
  ];
  await tellOf(context, tx, actor, subject, fields);
}

/** A parent's changes to the parent's own account. */
export interface GivenForAccount {
  readonly name?: string | undefined;
  readonly phone?: string | undefined;
  /** JPEG bytes in the stored form. */
  readonly photo?: Buffer | undefined;
  /** The face by which cameras recognise the parent, or why the new photo does not allow it. */
  readonly recognition?: { readonly face: VisionEnrolAnswer | null; readonly problem: string | null };
}

/** Proposes changes of the parent's own account, which the transaction has locked. */
export async function proposeForAccount(
  context: Context,
  tx: Tx,
  actor: Actor,
  given: GivenForAccount,
): Promise<void> {
  const subject = { kind: 'parent', id: actor.id } as const;
  const { name, phone, photo, recognition } = given;
  const parent = await findParent(tx.trx, actor.id);
  if (!parent) throw new AppError('not_found');
  for (const [field, value] of [
    ['name', name],
    ['phone', phone],
  ] as const) {
    if (value === undefined) continue;
    if (value === parent[field]) await withdraw(tx, subject, [field]);
    else await addProposal(context, tx, actor, subject, { field, value });
  }
  if (photo) {
    const photoId = await addPhoto(context, tx, subject, photo, context.clock.now());
    await addProposal(context, tx, actor, subject, { field: 'photo', photoId });
  }
  if (recognition) {
    const { face, problem } = recognition;
    const value = problem === null ? {} : { value: problem };
    await addProposal(context, tx, actor, subject, { field: 'recognition', face, ...value });
  }
  const fields = [name && 'name', phone && 'phone', photo && 'photo', recognition && 'recognition'];
  await tellOf(context, tx, actor, subject, fields);
}

function keep(context: Context, tx: Tx, subject: ProposalSubject, jpeg: string): Promise<string> {
  return addPhoto(context, tx, subject, Buffer.from(jpeg, 'base64'), context.clock.now());
}

async function tellOf(
  context: Context,
  tx: Tx,
  actor: Actor,
  subject: ProposalSubject,
  fields: readonly unknown[],
): Promise<void> {
  await context.audit.append(tx, {
    actor,
    action: 'proposal.made',
    subject,
    details: { fields: fields.filter((field) => typeof field === 'string') },
  });
  await context.events.append(
    tx,
    subject.kind === 'child'
      ? { type: 'child.updated', childId: subject.id, parentId: actor.id }
      : { type: 'parent.updated', parentId: actor.id },
  );
}
