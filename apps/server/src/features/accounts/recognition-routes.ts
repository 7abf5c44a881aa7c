/** Binds the calls by which an adult lets the cameras recognise them, and takes it back. */
import { recognitionRoutes } from '@haris/contract/http/recognition';
import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findParent } from '../../db/parents.ts';
import { bind } from '../../http/bind.ts';
import type { AdultAccount } from '../../vision/adults.ts';
import { mayManageParent } from './policy.ts';
import { findRecognition, forgetAdult, recogniseParent, recogniseStaff } from './recognition.ts';

export function recognitionFeature(app: FastifyInstance, context: Context): void {
  const parentOf = async (call: { actor: Actor; params: { id: string } }): Promise<AdultAccount> => {
    const { id } = call.params;
    if (!mayManageParent(call.actor, id) || !(await findParent(context.db, id)))
      throw new AppError('not_found');
    return { kind: 'parent', id };
  };
  const answer = async (account: AdultAccount) => ({ recognition: await findRecognition(context, account) });

  bind(app, context, recognitionRoutes.getParentRecognition, {
    find: parentOf,
    handle: ({ subject }) => answer(subject),
  });
  bind(app, context, recognitionRoutes.startParentRecognition, {
    find: parentOf,
    async handle({ actor, subject }) {
      await recogniseParent(context, actor);
      return answer(subject);
    },
  });
  bind(app, context, recognitionRoutes.stopParentRecognition, {
    find: parentOf,
    async handle({ actor, subject }) {
      await forgetAdult(context, actor, subject);
      return answer(subject);
    },
  });
  bind(app, context, recognitionRoutes.getOwnRecognition, {
    handle: ({ actor }) => answer(actor),
  });
  bind(app, context, recognitionRoutes.startOwnRecognition, {
    async handle({ actor, files }) {
      await recogniseStaff(context, actor, files.photo);
      return answer(actor);
    },
  });
  bind(app, context, recognitionRoutes.stopOwnRecognition, {
    async handle({ actor }) {
      await forgetAdult(context, actor, { kind: actor.kind, id: actor.id });
      return answer(actor);
    },
  });
}
