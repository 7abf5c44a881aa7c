/** Calls for signing in and out, and for verifying an e-mail or resetting a password by a mailed link. */
import { accountRoutes } from '@haris/contract/http/accounts';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { bind } from '../../http/bind.ts';
import { browserOf, openerOf } from '../../http/device.ts';
import { sendEventPosition } from '../../http/event-position.ts';
import { asParent, presentParent } from '../../http/present.ts';
import { tellOfMail } from './mail-answers.ts';
import { getParentView } from './parents.ts';
import { presentOwnAccount } from './present-staff.ts';
import { forgotPassword, resetPassword } from './recovery.ts';
import { signIn, signOut } from './sign-in.ts';
import { getStaffMember } from './staff.ts';
import { verifiedMessage, verifyEmail } from './verification.ts';

export function bindSignIn(app: FastifyInstance, context: Context): void {
  bind(app, context, accountRoutes.adminLogin, {
    async handle({ body, actor, request, reply }) {
      const browser = browserOf(context, request);
      const signedIn = await signIn(context, 'admin', body, { origin: actor.origin, browser });
      if ('step' in signedIn) return signedIn;
      const { token, accountId } = signedIn;
      browser.remember(reply);
      await sendEventPosition(context, reply);
      const admin = await getStaffMember(context, accountId);
      return {
        token,
        admin: await presentOwnAccount(context, admin, { factor: 'password', deskId: null, facility: null }),
      };
    },
  });
  bind(app, context, accountRoutes.parentLogin, {
    async handle({ body, actor, request, reply }) {
      const browser = browserOf(context, request);
      const signedIn = await signIn(context, 'parent', body, { origin: actor.origin, browser });
      if ('step' in signedIn) return signedIn;
      const { token, accountId } = signedIn;
      browser.remember(reply);
      await sendEventPosition(context, reply);
      return { token, parent: presentParent(await getParentView(context, accountId), asParent(accountId)) };
    },
  });
  bind(app, context, accountRoutes.logout, {
    async handle({ actor }) {
      await signOut(context, actor);
      return undefined;
    },
  });
  bind(app, context, accountRoutes.forgotPassword, {
    async handle({ body, request }) {
      await forgotPassword(context, body.kind, body.email, browserOf(context, request).place);
      return {
        message: await tellOfMail(context, {
          sent: 'If there is an account with this email, we have sent it a link.',
          kept: 'If there is an account with this email, there is a link for it. Please ask the staff at the desk.',
        }),
      };
    },
  });
  bind(app, context, accountRoutes.resetPassword, {
    async handle({ body, actor, request, reply }) {
      const browser = browserOf(context, request);
      const from = { origin: actor.origin, browser };
      const { kind, email } = await resetPassword(context, body.token, body.password, from);
      browser.remember(reply);
      const message = 'Your password is set. You can sign in now.';
      // Whoever has the link has the mailbox. Signing in stays a call of its own, which asks for a second factor.
      return kind === 'parent' ? { message, email } : { message };
    },
  });
  bind(app, context, accountRoutes.verifyAdminEmail, {
    async handle({ params, actor, request }) {
      const openedBy = openerOf(request, browserOf(context, request));
      await verifyEmail(context, 'admin', params.token, { origin: actor.origin, openedBy });
      return { message: 'Your email is verified. You can sign in now.' };
    },
  });
  bind(app, context, accountRoutes.verifyParentEmail, {
    async handle({ params, query, actor, request, reply }) {
      const browser = browserOf(context, request);
      const from = { origin: actor.origin, openedBy: openerOf(request, browser) };
      const verified = await verifyEmail(context, 'parent', params.token, from);
      // A client that does not ask goes on being told that a link works once.
      if (verified.alreadyVerified && query.showUsed !== 'true') throw new AppError('invalid_token');
      if (!verified.alreadyVerified) browser.remember(reply);
      return { message: verifiedMessage(verified), ...verified };
    },
  });
}
