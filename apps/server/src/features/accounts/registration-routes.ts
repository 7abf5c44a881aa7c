/** Calls with which a parent registers and starts, and with which staff add a parent. */
import { accountRoutes, addParentBodySchema } from '@haris/contract/http/accounts';
import { registrationRoutes } from '@haris/contract/http/registration';
import type { FastifyInstance } from 'fastify';
import type { Actor, Visitor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { bind } from '../../http/bind.ts';
import { browserOf, openerOf } from '../../http/device.ts';
import { sendEventPosition } from '../../http/event-position.ts';
import { announcesMultipart } from '../../http/multipart.ts';
import { asParent, presentParent } from '../../http/present.ts';
import { languageOfNewAccount } from '../../new-account-language.ts';
import { may } from '../../policy.ts';
import { isWaitingByKey, resendByKey, startByLink } from './browser-keys.ts';
import { admitPhotoForm } from './limits.ts';
import { tellOfMail } from './mail-answers.ts';
import { addParent, getParentView } from './parents.ts';
import { verifiedMessage } from './verification.ts';

/** Whether staff make this call, which visitors may make too. Throws 403 for staff who may not add families. */
function isStaff(actor: Actor | Visitor): actor is Actor {
  if (actor.kind !== 'admin') return false;
  if (!may(actor, 'families.edit')) throw new AppError('forbidden');
  return true;
}

/** Tells a parent where to find the link, or whom to ask. */
const REGISTERED = {
  sent: 'Registration successful. Please open the link in the email we have sent you.',
  kept: 'Registration successful. Please ask the staff at the desk to confirm your account.',
};
const RESENT = {
  sent: 'We have sent you a new link. The older one no longer works.',
  kept: 'This nursery cannot send mail yet. Please ask the staff at the desk to confirm your account.',
};

export function bindRegistration(app: FastifyInstance, context: Context): void {
  bind(app, context, accountRoutes.addParent, {
    // Otherwise a call from a desk whose session has ended would count as a visitor's and fail with missing fields.
    refusesDeadToken: true,
    async admit({ actor, request }) {
      if (!isStaff(actor) && announcesMultipart(request)) await admitPhotoForm(context, actor.origin);
    },
    // Staff may leave out fields that visitors must fill in.
    bodySchema: (actor) => (isStaff(actor) ? addParentBodySchema : accountRoutes.addParent.body),
    async handle({ actor, body, files, request }) {
      const byStaff = isStaff(actor);
      const by = byStaff ? actor : ({ kind: 'visitor', origin: actor.origin } as const);
      const { view, browserKey } = await addParent(context, by, {
        ...body,
        language: body.language ?? (await languageOfNewAccount(context, request, { byStaff })),
        photo: files.photo,
      });
      return {
        message: byStaff ? 'Parent added successfully' : await tellOfMail(context, REGISTERED),
        parent: presentParent(view, byStaff ? actor : asParent(view.parent.id)),
        browserKey,
      };
    },
  });
  bind(app, context, registrationRoutes.startParent, {
    async handle({ params, actor, body, request, reply }) {
      const browser = browserOf(context, request);
      const from = { origin: actor.origin, browser, openedBy: openerOf(request, browser) };
      const { session, verified } = await startByLink(context, params.token, body.browserKey, from);
      const message = verifiedMessage(verified);
      if (!session && verified.alreadyVerified) return { message, ...verified };
      browser.remember(reply);
      if (!session) return { message, ...verified };
      await sendEventPosition(context, reply);
      const parent = presentParent(
        await getParentView(context, session.accountId),
        asParent(session.accountId),
      );
      return { message, ...verified, signedIn: { token: session.token, parent } };
    },
  });
  bind(app, context, registrationRoutes.resendOwnLink, {
    async handle({ actor, body }) {
      await resendByKey(context, body.browserKey, actor.origin);
      return { message: await tellOfMail(context, RESENT) };
    },
  });
  bind(app, context, registrationRoutes.readOwnRegistration, {
    async handle({ actor, body }) {
      return { isWaiting: await isWaitingByKey(context, body.browserKey, actor.origin) };
    },
  });
}
