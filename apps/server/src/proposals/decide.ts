/** Accepts and rejects proposals for staff (decision 026). A decision may name the revision of the proposals that staff saw. */
import type { NearChild } from '@haris/contract/vision';
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { findChild, lockChild, setChildPhoto } from '../db/children.ts';
import { eraseDestroyedKeys } from '../db/data-keys.ts';
import { advanceGalleryFrom } from '../db/gallery.ts';
import { lockParent } from '../db/parents.ts';
import { dropUnshownPhotos } from '../db/photos.ts';
import { deleteProposals, findProposals, type ProposalSubject, revisionOf } from '../db/proposals.ts';
import type { RejectedChange } from '../db/schema/people.ts';
import type { ProposalRow } from '../db/schema.ts';
import { isAnyInside } from '../db/stays.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { acrossFacilities } from '../facility.ts';
import { again, JudgedTooEarlyError } from '../vision/again.ts';
import { applyToAccount, applyToChild } from './apply.ts';
import { mailRejection } from './change-mail.ts';
import { type Decision, type Judgement, judge } from './judge.ts';
import { photosOf } from './propose.ts';
import { record, tell } from './tell.ts';

/**
 * Accepts the proposals in a transaction that has locked the subject. Throws `proposal_changed` before any write. Runs
 * `first` before accepting, so that nothing is accepted if it refuses.
 */
export type Accept = (tx: Tx, first?: () => Promise<void>) => Promise<void>;

/**
 * Compares the proposed faces, and runs `work`, which opens a transaction and accepts all proposals in it with the given
 * function. Repeats both if a face was enrolled in between. Without proposals and without a revision, accepts nothing.
 * Returns the lookalikes. Throws `proposal_changed`, `face_already_registered` with the candidates until confirmed, 503,
 * and the errors of `work`.
 */
export async function accepting<T>(
  context: Context,
  actor: Actor,
  subject: ProposalSubject,
  decision: Decision,
  work: (accept: Accept) => Promise<T>,
): Promise<{ result: T; lookalikes: readonly NearChild[] }> {
  return again(async () => {
    const judgement = await judge(context, subject, decision);
    const result = await work(async (tx, first) => {
      // Before a check-in in the same step: its staff have seen these changes.
      const at = context.clock.now();
      const proposals = await stillThere(tx, subject, decision, judgement);
      await first?.();
      if (proposals.length > 0) await accept(context, tx, actor, subject, decision, judgement, proposals, at);
    });
    return { result, lookalikes: judgement.lookalikes };
  });
}

/** Accepts or rejects all proposals for a child or a parent. Throws 404, and the errors of {@link accepting}. */
export async function decide(
  context: Context,
  actor: Actor,
  subject: ProposalSubject,
  decision: Decision & { readonly accept: boolean },
): Promise<readonly NearChild[]> {
  if (!decision.accept) {
    await reject(context, actor, subject, decision.revision);
    await context.mails.settled();
    return [];
  }
  const { lookalikes } = await accepting(context, actor, subject, decision, (acceptAll) =>
    inTransaction(context.db, async (tx) => {
      await take(tx, subject);
      // Another desk has already decided, so this desk gets an error.
      if ((await findProposals(tx.trx, subject)).length === 0) throw new AppError('proposal_changed');
      await acceptAll(tx);
    }),
  );
  await eraseDestroyedKeys(context);
  return lookalikes;
}

/** Returns the proposals if they are unchanged since staff saw them and their faces were compared. Throws `proposal_changed`. */
async function stillThere(
  tx: Tx,
  subject: ProposalSubject,
  decision: Decision,
  judgement: Judgement,
): Promise<readonly ProposalRow[]> {
  const proposals = await findProposals(tx.trx, subject);
  const revision = revisionOf(proposals);
  if (decision.revision !== undefined && decision.revision !== revision)
    throw new AppError('proposal_changed');
  if (revision !== judgement.revision) throw new JudgedTooEarlyError();
  return proposals;
}

async function accept(
  context: Context,
  tx: Tx,
  actor: Actor,
  subject: ProposalSubject,
  decision: Decision,
  judgement: Judgement,
  proposals: readonly ProposalRow[],
  at: number,
): Promise<void> {
  if (judgement.gallery !== null && !(await advanceGalleryFrom(tx.trx, judgement.gallery)))
    throw new JudgedTooEarlyError();
  if (subject.kind === 'child') await applyToChild(tx, subject.id, proposals, at);
  else await applyToAccount(context, tx, actor, subject.id, proposals, at);
  await deleteProposals(tx.trx, subject.kind, [subject.id]);
  await record(context, tx, actor, subject, proposals, 'proposal.accepted', {
    confirmed: decision.confirmed,
    lookalikes: judgement.lookalikes.map(({ childId }) => childId),
  });
  await tell(context, tx, subject, proposals, 'proposal.accepted', true);
}

/** What a mail tells who proposed, for each field of a child. */
const rejections: { readonly [F in ProposalRow['field']]?: RejectedChange } = {
  photo: 'child_photo_rejected',
  name: 'child_name_rejected',
  birthDate: 'child_birth_date_rejected',
  photos: 'child_photos_rejected',
};

/**
 * Deletes all proposals with their photos, and mails each guardian what of its changes of a child was rejected; confirms
 * nothing. Throws 404, `proposal_changed`.
 */
async function reject(
  context: Context,
  actor: Actor,
  subject: ProposalSubject,
  revision: string | undefined,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await take(tx, subject);
    const proposals = await findProposals(tx.trx, subject);
    const now = revisionOf(proposals);
    if (now === null || (revision !== undefined && revision !== now)) throw new AppError('proposal_changed');
    const isChanged =
      subject.kind === 'child' && (await dropUnconfirmedPhoto(tx, subject.id, photosOf(proposals)));
    await deleteProposals(tx.trx, subject.kind, [subject.id]);
    await dropUnshownPhotos(tx, subject);
    await record(context, tx, actor, subject, proposals, 'proposal.rejected', {});
    const authors = await tell(context, tx, subject, proposals, 'proposal.rejected', isChanged);
    if (subject.kind === 'parent') return;
    for (const [author, own] of Map.groupBy(proposals, ({ by_id }) => by_id)) {
      const rejected = own.flatMap(({ field }) => rejections[field] ?? []);
      if (authors.includes(author)) await mailRejection(context, tx, author, rejected);
    }
  });
}

/**
 * Takes away the shown photo of a child whose photo staff never confirmed, except the one of its check-in while it is
 * inside: staff compared that one with the child, and rejected another. Returns whether it has gone.
 */
async function dropUnconfirmedPhoto(
  { trx }: Tx,
  childId: string,
  rejected: readonly string[],
): Promise<boolean> {
  const child = await findChild(trx, childId);
  if (!child || child.photo_confirmed_at !== null || child.photo_id === null) return false;
  const isInside = await acrossFacilities(() => isAnyInside(trx, [childId]));
  if (isInside && !rejected.includes(child.photo_id)) return false;
  await setChildPhoto(trx, childId, null, null);
  return true;
}

/** Locks the child or parent for this transaction. Throws 404. */
async function take({ trx }: Tx, { kind, id }: ProposalSubject): Promise<void> {
  if (!(await (kind === 'child' ? lockChild(trx, id) : lockParent(trx, id)))) throw new AppError('not_found');
}
