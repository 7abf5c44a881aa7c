/** The shared desk: a paired tablet at which staff act by PIN or passkey (decision 045). */
import * as z from 'zod/mini';
import {
  entryPeriodSchema,
  loginPasswordSchema,
  secret,
  staffEmailSchema,
  staffPinSchema,
  typedStaffPinSchema,
} from '../fields.ts';
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

/** Most entries in one call: a desk that was busy for hours sends them all at once. */
export const DESK_ENTRIES_MAX = 500;
/** Size in bytes of a body with so many entries of the longest fields. */
const DESK_ENTRIES_BODY_LIMIT = 512 * 1024;
/** How long a ticket, and the key of the list, is good for after its sign-in. Milliseconds. */
export const DESK_TICKET_MS = 12 * 3_600_000;

/** What every entry of a tablet that has no connection says. */
const entryShape = {
  /** Also the idempotency key of the press, if the ordinary call was sent before the connection failed. */
  id: z.uuid('id must be a UUID').check(z.lowercase('id must be in lower case')),
  /** What the sign-in of the person at the tablet returned. */
  ticket: secret('The ticket'),
  /** When it happened, by the tablet's estimate of the server's clock. */
  at: z.iso.datetime({ offset: true, error: 'at must be an ISO 8601 time' }),
  /** Whether the tablet's clock may have been changed since it last heard from the server. */
  isUnsure: z._default(z.boolean('must be true or false'), false),
  childId: z
    .string('must be an id')
    .check(z.minLength(1, 'must be an id'), z.maxLength(100, 'must be an id')),
  /** The stay, as on its slip. The tablet draws that of a stay which begins without a connection. */
  uniqueEntryId: z
    .string('This is not an entry code')
    .check(z.regex(/^[A-Za-z0-9_-]{43}$/, 'This is not an entry code')),
};

/** Proofs that a tablet can check by itself. */
const offlineProofSchema = z.discriminatedUnion(
  'kind',
  [
    z.object({ kind: z.literal('slip'), value: secret('The code of the slip') }),
    z.object({ kind: z.literal('pass'), value: secret('The pass') }),
    z.object({ kind: z.literal('known') }),
  ],
  { error: 'kind must be slip, pass or known' },
);

/** Something that happened at a tablet without a connection (decision 055). */
const deskEntrySchema = z.discriminatedUnion(
  'kind',
  [
    z.object({
      ...entryShape,
      kind: z.literal('check_in'),
      durationInMinutes: entryPeriodSchema,
      roomId: z.optional(z.string('must be an id').check(z.maxLength(100, 'must be an id'))),
      /** The secret part of the printed slip, drawn by the tablet. */
      slipToken: z.string('must be a code').check(z.regex(/^[0-9a-f]{32}$/, 'must be a code')),
    }),
    z.object({
      ...entryShape,
      kind: z.literal('check_out'),
      /** Who took the child: a guardian or a collector. */
      collectorId: z
        .string('must be an id')
        .check(z.minLength(1, 'must be an id'), z.maxLength(100, 'must be an id')),
      proof: offlineProofSchema,
    }),
  ],
  { error: 'kind must be check_in or check_out' },
);
export type DeskEntry = z.infer<typeof deskEntrySchema>;

/**
 * `applied`: written with its time. `already`: this entry has arrived before, or its press by the ordinary call. `merged`: another desk
 * wrote the same within ten minutes. `conflict`: kept for staff to settle; it has no effect, or a release that would be refused
 * now. `later`: it failed; send it again.
 */
const DESK_OUTCOMES = ['applied', 'already', 'merged', 'conflict', 'later'] as const;
export type DeskOutcome = (typeof DESK_OUTCOMES)[number];

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
    answer: z.object({
      token: z.string(),
      admin: adminSchema,
      idleMinutes: z.int(),
      /** With the setting `deskOffline`: lets this tablet write in the person's name while it has no connection. */
      offlineTicket: z.optional(z.string()),
      /** With the setting `deskOffline`: 32 bytes in base64url that open the lists of `GET /api/desk/offline` until the next sign-in. */
      offlineKey: z.optional(z.string()),
    }),
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
  getDeskList: defineRoute({
    id: 'getDeskList',
    method: 'GET',
    path: '/api/desk/offline',
    access: 'desk',
    summary:
      'The list that this tablet keeps for a time without a connection, sealed with the `offlineKey` of the last sign-in there; `revision` alone if it is the one that the tablet has, and null if the tablet must keep none. Reading is recorded',
    query: z.object({
      /** Of the list that the tablet has. */
      revision: z.optional(z.string().check(z.maxLength(100, 'revision is not one that was given'))),
    }),
    status: 200,
    answer: z.object({
      /** Null: the setting is off, nobody signed in within 12 hours, or who did may not see the children any more. */
      revision: z.nullable(z.string()),
      /** `1 | iv (12) | tag (16) | ciphertext` of AES-256-GCM in base64url; the text is JSON, see `deskListSchema`. */
      sealed: z.optional(z.string()),
      /** When the tablet must delete it and its key. */
      until: z.optional(momentSchema),
    }),
    errors: [],
  }),
  sendDeskEntries: defineRoute({
    id: 'sendDeskEntries',
    method: 'POST',
    path: '/api/desk/offline',
    access: 'desk',
    summary:
      'Deliver what happened at this tablet without a connection, oldest first; each entry has an effect once, with its own time',
    body: z.object({
      entries: z
        .array(deskEntrySchema)
        .check(
          z.minLength(1, 'At least one entry'),
          z.maxLength(DESK_ENTRIES_MAX, `At most ${DESK_ENTRIES_MAX} entries`),
        ),
    }),
    bodyLimit: DESK_ENTRIES_BODY_LIMIT,
    status: 200,
    answer: z.object({ entries: z.array(z.object({ id: z.string(), outcome: z.enum(DESK_OUTCOMES) })) }),
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
