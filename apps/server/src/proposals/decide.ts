/**
 * The one way in which staff accept or reject what a parent gave (decision 026). A decision may name the revision that was
 * looked at; a face is compared with all enrolled ones before it counts.
 */
import type { AdultCandidate } from '@haris/contract/errors';
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { findChild, takeChild } from '../db/children.ts';
import { eraseDestroyedKeys, findDataKey } from '../db/data-keys.ts';
import { takeParent } from '../db/parents.ts';
import { deleteProposals, findProposals, type ProposalSubject, revisionOf } from '../db/proposals.ts';
import type { ProposalRow } from '../db/schema.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { openEncoding } from '../vision/encoding.ts';
import { advanceGalleryFrom, type Near } from '../vision/gallery.ts';
import { askAbout, findResemblance } from '../vision/resemblance.ts';
import { applyToAccount, applyToChild, dropOtherPhotos } from './apply.ts';
import { photosOf } from './propose.ts';

/** The gallery or the proposals changed between judgement and transaction this often in a row: not under any real load. */
const ATTEMPTS = 20;

export interface Decision {
  /** What was looked at; undefined: whatever waits. */
  readonly revision: string | undefined;
  /** Staff have seen who looks alike, and it is somebody else. */
  readonly confirmed: boolean;
}

/** The gallery or the proposals changed after the comparison; it has to be repeated. */
class JudgedTooEarlyError extends Error {
  override name = 'JudgedTooEarlyError';
}

interface Judgement {
  readonly revision: string | null;
  /** Revision of the gallery that faces were compared with; null where there is no face. */
  readonly gallery: number | null;
  readonly lookalikes: readonly Near[];
}

/**
 * Accepts with a transaction that has taken the subject. Throws `proposal_changed` before anything is written; `first` is
 * done after that and before the rest, so that what it refuses leaves nothing accepted either.
 */
export type Accept = (tx: Tx, first?: () => Promise<void>) => Promise<void>;

/**
 * Runs `work` with a way to accept all that waits, in the transaction that `work` opens; anew while a face was enrolled in
 * between. Nothing happens where nothing waits and no revision was named. Answers who looks alike without being refused.
 * Throws `proposal_changed`, `face_already_registered` with the candidates until confirmed, 503, and what `work` throws.
 */
export async function accepting<T>(
  context: Context,
  actor: Actor,
  subject: ProposalSubject,
  decision: Decision,
  work: (accept: Accept) => Promise<T>,
): Promise<{ result: T; lookalikes: readonly Near[] }> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const judgement = await judge(context, subject, decision);
    try {
      const result = await work(async (tx, first) => {
        const proposals = await stillThere(tx, subject, decision, judgement);
        await first?.();
        if (proposals.length > 0) await accept(context, tx, actor, subject, decision, judgement, proposals);
      });
      return { result, lookalikes: judgement.lookalikes };
    } catch (error) {
      if (!(error instanceof JudgedTooEarlyError)) throw error;
    }
  }
  throw new AppError('unavailable');
}

/** Accepts or rejects all that waits for a child or a parent. Throws 404, and as {@link accepting}. */
export async function decide(
  context: Context,
  actor: Actor,
  subject: ProposalSubject,
  decision: Decision & { readonly accept: boolean },
): Promise<readonly Near[]> {
  if (!decision.accept) {
    await reject(context, actor, subject, decision.revision);
    return [];
  }
  const { lookalikes } = await accepting(context, actor, subject, decision, (acceptAll) =>
    inTransaction(context.db, async (tx) => {
      await take(tx, subject);
      // Another desk has decided already; the second desk must not think that its press did it.
      if ((await findProposals(tx.trx, subject)).length === 0) throw new AppError('proposal_changed');
      await acceptAll(tx);
    }),
  );
  await eraseDestroyedKeys(context);
  return lookalikes;
}

