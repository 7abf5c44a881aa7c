/** Kiosks: tablets at which parents announce a check-in or a pick-up, which staff then confirm (decision 038). */
import * as z from 'zod/mini';
import {
  entryPeriodSchema,
  kioskPinSchema,
  loginPasswordSchema,
  nameSchema,
  phoneTailSchema,
  staffEmailSchema,
  stayEndSchema,
  toAsciiDigits,
} from '../fields.ts';
import { childSchema, momentSchema } from '../objects.ts';
import { revisionSchema } from './decisions.ts';
import { namesSeenAdult, releaseBodyShape, releaseErrors, SEEN_WITHOUT_ADULT } from './hand-over.ts';
import { overCapacitySchema, roomIdSchema } from './rooms.ts';
import { defineRoute, idempotencyHeaders, messageSchema } from './route.ts';

/** Lifetimes in milliseconds: of a pairing code, a QR code, the grant after a proof, and a request. */
export const KIOSK_PAIRING_MS = 10 * 60_000;
export const KIOSK_CODE_MS = 60_000;
export const KIOSK_GRANT_MS = 2 * 60_000;
export const KIOSK_REQUEST_MS = 15 * 60_000;
/** Most children in one request, and most kiosks of an installation. */
const KIOSK_CHILDREN_MAX = 20;
export const KIOSKS_MAX = 50;

/** `desk`: a tablet that staff share (decision 045). Both kinds are paired in the same way. */
export const deviceKindSchema = z.enum(['kiosk', 'desk'], { error: 'kind must be kiosk or desk' });
export type DeviceKind = z.infer<typeof deviceKindSchema>;

const kioskSchema = z
  .object({
    _id: z.string(),
    kind: deviceKindSchema,
    name: z.string(),
    isPaired: z.boolean(),
    pairedAt: z.nullable(momentSchema),
    /** When the device last called; null before the first call. */
    lastUsedAt: z.nullable(momentSchema),
    /** Failed tries in the last 15 minutes. */
    failures: z.int().check(z.nonnegative()),
  })
  .register(z.globalRegistry, { id: 'Kiosk' });
export type Kiosk = z.infer<typeof kioskSchema>;

const pairingSchema = z.object({ code: z.string(), expiresAt: momentSchema });

const requestKindSchema = z.enum(['check_in', 'pick_up'], { error: 'kind must be check_in or pick_up' });
export type KioskRequestKind = z.infer<typeof requestKindSchema>;

/**
 * `done`: accepted, or staff did the same without the request; `ended`: replaced, cancelled or overtaken by something
 * else.
 */
export const KIOSK_REQUEST_STATES = ['waiting', 'done', 'refused', 'expired', 'ended'] as const;
export type KioskRequestState = (typeof KIOSK_REQUEST_STATES)[number];

/** A child as the kiosk shows it to its family. */
const kioskChildSchema = z.object({
  _id: z.string(),
  firstName: z.string(),
  name: z.string(),
  isInside: z.boolean(),
  /** Whether the child came with the last check-in of the family. */
  isTicked: z.boolean(),
});
export type KioskChild = z.infer<typeof kioskChildSchema>;

/** The requests of one family at a kiosk, as the kiosk shows them. */
const visitSchema = z.object({
  visit: z.string(),
  kind: requestKindSchema,
  children: z.array(z.object({ firstName: z.string(), state: z.enum(KIOSK_REQUEST_STATES) })),
});
export type KioskVisit = z.infer<typeof visitSchema>;

/** Requests that wait for the desk. */
const kioskRequestSchema = z
  .object({
    _id: z.string(),
    /** The same for children who were announced together. */
    visit: z.string(),
    kind: requestKindSchema,
    /** The chosen period of a check-in; null for a pick-up. */
    durationInMinutes: z.nullable(z.int()),
    at: momentSchema,
    expiresAt: momentSchema,
    by: z.enum(['pin', 'code']),
    kiosk: z.object({ _id: z.string(), name: z.string() }),
    child: childSchema,
  })
  .register(z.globalRegistry, { id: 'KioskRequest' });
export type KioskRequest = z.infer<typeof kioskRequestSchema>;

/** A kiosk with many failed tries. */
const kioskWarningSchema = z.object({ name: z.string(), failures: z.int() });

const secretSchema = (name: string) =>
  z
    .string(`${name} is required`)
    .check(z.trim(), z.minLength(1, `${name} is required`), z.maxLength(100, `${name} is not valid`));
const idSchema = z.string('must be an id').check(z.minLength(1), z.maxLength(100));

