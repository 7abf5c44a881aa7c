/** Binds the calls with which adults switch recognition by the cameras on and off for themselves. */
import { recognitionRoutes } from '@haris/contract/http/recognition';
import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AdultAccount } from '../../db/adult-faces.ts';
import { findParent } from '../../db/parents.ts';
import { bind } from '../../http/bind.ts';
import { may } from '../../policy.ts';
import { findRecognition, forgetAdult, recogniseParent, recogniseStaff } from './recognition.ts';

export function recognitionFeature(app: FastifyInstance, context: Context): void {
  const parentOf = async (call: { actor: Actor; params: { id: string } }): Promise<AdultAccount> => {
    const { id } = call.params;
    if (!may(call.actor, 'families.view', id) || !(await findParent(context.db, id)))
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
