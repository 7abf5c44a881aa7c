/** What the browser that registered a parent may do with its key, until somebody has signed in to the account (contract §6). */
import * as z from 'zod/mini';
import { parentSchema } from '../objects.ts';
import { tokenTextSchema, verifiedParentSchema } from './accounts.ts';
import { defineRoute, messageSchema } from './route.ts';

/** The `browserKey` of the registration's answer. */
const withBrowserKey = z.object({ browserKey: tokenTextSchema });

export const registrationRoutes = {
  startParent: defineRoute({
    id: 'startParent',
    method: 'POST',
    path: '/api/parent/verify/email/{token}/start',
    access: 'visitor',
    summary:
      'Open the mailed link in the browser that registered: does what `verifyParentEmail` does and, if the key is of the same account and was not used, also signs in. A link that was used elsewhere still does',
    body: withBrowserKey,
    status: 200,
    answer: z.extend(verifiedParentSchema, {
      signedIn: z.optional(z.object({ token: z.string(), parent: parentSchema })),
    }),
    errors: ['invalid_token', 'email_taken'],
  }),
  resendOwnLink: defineRoute({
    id: 'resendOwnLink',
    method: 'POST',
    path: '/api/parent/resend-link',
    access: 'visitor',
    summary:
      'Mail the link of a registration again, with the key of the browser that registered; the older link ends, and both key and link work for another 24 h',
    body: withBrowserKey,
    status: 200,
    answer: messageSchema,
    errors: ['invalid_token', 'already_verified', 'too_many_attempts'],
  }),
  // Not a GET: a key must not be in a URL.
  readOwnRegistration: defineRoute({
    id: 'readOwnRegistration',
    method: 'POST',
    path: '/api/parent/own-registration',
    access: 'visitor',
    summary:
      'Whether the key of the browser that registered still waits for its account to be confirmed. False once staff have vouched, somebody has signed in, or the key has ended, and for a key of nobody',
    body: withBrowserKey,
    status: 200,
    answer: z.object({ isWaiting: z.boolean() }),
    errors: ['too_many_attempts'],
  }),
};
