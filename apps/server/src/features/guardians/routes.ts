/** Binds the calls about who answers for a child (decision 049). */
import { guardianRoutes } from '@haris/contract/http/guardians';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findChild } from '../../db/children.ts';
import { bind } from '../../http/bind.ts';
import { presentChild } from '../../http/present.ts';
import { languageOfNewAccount } from '../../new-account-language.ts';
import { askGuardian } from './asking.ts';
import { answerRequest, listRequests } from './requests.ts';
import { endOne, listGuardians, setRights } from './rights.ts';

export function guardianFeature(app: FastifyInstance, context: Context): void {
  /** The id of a child that is known where the staff member works. Throws 404. */
  const childById = async ({ params }: { readonly params: { readonly id: string } }): Promise<string> => {
    const child = await findChild(context.db, params.id);
    if (!child) throw new AppError('not_found');
    return child.id;
  };

  bind(app, context, guardianRoutes.listGuardians, {
    find: childById,
    handle: async ({ subject }) => ({ guardians: await listGuardians(context, subject) }),
  });
  bind(app, context, guardianRoutes.askGuardian, {
    find: childById,
    async handle({ actor, subject, body, request }) {
      const language = await languageOfNewAccount(context, request, { byStaff: true });
      const guardian = await askGuardian(context, actor, subject, { ...body, language });
      return { message: 'Guardian asked', guardian };
    },
  });
  bind(app, context, guardianRoutes.setGuardianRights, {
    find: childById,
    async handle({ actor, subject, params, body }) {
      const pair = { childId: subject, parentId: params.parentId };
      return { message: 'Guardian updated', guardian: await setRights(context, actor, pair, body) };
    },
  });
  bind(app, context, guardianRoutes.endGuardian, {
    find: childById,
    async handle({ actor, subject, params }) {
      await endOne(context, actor, { childId: subject, parentId: params.parentId });
      return { message: 'Guardian removed' };
    },
  });
  bind(app, context, guardianRoutes.listGuardianRequests, {
    handle: async ({ actor }) => ({ requests: await listRequests(context, actor) }),
  });
  bind(app, context, guardianRoutes.answerGuardianRequest, {
    async handle({ actor, params, body }) {
      const child = await answerRequest(context, actor, params.id, body.accept);
      return { message: child ? 'Accepted' : 'Declined', child: child && presentChild(child, actor) };
    },
  });
}
