/** Calls that confirm or reject who registered an account: at the desk, with a code, or with a mailed link. */
import { accountRoutes, loginBodySchema } from '@haris/contract/http/accounts';
import { vouchingRoutes } from '@haris/contract/http/vouching';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { bind, parseInput } from '../../http/bind.ts';
import { browserOf } from '../../http/device.ts';
import { presentParent } from '../../http/present.ts';
import { answerEmailChange } from './email-changes.ts';
import { tellOfMail } from './mail-answers.ts';
import { getParentView, requireParent } from './parents.ts';
import { createDeskCode, disownRegistration, markParentVerified, presentRegistration } from './vouching.ts';

const AGREED = {
  sent: 'Thank you. We have sent a link to the new email.',
  kept: 'Thank you. There is a link for the new email. Please ask the staff at the desk for it.',
};

export function bindVouching(app: FastifyInstance, context: Context): void {
  bind(app, context, vouchingRoutes.createDeskCode, {
    async handle({ actor, body, request }) {
      if (actor.kind === 'parent') return createDeskCode(context, { parentId: actor.id });
      const { browserKey } = body;
      if (browserKey !== undefined) return createDeskCode(context, { browserKey });
      const from = { origin: actor.origin, browser: browserOf(context, request) };
      return createDeskCode(context, { credentials: parseInput(loginBodySchema, body), from });
    },
  });
  bind(app, context, vouchingRoutes.getRegistration, {
    find: ({ params }) => requireParent(context, params.id),
    async handle({ subject, actor }) {
      const view = await getParentView(context, subject);
      return { registration: presentRegistration(view, actor.origin.address) };
    },
  });
  bind(app, context, accountRoutes.markParentVerified, {
    find: ({ params }) => requireParent(context, params.id),
    async handle({ actor, body, subject }) {
      const view = await markParentVerified(context, actor, subject, body.code);
      return { message: 'Parent marked as verified', parent: presentParent(view, actor) };
    },
  });
  bind(app, context, vouchingRoutes.answerEmailChange, {
    async handle({ params, actor, body }) {
      await answerEmailChange(context, params.token, body.agree, actor.origin);
      return {
        message: body.agree ? await tellOfMail(context, AGREED) : 'The email of your account stays as it is.',
      };
    },
  });
  bind(app, context, vouchingRoutes.disownRegistration, {
    async handle({ params, actor }) {
      const isDeleted = await disownRegistration(context, params.token, actor.origin);
      return {
        deleted: isDeleted,
        message: isDeleted
          ? 'The account was deleted.'
          : 'Nobody can sign in to the account any more. We have told the staff.',
      };
    },
  });
}
