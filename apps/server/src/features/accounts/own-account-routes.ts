/** Calls of a signed-in person about their own account. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { changeStaffPasswordBodySchema, sessionRoutes } from '@haris/contract/http/session';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { bind } from '../../http/bind.ts';
import { sendEventPosition } from '../../http/event-position.ts';
import { presentParent } from '../../http/present.ts';
import { chooseLanguage } from './language.ts';
import { countProfileChange } from './limits.ts';
import { changePassword } from './own-password.ts';
import { getParentView } from './parents.ts';
import { presentOwnAccount } from './present-staff.ts';
import { beginProof, giveProof } from './proof.ts';
import { getStaffMember } from './staff.ts';

export function bindOwnAccount(app: FastifyInstance, context: Context): void {
  bind(app, context, accountRoutes.adminInfo, {
    async handle({ actor, reply }) {
      await sendEventPosition(context, reply);
      return {
        admin: await presentOwnAccount(context, await getStaffMember(context, actor.id), actor),
      };
    },
  });
  for (const route of [accountRoutes.parentInfo, accountRoutes.parentByToken])
    bind(app, context, route, {
      async handle({ actor, reply }) {
        await sendEventPosition(context, reply);
        return { parent: presentParent(await getParentView(context, actor.id), actor) };
      },
    });
  bind(app, context, sessionRoutes.proveSession, {
    async handle({ actor, body }) {
      await giveProof(context, actor, body);
      return undefined;
    },
  });
  bind(app, context, sessionRoutes.beginProof, {
    handle: async ({ actor }) => beginProof(context, actor),
  });
  bind(app, context, sessionRoutes.changePassword, {
    bodySchema: (actor) =>
      actor.kind === 'admin' ? changeStaffPasswordBodySchema : sessionRoutes.changePassword.body,
    async handle({ actor, body }) {
      await changePassword(context, actor, body);
      return { message: 'Your password was changed.' };
    },
  });
  bind(app, context, accountRoutes.setLanguage, {
    async handle({ actor, body }) {
      await countProfileChange(context, actor, { photo: false });
      await chooseLanguage(context, actor, body.language);
      return { language: body.language };
    },
  });
}