/** Compares the faces that wait with all that are enrolled. Throws `face_already_registered`, 503. */
async function judge(context: Context, subject: ProposalSubject, decision: Decision): Promise<Judgement> {
  const proposals = await findProposals(context.db, subject);
  const revision = revisionOf(proposals);
  // Something else than what was looked at: refused by `accept`, or an answer that was given before.
  const faces =
    decision.revision === undefined || decision.revision === revision
      ? proposals.filter(({ sealed }) => sealed !== null)
      : [];
  const key = faces.length > 0 && (await findDataKey(context.db, context.vault, subject.kind, subject.id));
  if (!key) return { revision, gallery: null, lookalikes: [] };
  const whose =
    subject.kind === 'child'
      ? {
          childId: subject.id,
          parentId: (await findChild(context.db, subject.id))?.parent_id ?? null,
          adult: null,
        }
      : { childId: null, parentId: null, adult: { kind: 'parent' as const, id: subject.id } };
  let gallery: number | null = null;
  const lookalikes: Near[] = [];
  const questions: Near[] = [];
  const adults: AdultCandidate[] = [];
  for (const { id, sealed } of faces) {
    if (!sealed) continue;
    const found = await findResemblance(context, openEncoding(key, id, sealed), whose);
    // The first: had a face come between two of them, the save would notice.
    gallery ??= found.revision;
    addNearest(lookalikes, found.nearest);
    addNearest(questions, found.questions);
    for (const adult of found.adults) if (!adults.some(({ name }) => name === adult.name)) adults.push(adult);
  }
  if (!decision.confirmed) await askAbout(context, questions, adults);
  return { revision, gallery, lookalikes };
}

function addNearest(to: Near[], more: readonly Near[]): void {
  for (const near of more) if (!to.some(({ childId }) => childId === near.childId)) to.push(near);
}

/** What waits now, if it is what was looked at and judged. Throws `proposal_changed`. */
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
): Promise<void> {
  if (judgement.gallery !== null && !(await advanceGalleryFrom(tx.trx, judgement.gallery)))
    throw new JudgedTooEarlyError();
  if (subject.kind === 'child') await applyToChild(tx, subject.id, proposals);
  else await applyToAccount(context, tx, actor, subject.id, proposals);
  await deleteProposals(tx.trx, subject.kind, [subject.id]);
  await tell(context, tx, actor, subject, proposals, 'proposal.accepted', {
    confirmed: decision.confirmed,
    lookalikes: judgement.lookalikes.map(({ childId }) => childId),
  });
}

/** Drops what waits, with its photos. Throws 404, `proposal_changed`. */
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
    const photos = photosOf(proposals);
    // The only photo of a child that was never confirmed is one of them.
    if (subject.kind === 'child' && photos.length > 0)
      await tx.trx
        .updateTable('children')
        .set({ photo_id: null })
        .where('id', '=', subject.id)
        .where('photo_id', 'in', photos)
        .execute();
    await deleteProposals(tx.trx, subject.kind, [subject.id]);
    await dropOtherPhotos(tx, subject);
    await tell(context, tx, actor, subject, proposals, 'proposal.rejected', {});
  });
}

/** Locks the child or parent for this transaction. Throws 404. */
async function take({ trx }: Tx, { kind, id }: ProposalSubject): Promise<void> {
  if (!(await (kind === 'child' ? takeChild(trx, id) : takeParent(trx, id)))) throw new AppError('not_found');
}

async function tell(
  context: Context,
  tx: Tx,
  actor: Actor,
  subject: ProposalSubject,
  proposals: readonly ProposalRow[],
  what: 'proposal.accepted' | 'proposal.rejected',
  details: { readonly confirmed?: boolean; readonly lookalikes?: readonly string[] },
): Promise<void> {
  const fields = [...new Set(proposals.map(({ field }) => field))];
  await context.audit.append(tx, { actor, action: what, subject, details: { fields, ...details } });
  const parentId =
    subject.kind === 'parent' ? subject.id : ((await findChild(tx.trx, subject.id))?.parent_id ?? null);
  await context.events.append(tx, {
    type: what,
    childId: subject.kind === 'child' ? subject.id : null,
    parentId,
  });
}