export const kioskRoutes = {
  listKiosks: defineRoute({
    id: 'listKiosks',
    method: 'GET',
    path: '/api/kiosks',
    access: 'staff',
    permission: 'kiosks.manage',
    summary: 'All kiosks and desk tablets, by name',
    status: 200,
    answer: z.object({ kiosks: z.array(kioskSchema) }),
    errors: [],
  }),
  createKiosk: defineRoute({
    id: 'createKiosk',
    method: 'POST',
    path: '/api/kiosks',
    access: 'staff',
    permission: 'kiosks.manage',
    summary: 'Add a kiosk, or with `kind: "desk"` a desk tablet',
    body: z.object({ name: nameSchema, kind: z._default(deviceKindSchema, 'kiosk') }),
    status: 201,
    answer: z.object({ message: z.string(), kiosk: kioskSchema }),
    errors: ['too_many_kiosks'],
  }),
  updateKiosk: defineRoute({
    id: 'updateKiosk',
    method: 'PUT',
    path: '/api/kiosks/{id}',
    access: 'staff',
    permission: 'kiosks.manage',
    summary: 'Rename a kiosk',
    body: z.object({ name: nameSchema }),
    status: 200,
    answer: z.object({ message: z.string(), kiosk: kioskSchema }),
    errors: ['not_found'],
  }),
  deleteKiosk: defineRoute({
    id: 'deleteKiosk',
    method: 'DELETE',
    path: '/api/kiosks/{id}',
    access: 'staff',
    permission: 'kiosks.manage',
    summary: 'Remove a kiosk: its device is cut off at once, and what it asked ends',
    status: 200,
    answer: messageSchema,
    errors: ['not_found'],
  }),
  createKioskPairing: defineRoute({
    id: 'createKioskPairing',
    method: 'POST',
    path: '/api/kiosks/{id}/pairing',
    access: 'staff',
    permission: 'kiosks.manage',
    proof: 'always',
    summary: 'Create a pairing code for `/kiosk`, which makes a device this kiosk; it replaces older codes',
    status: 201,
    answer: pairingSchema,
    errors: ['not_found'],
  }),
  pairKiosk: defineRoute({
    id: 'pairKiosk',
    method: 'POST',
    path: '/api/kiosk/pair',
    access: 'visitor',
    summary: 'Exchange a pairing code for a token that only allows the calls of this kind of device',
    body: z.object({ code: secretSchema('code'), kind: z._default(deviceKindSchema, 'kiosk') }),
    status: 200,
    answer: z.object({ kioskId: z.string(), name: z.string(), token: z.string() }),
    errors: ['invalid_token', 'too_many_attempts'],
  }),
  getKiosk: defineRoute({
    id: 'getKiosk',
    method: 'GET',
    path: '/api/kiosk',
    access: 'kiosk',
    summary: 'The kiosk that this device is',
    status: 200,
    answer: z.object({ name: z.string() }),
    errors: [],
  }),
  identifyAtKiosk: defineRoute({
    id: 'identifyAtKiosk',
    method: 'POST',
    path: '/api/kiosk/identify',
    access: 'kiosk',
    summary:
      "Prove which family stands at the kiosk: `digits` (the phone's last four) with `pin`, or the `code` of the parent's page. The answer to a wrong pair is the same whether or not there is such a family",
    body: z.object({
      digits: z.optional(phoneTailSchema),
      pin: z.optional(z.pipe(secretSchema('pin'), z.transform(toAsciiDigits))),
      code: z.optional(secretSchema('code')),
    }),
    status: 200,
    answer: z.object({
      /** For one request within two minutes. */
      grant: z.string(),
      children: z.array(kioskChildSchema),
      /** The period of the family's last check-in. */
      durationInMinutes: entryPeriodSchema,
    }),
    errors: ['kiosk_no_match', 'wrong_code', 'too_many_attempts'],
  }),
  askAtKiosk: defineRoute({
    id: 'askAtKiosk',
    method: 'POST',
    path: '/api/kiosk/requests',
    access: 'kiosk',
    summary:
      'Ask the desk to check children in, or say that somebody is here to pick them up; nothing happens until staff accept',
    body: z.object({
      grant: secretSchema('grant'),
      kind: requestKindSchema,
      childIds: z
        .array(idSchema, 'childIds must be a list')
        .check(
          z.minLength(1, 'Please choose a child'),
          z.maxLength(KIOSK_CHILDREN_MAX, 'These are too many children'),
        ),
      durationInMinutes: z.optional(entryPeriodSchema),
    }),
    status: 201,
    answer: visitSchema,
    errors: ['not_found', 'wrong_code', 'already_inside', 'not_inside'],
  }),
  getKioskVisit: defineRoute({
    id: 'getKioskVisit',
    method: 'GET',
    path: '/api/kiosk/requests/{visit}',
    access: 'kiosk',
    summary: 'What became of a request of this kiosk, for two minutes after its end',
    status: 200,
    answer: visitSchema,
    errors: ['not_found'],
  }),
  cancelKioskVisit: defineRoute({
    id: 'cancelKioskVisit',
    method: 'DELETE',
    path: '/api/kiosk/requests/{visit}',
    access: 'kiosk',
    summary: 'Take back what still waits of a request of this kiosk',
    status: 200,
    answer: visitSchema,
    errors: ['not_found'],
  }),
  leaveKiosk: defineRoute({
    id: 'leaveKiosk',
    method: 'POST',
    path: '/api/kiosk/leave',
    access: 'kiosk',
    summary:
      'End the pairing of this device, with the e-mail and password of a staff member; makes no session',
    body: z.object({ email: staffEmailSchema, password: loginPasswordSchema }),
    status: 204,
    answer: null,
    errors: ['wrong_password', 'too_many_attempts'],
  }),
  listKioskRequests: defineRoute({
    id: 'listKioskRequests',
    method: 'GET',
    path: '/api/kiosk-requests',
    access: 'staff',
    permission: 'children.check_in',
    summary: 'What waits for the desk, oldest first, and kiosks with many failed tries',
    status: 200,
    answer: z.object({
      requests: z.array(kioskRequestSchema),
      warnings: z.array(kioskWarningSchema),
    }),
    errors: [],
  }),
  acceptKioskRequest: defineRoute({
    id: 'acceptKioskRequest',
    method: 'POST',
    path: '/api/kiosk-requests/{id}/accept',
    access: 'staff',
    permission: 'children.check_in',
    summary:
      'Check the child in or out as asked at a kiosk; `confirm: true` also accepts the pending proposal; `end` counts instead of the period asked for; a pick-up takes the fields of a checkout',
    headers: idempotencyHeaders,
    body: z.prefault(
      z
        .object({
          confirm: z.optional(z.boolean({ error: 'confirm must be true or false' })),
          revision: z.optional(revisionSchema),
          /** Of a check-in; counts instead of the period that the family asked for. */
          end: z.optional(stayEndSchema),
          roomId: z.optional(roomIdSchema),
          overCapacityReason: overCapacitySchema,
          ...releaseBodyShape,
        })
        .check(z.refine(namesSeenAdult, SEEN_WITHOUT_ADULT)),
      {},
    ),
    status: 200,
    answer: z.object({ message: z.string(), child: childSchema }),
    errors: [
      'not_found',
      'kiosk_request_ended',
      'already_inside',
      'registration_disowned',
      'not_inside',
      'room_full',
      'unsuitable_end',
      'stay_end_unavailable',
      'idempotency_key_reused',
      'proposal_changed',
      'face_already_registered',
      'face_engine_unavailable',
      'too_many_attempts',
      ...releaseErrors,
    ],
  }),
  refuseKioskRequest: defineRoute({
    id: 'refuseKioskRequest',
    method: 'POST',
    path: '/api/kiosk-requests/{id}/refuse',
    access: 'staff',
    permission: 'children.check_in',
    summary: 'Refuse what was asked at a kiosk; it shows “Please come to the desk”',
    status: 200,
    answer: messageSchema,
    errors: ['not_found', 'kiosk_request_ended'],
  }),
  getKioskPin: defineRoute({
    id: 'getKioskPin',
    method: 'GET',
    path: '/api/account/kiosk-pin',
    access: 'parent',
    summary: 'Whether the parent has a PIN for the kiosk, and the digits that go with it',
    status: 200,
    answer: z.object({
      setAt: z.nullable(momentSchema),
      /** Last four digits of the parent's phone; null without a phone. */
      digits: z.nullable(z.string()),
      /** Whether any kiosk is paired. */
      hasKiosk: z.boolean(),
    }),
    errors: [],
  }),
  setKioskPin: defineRoute({
    id: 'setKioskPin',
    method: 'PUT',
    path: '/api/account/kiosk-pin',
    access: 'parent',
    proof: 'always',
    summary: 'Set the PIN of the parent for the kiosk: 4 to 6 digits; the account is notified by mail',
    body: z.object({ pin: kioskPinSchema }),
    status: 200,
    answer: z.object({ message: z.string(), setAt: momentSchema }),
    errors: ['no_phone', 'too_many_attempts'],
  }),
  removeKioskPin: defineRoute({
    id: 'removeKioskPin',
    method: 'DELETE',
    path: '/api/account/kiosk-pin',
    access: 'parent',
    summary: 'Remove the PIN of the parent for the kiosk',
    status: 200,
    answer: messageSchema,
    errors: [],
  }),
  createKioskCode: defineRoute({
    id: 'createKioskCode',
    method: 'POST',
    path: '/api/account/kiosk-code',
    access: 'parent',
    summary: 'A code for the kiosk to scan: 60 seconds, once; a new one of the same session ends the older',
    status: 201,
    answer: pairingSchema,
    errors: ['too_many_attempts'],
  }),
  resetKioskPin: defineRoute({
    id: 'resetKioskPin',
    method: 'DELETE',
    path: '/api/parent/{id}/kiosk-pin',
    access: 'staff',
    permission: 'families.edit',
    summary: "Remove a parent's PIN, who is notified by mail; only the parent can set a new one",
    status: 200,
    answer: messageSchema,
    errors: ['not_found'],
  }),
};
