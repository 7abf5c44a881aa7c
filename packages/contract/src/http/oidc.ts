/** Sign-in of staff, and proof, at the identity provider of their organisation (decision 046). */
import * as z from 'zod/mini';
import { OIDC_ATTEMPT_MS } from '../constants.ts';
import { adminSchema, momentSchema } from '../objects.ts';
import { secondStepSchema } from './factors.ts';
import { defineRoute } from './route.ts';

const NOT_OURS = 'must be a path of this site';

/** A path of this site: browsers read `//` and `/\\` as the beginning of another one. */
const ownPathSchema = z
  .string({ error: NOT_OURS })
  .check(z.maxLength(500, NOT_OURS), z.regex(/^\/(?![/\\])[^\\\s\p{Cc}]*$/u, NOT_OURS));

const text = (max: number) =>
  z.string('The answer is not complete').check(z.maxLength(max, 'The answer is too long'));

/** The query with which the provider sends the browser back: a code or an error. */
const answerSchema = z.object({
  state: text(200),
  code: z.optional(text(4000)),
  error: z.optional(text(200)),
  iss: z.optional(text(500)),
});
export type OidcAnswer = z.output<typeof answerSchema>;

const urlAnswer = z.object({ url: z.string() });
const returnShape = { returnTo: z.nullable(z.string()) };

/**
 * `provider`: the name of the current provider, or the host of a former one. `endedAt`: the organisation has ended the
 * access.
 */
const linkSchema = z.object({
  _id: z.string(),
  provider: z.string(),
  linkedAt: momentSchema,
  endedAt: z.nullable(momentSchema),
});
export type OidcLink = z.output<typeof linkSchema>;
/** `isOnlyWay`: the account has no password, so its links stay. */
const linksAnswer = z.object({ links: z.array(linkSchema), isOnlyWay: z.boolean() });

export const oidcRoutes = {
  listOwnLinks: defineRoute({
    id: 'listOwnLinks',
    method: 'GET',
    path: '/api/admin/me/links',
    access: 'staff',
    permission: 'own',
    summary: 'Links of the calling account to identity providers, at which it can sign in without a password',
    status: 200,
    answer: linksAnswer,
    errors: [],
  }),
  removeOwnLink: defineRoute({
    id: 'removeOwnLink',
    method: 'DELETE',
    path: '/api/admin/me/links/{linkId}',
    access: 'staff',
    permission: 'own',
    proof: 'always',
    summary: 'Remove a link of the calling account; its other sessions end',
    status: 200,
    answer: linksAnswer,
    errors: ['not_found', 'only_way_in'],
  }),
  listStaffLinks: defineRoute({
    id: 'listStaffLinks',
    method: 'GET',
    path: '/api/admin/{id}/links',
    access: 'staff',
    permission: 'staff.manage',
    summary: 'Links of a staff account to identity providers',
    status: 200,
    answer: linksAnswer,
    errors: ['not_found'],
  }),
  removeStaffLink: defineRoute({
    id: 'removeStaffLink',
    method: 'DELETE',
    path: '/api/admin/{id}/links/{linkId}',
    access: 'staff',
    permission: 'staff.manage',
    proof: 'always',
    summary: "Remove a link of a staff account; that person's sessions end",
    status: 200,
    answer: linksAnswer,
    errors: ['not_found', 'beyond_own_rights', 'only_way_in'],
  }),
  beginOidc: defineRoute({
    id: 'beginOidc',
    method: 'POST',
    path: '/api/session/oidc',
    access: 'visitor',
    summary: `Begin the sign-in of a staff member at the organisation's identity provider: its address, and a cookie that binds the answer to this browser for ${OIDC_ATTEMPT_MS / 60_000} minutes. 404 without a provider`,
    body: z.object({ returnTo: z.optional(ownPathSchema) }),
    status: 200,
    answer: urlAnswer,
    errors: ['not_found', 'too_many_attempts', 'oidc_unavailable'],
  }),
  finishOidc: defineRoute({
    id: 'finishOidc',
    method: 'POST',
    path: '/api/session/oidc/finish',
    access: 'visitor',
    summary:
      'Finish the sign-in with the query of the page that the provider sent the browser to; answers what the sign-in of staff answers. `returnTo`: the path that was given at the beginning',
    body: answerSchema,
    status: 200,
    answer: z.union([
      z.object({ token: z.string(), admin: adminSchema, ...returnShape }),
      z.extend(secondStepSchema, returnShape),
    ]),
    errors: [
      'not_found',
      'oidc_failed',
      'oidc_denied',
      'oidc_no_access',
      'oidc_email_unverified',
      'oidc_not_linked',
      'oidc_unavailable',
      'too_many_attempts',
    ],
  }),
  beginOidcProof: defineRoute({
    id: 'beginOidcProof',
    method: 'POST',
    path: '/api/session/proof/oidc',
    access: 'staff',
    permission: 'own',
    summary:
      'Begin a proof at the identity provider, for an account with neither password nor second factor: the address at which the person signs in again',
    status: 200,
    answer: urlAnswer,
    errors: ['not_found', 'too_many_attempts', 'oidc_unavailable'],
  }),
  finishOidcProof: defineRoute({
    id: 'finishOidcProof',
    method: 'POST',
    path: '/api/session/proof/oidc/finish',
    access: 'staff',
    permission: 'own',
    summary: 'Finish the proof with the query of the page that the provider sent the browser to',
    body: answerSchema,
    status: 204,
    answer: null,
    errors: ['not_found', 'oidc_failed', 'oidc_denied', 'oidc_no_access', 'oidc_unavailable'],
  }),
};
