/** Calls for second factors, the second step of a sign-in, the caller's sessions and blocked families (decision 041). */
import { factorRoutes } from '@haris/contract/http/factors';
import { sessionRoutes } from '@haris/contract/http/session';
import type { Admin, Parent } from '@haris/contract/objects';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../../app-error.ts';
import { setBlocked } from '../../blocking.ts';
import type { Context } from '../../context.ts';
import { findParent } from '../../db/parents.ts';
import { bind } from '../../http/bind.ts';
import { browserOf } from '../../http/device.ts';
import { sendEventPosition } from '../../http/event-position.ts';
import { asParent, presentParent } from '../../http/present.ts';
import { addPasskey, beginApp, beginPasskey, confirmApp } from './add-factor.ts';
import { getFactors, removeFactor, renewRecoveryCodes, resetFactors } from './factors.ts';
import { endOtherSessions, endOwnSession, listSessions } from './own-sessions.ts';
import { getParentView } from './parents.ts';
import { beginPasskeySignIn, signInByPasskey } from './passkey-sign-in.ts';
import { presentOwnAccount } from './present-staff.ts';
import type { SignedIn } from './second-step.ts';
import { signInBySecondStep } from './sign-in.ts';
import { getStaffMember } from './staff.ts';

export function bindFactors(app: FastifyInstance, context: Context): void {
  bind(app, context, factorRoutes.finishSignIn, {
    async handle({ body, actor, request, reply }) {
      const browser = browserOf(context, request);
      const signedIn = await signInBySecondStep(context, body, { origin: actor.origin, browser });
      browser.remember(reply);
      return presentSignedIn(context, reply, signedIn);
    },
  });
  bind(app, context, factorRoutes.beginPasskeySignIn, {
    handle: async ({ actor, body }) => beginPasskeySignIn(context, body.kind, actor.origin),
  });
  bind(app, context, factorRoutes.signInByPasskey, {
    async handle({ body, actor, request, reply }) {
      const browser = browserOf(context, request);
      const signedIn = await signInByPasskey(context, body, { origin: actor.origin, browser });
      browser.remember(reply);
      return presentSignedIn(context, reply, signedIn);
    },
  });
  bind(app, context, factorRoutes.listFactors, {
    handle: async ({ actor }) => getFactors(context, actor),
  });
  bind(app, context, factorRoutes.beginApp, {
    handle: async ({ actor, body }) => beginApp(context, actor, body.name),
  });
  bind(app, context, factorRoutes.confirmApp, {
    handle: async ({ actor, params, body }) => confirmApp(context, actor, params.id, body.code),
  });
  bind(app, context, factorRoutes.beginPasskey, {
    handle: async ({ actor }) => beginPasskey(context, actor),
  });
  bind(app, context, factorRoutes.addPasskey, {
    handle: async ({ actor, body }) => addPasskey(context, actor, body),
  });
  bind(app, context, factorRoutes.removeFactor, {
    async handle({ actor, params }) {
      await removeFactor(context, actor, params.id);
      return getFactors(context, actor);
    },
  });
  bind(app, context, factorRoutes.renewRecoveryCodes, {
    handle: async ({ actor }) => ({ recoveryCodes: await renewRecoveryCodes(context, actor) }),
  });
  bind(app, context, factorRoutes.resetStaffFactors, {
    async find({ params }) {
      await getStaffMember(context, params.id);
    },
    async handle({ actor, params }) {
      await resetFactors(context, actor, { kind: 'admin', id: params.id });
      return undefined;
    },
  });
  bind(app, context, factorRoutes.resetParentFactors, {
    find: ({ params }) => requireParent(context, params.id),
    async handle({ actor, params }) {
      await resetFactors(context, actor, { kind: 'parent', id: params.id });
      return undefined;
    },
  });
}

export function bindSessions(app: FastifyInstance, context: Context): void {
  bind(app, context, sessionRoutes.listSessions, {
    handle: async ({ actor }) => ({ sessions: await listSessions(context, actor) }),
  });
  bind(app, context, sessionRoutes.endSession, {
    async handle({ actor, params }) {
      await endOwnSession(context, actor, params.id);
      return undefined;
    },
  });
  bind(app, context, sessionRoutes.endOtherSessions, {
    handle: async ({ actor }) => ({ ended: await endOtherSessions(context, actor) }),
  });
  bind(app, context, sessionRoutes.blockParent, {
    find: ({ params }) => requireParent(context, params.id),
    async handle({ actor, params, body }) {
      await setBlocked(context, actor, params.id, body.access === 'blocked');
      return { parent: presentParent(await getParentView(context, params.id), actor) };
    },
  });
}

/** The answer to a sign-in, for either kind of account. */
async function presentSignedIn(
  context: Context,
  reply: FastifyReply,
  { token, kind, accountId, factor }: SignedIn,
): Promise<{ token: string; parent: Parent } | { token: string; admin: Admin }> {
  await sendEventPosition(context, reply);
  if (kind === 'parent')
    return { token, parent: presentParent(await getParentView(context, accountId), asParent(accountId)) };
  const admin = await getStaffMember(context, accountId);
  return { token, admin: await presentOwnAccount(context, admin, { factor, deskId: null, facility: null }) };
}

/** Throws 404. */
async function requireParent({ db }: Context, id: string): Promise<void> {
  if (!(await findParent(db, id))) throw new AppError('not_found');
}
