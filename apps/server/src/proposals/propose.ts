/** What parents give becomes a proposal, in the transaction of the call that gives it (decision 026). */
import { randomUUID } from 'node:crypto';
import type { VisionEnrolAnswer } from '@haris/contract/vision';
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { findChild } from '../db/children.ts';
import { takeDataKey } from '../db/data-keys.ts';
import { foldForSearch } from '../db/folding.ts';
import { addPhoto, dropPhotos } from '../db/photos.ts';
import { deleteProposals, findProposals, type ProposalSubject } from '../db/proposals.ts';
import type { ProposalRow } from '../db/schema.ts';
import type { Tx } from '../db/transaction.ts';
import { sealEncoding } from '../vision/encoding.ts';

/** One field as it is given; `photos` come beside one another, every other field replaces what waited for it. */
interface Given {
  readonly field: ProposalRow['field'];
  readonly value?: string;
  readonly photoId?: string;
  readonly face?: VisionEnrolAnswer | null;
}

/** Writes one proposal. The photo of an older one for the same field is dropped, unless it is `shown` to staff. */
async function insertProposal(
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
  await tx.trx
    .insertInto('proposals')
    .values({
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
    })
    .execute();
}

/**
 * Drops what waits for these fields, with its photos, but for the one that is `shown` to staff: the desk said something
 * else, or the parent took it back.
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

export function photosOf(proposals: readonly ProposalRow[]): string[] {
  return proposals.flatMap(({ photo_id: photoId }) => (photoId === null ? [] : [photoId]));
}

/** What a parent gives for a child. */
export interface GivenForChild {
  readonly name?: string | undefined;
  /** Judged: readable, one face, this encoding's. Nobody else was compared with it. */
  readonly face?: VisionEnrolAnswer | undefined;
  /** One more photo of the face. */
  readonly more?: VisionEnrolAnswer | undefined;
}

/**
 * Writes down what a parent gives for a child that the transaction has taken. A child that nobody has confirmed yet
 * shows it already, for there is nothing else to show; not while it is inside: staff have seen it with the photo and the
 * name of its check-in, and go on seeing these until they decide.
 */
export async function proposeForChild(
  context: Context,
  tx: Tx,
  actor: Actor,
  childId: string,
  { name, face, more }: GivenForChild,
): Promise<void> {
  const subject = { kind: 'child', id: childId } as const;
  const child = await findChild(tx.trx, childId);
  if (!child) throw new AppError('not_found');
  const isInside = child.entry_time !== null;
  const before = (field: ProposalRow['field']) => child.proposals.find((one) => one.field === field);
  if (name !== undefined) {
    // Only of a name that was never confirmed does the row say the same as its proposal.
    const isFirst = before('name')?.value === child.name;
    if (isFirst && !isInside) {
      const renamed = { name, sort_name: foldForSearch(name) };
      await tx.trx.updateTable('children').set(renamed).where('id', '=', childId).execute();
    }
    if (!isFirst && name === child.name) await withdraw(tx, subject, ['name']);
    else await insertProposal(context, tx, actor, subject, { field: 'name', value: name });
  }
  if (face) {
    const photoId = await keep(context, tx, subject, face.photo.jpeg);
    const isFirst = child.photo_id === before('photo')?.photo_id && !isInside;
    if (isFirst || child.photo_id === null)
      await tx.trx.updateTable('children').set({ photo_id: photoId }).where('id', '=', childId).execute();
    // What waits beside the photo before was compared with that one.
    await withdraw(tx, subject, ['photos']);
    const shown = isFirst ? null : child.photo_id;
    await insertProposal(context, tx, actor, subject, { field: 'photo', photoId, face }, shown);
  }
  if (more) {
    const photoId = await keep(context, tx, subject, more.photo.jpeg);
    await insertProposal(context, tx, actor, subject, { field: 'photos', photoId, face: more });
  }
  const fields = [name !== undefined && 'name', face && 'photo', more && 'photos'];
  await tellOf(context, tx, actor, subject, fields);
}

/** The name of a child that a parent adds with this transaction waits like its photo. */
export async function proposeFirstName(
  context: Context,
  tx: Tx,
  actor: Actor,
  childId: string,
  name: string,
): Promise<void> {
  await insertProposal(context, tx, actor, { kind: 'child', id: childId }, { field: 'name', value: name });
}

/** What a parent gives for the own account. */
export interface GivenForAccount {
  readonly name?: string | undefined;
  readonly phone?: string | undefined;
  /** As it is to be kept, a JPEG. */
  readonly photo?: Buffer | undefined;
  /** What the cameras are to know the parent by, or why they cannot by the new photo. */
  readonly recognition?: { readonly face: VisionEnrolAnswer | null; readonly problem: string | null };
}

/** Writes down what a parent gives for the own account, which the transaction has taken. */
export async function proposeForAccount(
  context: Context,
  tx: Tx,
  actor: Actor,
  given: GivenForAccount,
): Promise<void> {
  const subject = { kind: 'parent', id: actor.id } as const;
  const { name, phone, photo, recognition } = given;
  const parent = await tx.trx
    .selectFrom('parents')
    .select(['name', 'phone'])
    .where('id', '=', actor.id)
    .executeTakeFirstOrThrow();
  for (const [field, value] of [
    ['name', name],
    ['phone', phone],
  ] as const) {
    if (value === undefined) continue;
    if (value === parent[field]) await withdraw(tx, subject, [field]);
    else await insertProposal(context, tx, actor, subject, { field, value });
  }
  if (photo) {
    const photoId = await addPhoto(context, tx, subject, photo, context.clock.now());
    await insertProposal(context, tx, actor, subject, { field: 'photo', photoId });
  }
  if (recognition) {
    const { face, problem } = recognition;
    const value = problem === null ? {} : { value: problem };
    await insertProposal(context, tx, actor, subject, { field: 'recognition', face, ...value });
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
