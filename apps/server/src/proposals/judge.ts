/** Compares the faces among proposals with all enrolled faces, outside any transaction, before staff's decision is applied. */
import type { AdultCandidate } from '@haris/contract/errors';
import type { NearChild } from '@haris/contract/vision';
import type { Context } from '../context.ts';
import { findChild } from '../db/children.ts';
import { findDataKey } from '../db/data-keys.ts';
import { openEncoding } from '../db/encoding.ts';
import { countEncodings } from '../db/face-encodings.ts';
import { findProposals, type ProposalSubject, revisionOf } from '../db/proposals.ts';
import type { ProposalRow } from '../db/schema.ts';
import { askAbout, findResemblance, type Question, questionsInOrder } from '../vision/resemblance.ts';

/** Children that staff compare when they confirm a face: other families' first, each group nearest first. */
const ASKED_ABOUT = 3;

export interface Decision {
  /** Revision of the proposals that staff saw; undefined decides on any revision. */
  readonly revision: string | undefined;
  /** Whether staff have seen the lookalikes and confirmed that this is a different person. */
  readonly confirmed: boolean;
}

/** What comparing the proposed faces has shown. */
export interface Judgement {
  readonly revision: string | null;
  /** Revision of the gallery that faces were compared with; null if no face is proposed. */
  readonly gallery: number | null;
  readonly lookalikes: readonly NearChild[];
}

/** Compares the proposed faces with all enrolled faces. Throws `face_already_registered`, 503. */
export async function judge(
  context: Context,
  subject: ProposalSubject,
  decision: Decision,
): Promise<Judgement> {
  const proposals = await findProposals(context.db, subject);
  const revision = revisionOf(proposals);
  // With a different revision no faces are compared: `accept` refuses, or the call returns a stored response.
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
  const photos = await photosAfter(context, subject, proposals);
  let gallery: number | null = null;
  const lookalikes: NearChild[] = [];
  const questions: Question[] = [];
  const adults: AdultCandidate[] = [];
  for (const { id, sealed } of faces) {
    if (!sealed) continue;
    const found = await findResemblance(context, openEncoding(key, id, sealed), whose, {
      besideChild: { photos },
    });
    // Keep the first revision, so that saving detects a face that was enrolled between two comparisons.
    gallery ??= found.revision;
    addNearest(lookalikes, found.nearest);
    questions.push(...found.questions);
    for (const adult of found.adults) if (!adults.some(({ name }) => name === adult.name)) adults.push(adult);
  }
  if (!decision.confirmed) await askAbout(context, questionsInOrder(questions).slice(0, ASKED_ABOUT), adults);
  return { revision, gallery, lookalikes };
}

/** How many photos a child is known by once these proposals are accepted. */
async function photosAfter(
  { db }: Context,
  { kind, id }: ProposalSubject,
  proposals: readonly ProposalRow[],
): Promise<number> {
  const added = proposals.filter(({ sealed }) => sealed !== null).length;
  // A new photo replaces all earlier ones.
  const isReplaced = kind === 'parent' || proposals.some(({ field }) => field === 'photo');
  return isReplaced ? added : added + (await countEncodings(db, id));
}

function addNearest(to: NearChild[], more: readonly NearChild[]): void {
  for (const near of more) if (!to.some(({ childId }) => childId === near.childId)) to.push(near);
}
