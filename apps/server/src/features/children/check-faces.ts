/** Names the faces in a photo for staff. If a face only resembles an enrolled child, staff decide. */
import type { childRoutes } from '@haris/contract/http/children';
import { photoPath } from '@haris/contract/http/photos';
import type { NearChild } from '@haris/contract/vision';
import type { z } from 'zod';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { findChild } from '../../db/children.ts';
import { readSettings } from '../../db/settings.ts';
import { inTransaction } from '../../db/transaction.ts';
import { presentCandidates, similarityOf } from '../../vision/resemblance.ts';

type CheckedFace = z.infer<typeof childRoutes.checkFace.answer>['faces'][number];

/** Returns all faces in the photo. A face with a `question` has no `match`. Throws 503, `unreadable_photo`. */
export async function checkFaces(context: Context, actor: Actor, photo: Buffer): Promise<CheckedFace[]> {
  const settings = await readSettings(context.db, context.config);
  const found = await context.gallery.identify(photo, {
    threshold: settings.recognitionThreshold,
    margin: settings.recognitionMargin,
    questionDistance: settings.questionThreshold,
  });
  const faces = await Promise.all(
    found.map(async ({ box, match, near }): Promise<CheckedFace> => {
      const named = match && (await presentMatch(context, match));
      if (named) return { box, match: named };
      const question = await presentCandidates(context, near);
      return { box, match: null, ...(question.length > 0 ? { question } : {}) };
    }),
  );
  await inTransaction(context.db, (tx) =>
    context.audit.append(tx, {
      actor,
      action: 'face.checked',
      details: {
        faces: faces.length,
        matched: faces.flatMap(({ match }) => match?.childId ?? []),
        asked: faces.flatMap(({ question }) => question?.map(({ childId }) => childId) ?? []),
      },
    }),
  );
  return faces;
}

/** Returns null if the child was deleted meanwhile. */
async function presentMatch(
  context: Context,
  { childId, distance }: NearChild,
): Promise<CheckedFace['match']> {
  const child = await findChild(context.db, childId);
  if (!child) return null;
  return {
    childId,
    name: child.name,
    parentName: child.parent_name,
    photo: child.photo_id && photoPath(child.photo_id),
    similarity: similarityOf(distance),
  };
}
