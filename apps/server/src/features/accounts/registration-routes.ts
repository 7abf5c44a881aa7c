/** Call with which a parent registers, and with which staff add a parent. */
import { accountRoutes, addParentBodySchema } from '@haris/contract/http/accounts';
import type { FastifyInstance } from 'fastify';
import type { Actor, Visitor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { bind } from '../../http/bind.ts';
import { announcesMultipart } from '../../http/multipart.ts';
import { presentParent } from '../../http/present.ts';
import { areMailsSent } from '../../mail/server.ts';
import { may } from '../../policy.ts';
import { languageOfNewAccount } from './language.ts';
import { admitPhotoForm } from './limits.ts';
import { addParent } from './parents.ts';

/** Whether staff make this call, which visitors may make too. Throws 403 for staff who may not add families. */
function isStaff(actor: Actor | Visitor): actor is Actor {
  if (actor.kind !== 'admin') return false;
  if (!may(actor, 'families.edit')) throw new AppError('forbidden');
  return true;
}

/** Tells a parent where to find the link, or whom to ask while no mail is sent. */
async function registered({ db, vault, config }: Context): Promise<string> {
  return (await areMailsSent(db, vault, config))
    ? 'Registration successful. Please open the link in the email we have sent you.'
    : 'Registration successful. Please ask the staff at the desk to confirm your account.';
}

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
      const view = await addParent(context, byStaff ? actor : { kind: 'visitor', origin: actor.origin }, {
        ...body,
        language: body.language ?? (await languageOfNewAccount(context, request, { byStaff })),
        photo: files.photo,
      });
      return {
        message: byStaff ? 'Parent added successfully' : await registered(context),
        parent: presentParent(view, byStaff ? 'admin' : 'parent'),
      };
    },
  });
}
