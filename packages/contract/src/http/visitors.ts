/** Calls for people without an account whom staff sign in by name, so that they are on the roll call (decision 033). */
import * as z from 'zod/mini';
import { nameSchema, phoneSchema, reasonSchema } from '../fields.ts';
import { momentSchema } from '../objects.ts';
import { defineRoute, listQueryShape, pageShape } from './route.ts';

const personSchema = z.object({ _id: z.string(), name: z.nullable(z.string()) });

export const visitorSchema = z
  .object({
    _id: z.string(),
    /** `staff`: a colleague without a session. */
    kind: z.enum(['visitor', 'staff']),
    name: z.string(),
    phone: z.nullable(z.string()),
    reason: z.nullable(z.string()),
    signedInAt: momentSchema,
    /** `name` is null after the account's deletion. */
    signedInBy: personSchema,
    signedOutAt: z.nullable(momentSchema),
    /** False also 24 hours after signing in, although nobody signed the person out. */
    isInside: z.boolean(),
  })
  .register(z.globalRegistry, { id: 'Visitor' });
export type Visitor = z.infer<typeof visitorSchema>;

export const visitorRoutes = {
  listVisitors: defineRoute({
    id: 'listVisitors',
    method: 'GET',
    path: '/api/visitors',
    access: 'staff',
    permission: 'visitors.view',
    rows: { visitors: ['_id'] },
    summary: 'Visitors, newest first; `inside=true`: only those who are inside now',
    query: z.object({
      ...listQueryShape,
      inside: z.optional(z.enum(['true'], { error: 'inside must be true' })),
    }),
    status: 200,
    answer: z.object({ visitors: z.array(visitorSchema), ...pageShape }),
    errors: [],
  }),
  signInVisitor: defineRoute({
    id: 'signInVisitor',
    method: 'POST',
    path: '/api/visitors',
    access: 'staff',
    permission: 'visitors.sign_in',
    summary:
      'Sign in a visitor, or a colleague without a session, by name. `_id` makes the call safe to repeat: a known id answers with the existing row',
    body: z.object({
      _id: z.optional(z.uuid('_id must be a UUID')),
      kind: z._default(z.enum(['visitor', 'staff'], { error: 'kind must be visitor or staff' }), 'visitor'),
      name: nameSchema,
      phone: z.optional(z.nullable(phoneSchema)),
      reason: z.optional(z.nullable(reasonSchema)),
    }),
    status: 201,
    answer: z.object({ visitor: visitorSchema }),
    errors: [],
  }),
  signOutVisitor: defineRoute({
    id: 'signOutVisitor',
    method: 'POST',
    path: '/api/visitors/{id}/sign-out',
    access: 'staff',
    permission: 'visitors.sign_in',
    summary: 'Sign a visitor out; repeating the call changes nothing',
    status: 200,
    answer: z.object({ visitor: visitorSchema }),
    errors: ['not_found'],
  }),
};
