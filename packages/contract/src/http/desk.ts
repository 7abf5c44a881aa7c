/** The shared desk: a paired tablet at which staff act by PIN or passkey (decision 045). */
import * as z from 'zod/mini';
import { loginPasswordSchema, staffEmailSchema, staffPinSchema, typedStaffPinSchema } from '../fields.ts';
import { adminSchema, momentSchema } from '../objects.ts';
import { passkeyAnswerSchema } from './factors.ts';
import { defineRoute, messageSchema } from './route.ts';

const idSchema = z
  .string('staffId is required')
  .check(z.minLength(1, 'staffId is required'), z.maxLength(100));

/** A staff member as the tablet lists them. */
const deskStaffSchema = z.object({
  _id: z.string(),
  name: z.string(),
  /** Id of a photo for `/api/desk/photos/`. */
  photoId: z._default(z.nullable(z.string()), null),
  hasPin: z.boolean(),
  hasPasskey: z.boolean(),
});

/**
 * A danger that is not over, for a screen that anybody may read: no name, and `other` for what must not be read there (a barred
 * person, a missing child).
 */
const deskDangerSchema = z.object({
  kind: z.enum(['temperature', 'air', 'other']),
  /** The room; null: the whole facility, or not said. */
  area: z.nullable(z.string()),
  /** When the newest one of this kind in this room began, so that the tablet sounds again for a second one. */
  since: z.optional(momentSchema),
});

const deskSchema = z.object({
  name: z.string(),
  facility: z.nullable(z.string()),
  staff: z.array(deskStaffSchema),
  /** When the open evacuation began; null if there is none. */
  evacuatingSince: z.nullable(momentSchema),
  /** The other open dangers, acknowledged or not, each kind and room once. */
  dangers: z.array(deskDangerSchema),
});

export const deskRoutes = {
  getDesk: defineRoute({
    id: 'getDesk',
    method: 'GET',
    path: '/api/desk',
    access: 'desk',
    summary:
      'What the first screen of this tablet shows: the staff who may use it, by name, and no e-mail, and dangers without names',
    status: 200,
    answer: deskSchema,
    errors: [],
  }),
  beginDeskPasskey: defineRoute({
    id: 'beginDeskPasskey',
    method: 'POST',
    path: '/api/desk/passkey',
    access: 'desk',
    summary: 'Challenge and options for the browser, to sign in at this tablet with a passkey',
    body: z.object({ staffId: idSchema }),
    status: 200,
    answer: z.object({ challenge: z.string(), passkey: z.record(z.string(), z.unknown()) }),
    errors: ['no_passkey'],
  }),
  signInAtDesk: defineRoute({
    id: 'signInAtDesk',
    method: 'POST',
    path: '/api/desk/sign-in',
    access: 'desk',
    summary:
      "Sign in at this tablet by PIN or passkey; ends the former person's session. The session ends after `idleMinutes` without `POST /api/session/press`, and is no proof",
    body: z
      .object({
        staffId: idSchema,
        pin: z.optional(typedStaffPinSchema),
        challenge: z.optional(z.string().check(z.maxLength(200, 'The challenge is not valid'))),
        passkey: z.optional(passkeyAnswerSchema),
      })
      .check(
        z.refine((body) => (body.pin === undefined) !== (body.passkey === undefined), {
          path: ['pin'],
          error: 'The PIN is required',
        }),
      ),
    status: 200,
    answer: z.object({ token: z.string(), admin: adminSchema, idleMinutes: z.int() }),
    errors: ['wrong_pin', 'oidc_sign_in_due', 'too_many_attempts'],
  }),
  startDeskEvacuation: defineRoute({
    id: 'startDeskEvacuation',
    method: 'POST',
    path: '/api/desk/evacuation',
    access: 'desk',
    summary: 'Begin an evacuation from this tablet; if one is open already, its time is returned',
    status: 201,
    answer: z.object({ startedAt: momentSchema }),
    errors: [],
  }),
  leaveDesk: defineRoute({
    id: 'leaveDesk',
    method: 'POST',
    path: '/api/desk/leave',
    access: 'desk',
    summary:
      'End the pairing of this tablet, with the e-mail and password of a staff member; makes no session',
    body: z.object({ email: staffEmailSchema, password: loginPasswordSchema }),
    status: 204,
    answer: null,
    errors: ['wrong_password', 'too_many_attempts'],
  }),
  pressSession: defineRoute({
    id: 'pressSession',
    method: 'POST',
    path: '/api/session/press',
    access: 'staff',
    permission: 'own',
    summary: 'Report a press: the idle time of a session at a desk tablet starts anew',
    status: 204,
    answer: null,
    errors: [],
  }),
  getDeskPin: defineRoute({
    id: 'getDeskPin',
    method: 'GET',
    path: '/api/account/desk-pin',
    access: 'staff',
    permission: 'own',
    summary: 'Whether the caller has a PIN for desk tablets',
    status: 200,
    answer: z.object({
      setAt: z.nullable(momentSchema),
      /** Whether any desk tablet is paired. */
      hasDesk: z.boolean(),
    }),
    errors: [],
  }),
  setDeskPin: defineRoute({
    id: 'setDeskPin',
    method: 'PUT',
    path: '/api/account/desk-pin',
    access: 'staff',
    permission: 'own',
    proof: 'always',
    summary: 'Set the PIN of the caller for desk tablets: six digits; the account is notified by mail',
    body: z.object({ pin: staffPinSchema }),
    status: 200,
    answer: z.object({ message: z.string(), setAt: momentSchema }),
    errors: ['too_many_attempts'],
  }),
  removeDeskPin: defineRoute({
    id: 'removeDeskPin',
    method: 'DELETE',
    path: '/api/account/desk-pin',
    access: 'staff',
    permission: 'own',
    summary: 'Remove the PIN of the caller for desk tablets; its sessions end',
    status: 200,
    answer: messageSchema,
    errors: [],
  }),
  resetDeskPin: defineRoute({
    id: 'resetDeskPin',
    method: 'DELETE',
    path: '/api/admin/{id}/desk-pin',
    access: 'staff',
    permission: 'staff.manage',
    proof: 'always',
    summary: "Remove another staff member's PIN, who is notified by mail",
    status: 200,
    answer: messageSchema,
    errors: ['not_found', 'beyond_own_rights'],
  }),
};
