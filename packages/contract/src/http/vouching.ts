/** Vouching for self-registered accounts (contract §6). */
import * as z from 'zod/mini';
import { momentSchema } from '../objects.ts';
import { defineRoute, messageSchema } from './route.ts';

const registrationSchema = z
  .object({
    /** Who created the account. */
    by: z.enum(['self', 'staff']),
    at: momentSchema,
    /**
     * Approximate network: an IPv4 /24 or an IPv6 /48. Null if staff created the account or the network is no longer
     * stored.
     */
    from: z.nullable(z.string()),
    /**
     * Whether that network is the one that this request comes from. Null if it is not known, as with a proxy on the same
     * machine that names no addresses.
     */
    near: z.nullable(z.enum(['here', 'elsewhere'])),
    /** The parent's name. */
    name: z.string(),
    vouchedAt: z.nullable(momentSchema),
    /** When the owner of the e-mail denied having registered. */
    disownedAt: z.nullable(momentSchema),
    /** Whether the password is known to belong to the owner of the e-mail; false if there is no password. */
    hasProvenPassword: z.boolean(),
    children: z.int().check(z.nonnegative()),
  })
  .register(z.globalRegistry, { id: 'Registration' });
export type Registration = z.infer<typeof registrationSchema>;

export const vouchingRoutes = {
  createDeskCode: defineRoute({
    id: 'createDeskCode',
    method: 'POST',
    path: '/api/parent/desk-code',
    access: 'visitor',
    summary:
      'Create a code for the desk: for the signed-in parent or, without a session, for the account with these credentials, verified or not, or that this browser has registered. Six digits, valid once, for 10 minutes; it replaces older codes',
    body: z.object({
      email: z.optional(z.string().check(z.maxLength(254))),
      password: z.optional(z.string().check(z.maxLength(128))),
      browserKey: z.optional(z.string().check(z.maxLength(200))),
    }),
    status: 201,
    answer: z.object({ code: z.string(), expiresAt: momentSchema }),
    errors: ['invalid_credentials', 'invalid_token', 'account_blocked', 'too_many_attempts', 'not_found'],
  }),
  getRegistration: defineRoute({
    id: 'getRegistration',
    method: 'GET',
    path: '/api/parent/{id}/registration',
    access: 'staff',
    permission: 'families.view',
    summary: 'Who created a parent’s account, when and from where, and whether staff have vouched for it',
    status: 200,
    answer: z.object({ registration: registrationSchema }),
    errors: ['not_found'],
  }),
  answerEmailChange: defineRoute({
    id: 'answerEmailChange',
    method: 'POST',
    path: '/api/parent/change-email/{token}',
    access: 'visitor',
    summary:
      'Answer the mail at the old address about a new e-mail that staff entered: `agree` mails the link to the new one, otherwise the change is dropped',
    body: z.object({ agree: z.boolean() }),
    status: 200,
    answer: messageSchema,
    errors: ['invalid_token'],
  }),
  disownRegistration: defineRoute({
    id: 'disownRegistration',
    method: 'POST',
    path: '/api/parent/verify/email/{token}/disown',
    access: 'visitor',
    summary:
      '“I did not register this”, with the token of the verification mail, even after verification. Deletes the account; if it has children, its password and sessions end instead, and the desk is notified',
    status: 200,
    answer: z.extend(messageSchema, { deleted: z.boolean() }),
    errors: ['invalid_token'],
  }),
};
