/**
 * Calls for links to the identity provider, and for the sign-in and the proof there. The latter two answer 404 if no
 * provider is configured (decision 046).
 */
import { oidcRoutes } from '@haris/contract/http/oidc';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { bind } from '../../http/bind.ts';
import { browserOf } from '../../http/device.ts';
import { sendEventPosition } from '../../http/event-position.ts';
import { languageOfNewAccount } from '../../new-account-language.ts';
import { beginAttempt } from './oidc-attempts.ts';
import { readOidcCookie, setOidcCookie } from './oidc-cookie.ts';
import { listLinks, removeLink } from './oidc-own-links.ts';
import { beginOidcProof, giveOidcProof } from './oidc-proof.ts';
import { type OidcProvider, openOidcProvider } from './oidc-provider.ts';
import { signInByOidc } from './oidc-sign-in.ts';
import { presentOwnAccount } from './present-staff.ts';
import { getStaffMember } from './staff.ts';

export function bindOidc(app: FastifyInstance, context: Context): void {
  bindLinks(app, context);
  const configured = openOidcProvider(context);
  const find = (): OidcProvider => {
    if (!configured) throw new AppError('not_found');
    return configured;
  };
  bind(app, context, oidcRoutes.beginOidc, {
    find,
    async handle({ subject: provider, actor, body, request, reply }) {
      const returnTo = body.returnTo ?? null;
      const { url, browser } = await beginAttempt(context, provider, actor.origin, {
        session: null,
        returnTo,
      });
      setOidcCookie(context, request, reply, browser);
      return { url };
    },
  });
  bind(app, context, oidcRoutes.finishOidc, {
    find,
    async handle({ subject: provider, actor, body, request, reply }) {
      const browser = browserOf(context, request);
      const cookie = readOidcCookie(context, request);
      const language = await languageOfNewAccount(context, request, { byStaff: false });
      const from = { origin: actor.origin, browser };
      const signedIn = await signInByOidc(context, provider, body, { from, cookie, language });
      setOidcCookie(context, request, reply, '');
      if ('step' in signedIn) return signedIn;
      const { token, accountId, factor, returnTo } = signedIn;
      browser.remember(reply);
      await sendEventPosition(context, reply);
      const admin = await getStaffMember(context, accountId);
      return {
        token,
        admin: await presentOwnAccount(context, admin, { factor, deskId: null, facility: null }),
        returnTo,
      };
    },
  });
  bind(app, context, oidcRoutes.beginOidcProof, {
    find,
    async handle({ subject: provider, actor, request, reply }) {
      const { url, browser } = await beginOidcProof(context, provider, actor);
      setOidcCookie(context, request, reply, browser);
      return { url };
    },
  });
  bind(app, context, oidcRoutes.finishOidcProof, {
    find,
    async handle({ subject: provider, actor, body, request, reply }) {
      await giveOidcProof(context, provider, actor, readOidcCookie(context, request), body);
      setOidcCookie(context, request, reply, '');
      return undefined;
    },
  });
}

/** Links remain when the provider is no longer configured. */
function bindLinks(app: FastifyInstance, context: Context): void {
  bind(app, context, oidcRoutes.listOwnLinks, {
    handle: async ({ actor }) => listLinks(context, actor.id),
  });
  bind(app, context, oidcRoutes.removeOwnLink, {
    async handle({ actor, params }) {
      await removeLink(context, actor, actor.id, params.linkId);
      return listLinks(context, actor.id);
    },
  });
  bind(app, context, oidcRoutes.listStaffLinks, {
    async find({ params }) {
      await getStaffMember(context, params.id);
    },
    handle: async ({ params }) => listLinks(context, params.id),
  });
  bind(app, context, oidcRoutes.removeStaffLink, {
    async find({ params }) {
      await getStaffMember(context, params.id);
    },
    async handle({ actor, params }) {
      await removeLink(context, actor, params.id, params.linkId);
      return listLinks(context, params.id);
    },
  });
}
