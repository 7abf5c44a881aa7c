/** Vouching for accounts that registered themselves (contract §6). */
import { z } from 'zod';
import { toAsciiDigits } from '../fields.ts';
import { momentSchema } from '../objects.ts';
import { defineRoute, messageSchema } from './route.ts';

/** The code on the guardian's phone: six digits, Arabic-Indic ones too; blanks between them are ignored. */
export const deskCodeSchema = z
  .string({ error: 'The code is required' })
  .transform((text) => toAsciiDigits(text).replace(/\s/g, ''))
  .pipe(z.string().regex(/^[0-9]{6}$/, 'The code has 6 digits'));

const registrationSchema = z
  .object({
    /** Who made the account. */
    by: z.enum(['self', 'staff']),
    at: momentSchema,
    /** Roughly the network: an IPv4 /24 or an IPv6 /48. Null where staff made it, or where it is not known any more. */
    from: z.string().nullable(),
    vouchedAt: momentSchema.nullable(),
    /** When whoever owns the e-mail said not to have registered. */
    disownedAt: momentSchema.nullable(),
    /** Whether the password is known to be that of whoever owns the e-mail; false also where there is none. */
    hasProvenPassword: z.boolean(),
    children: z.number().int().nonnegative(),
  })
  .meta({ id: 'Registration' });
export type Registration = z.infer<typeof registrationSchema>;

export const vouchingRoutes = {
  createDeskCode: defineRoute({
    id: 'createDeskCode',
    method: 'POST',
    path: '/api/parent/desk-code',
    access: 'visitor',
    summary:
      'A code for the desk, of the signed-in parent; or, without a session, of the account of these credentials, verified or not. Six digits, 10 minutes, one use; older ones end',
    body: z.object({ email: z.string().max(254).optional(), password: z.string().max(128).optional() }),
    status: 201,
    answer: z.object({ code: z.string(), expiresAt: momentSchema }),
    errors: ['invalid_credentials', 'too_many_attempts', 'not_found'],
  }),
  getRegistration: defineRoute({
    id: 'getRegistration',
    method: 'GET',
    path: '/api/parent/{id}/registration',
    access: 'staff',
    summary: 'Who made a parent’s account, when and from where, and whether staff have vouched for it',
    status: 200,
    answer: z.object({ registration: registrationSchema }),
    errors: ['not_found'],
  }),
  disownRegistration: defineRoute({
    id: 'disownRegistration',
    method: 'POST',
    path: '/api/parent/verify/email/{token}/disown',
    access: 'visitor',
    summary:
      'With the token of the verification mail, also after it verified: “I did not register this”. Deletes the account; where it has children, its password and sessions end and the desk is told',
    status: 200,
    answer: messageSchema.extend({ deleted: z.boolean() }),
    errors: ['invalid_token'],
  }),
};
