/** Notices outside the page: Web Push to a person's devices, mails, and a webhook; who wants what, tests, and what failed. */
import { z } from 'zod';
import { timeZoneSchema } from '../fields.ts';
import { INCIDENT_KINDS, type IncidentKind } from '../incident-kinds.ts';
import { momentSchema } from '../objects.ts';
import { accountKindSchema } from '../roles.ts';
import { defineRoute, listQueryShape, messageSchema, pageShape } from './route.ts';

/** Ways to a person. The webhook is one of the place, not of a person. */
export const NOTICE_WAYS = ['push', 'mail'] as const;
export type NoticeWay = (typeof NOTICE_WAYS)[number];
const DELIVERY_WAYS = [...NOTICE_WAYS, 'webhook'] as const;
export type DeliveryWay = (typeof DELIVERY_WAYS)[number];

/** Kinds that staff who are signed in cannot mute. */
export const SAFETY_KINDS: ReadonlySet<IncidentKind> = new Set([
  'temperature',
  'air',
  'not_seen',
  'unknown_person',
  'evacuation',
]);
/** Kinds that ever reach a parent. */
export const PARENT_KINDS: readonly IncidentKind[] = [
  'temperature',
  'air',
  'stay_due',
  'time_up',
  'evacuation',
];

/** Devices that one account may have for Web Push; one more takes the place of the oldest. */
export const PUSH_DEVICES_PER_ACCOUNT = 10;
/** Tests that one account may send within a quarter of an hour. */
export const NOTICE_TESTS_PER_WINDOW = 10;

/**
 * Why a notice did not arrive: `gone` the device or address is no more, `refused` the other side does not want it,
 * `not_allowed` the address may not be posted to, `unreachable` nobody answered as often as it was tried.
 */
const DELIVERY_FAILURES = ['gone', 'refused', 'not_allowed', 'unreachable'] as const;
export type DeliveryFailure = (typeof DELIVERY_FAILURES)[number];

/**
 * What a service worker is sent, encrypted to the browser (RFC 8291). A later one with the same `tag` takes the place of
 * the earlier. `receipt`, where there is one, is to be sent to `confirmNotice` once the notice is on the screen.
 */
export const pushPayloadSchema = z.object({
  title: z.string(),
  body: z.string(),
  tag: z.string(),
  /** Path within the web app. */
  url: z.string(),
  kind: z.enum([...INCIDENT_KINDS, 'test']),
  phase: z.enum(['raised', 'escalated', 'cleared', 'test']),
  lang: z.enum(['en', 'ar']),
  dir: z.enum(['ltr', 'rtl']),
  receipt: z.string().nullable(),
});
export type PushPayload = z.infer<typeof pushPayloadSchema>;

const ADDRESS_PROBLEM = 'The address of the push service is not right';
const KEY_PROBLEM = 'The keys of the device are not right';
const base64urlOf = (bytes: readonly number[]) =>
  z
    .string(KEY_PROBLEM)
    .max(200, KEY_PROBLEM)
    .transform((text) => text.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_'))
    .refine(
      (text) => /^[A-Za-z0-9_-]+$/.test(text) && bytes.includes(Math.floor((text.length * 3) / 4)),
      KEY_PROBLEM,
    );

/** What `PushSubscription.toJSON()` gives, and a name for the device. */
const addDeviceBodySchema = z.object({
  endpoint: z.url({ error: ADDRESS_PROBLEM }).max(2_000, ADDRESS_PROBLEM),
  keys: z.object(
    {
      /** An uncompressed point of P-256. */
      p256dh: base64urlOf([65]),
      auth: base64urlOf([16]),
    },
    KEY_PROBLEM,
  ),
  device: z
    .string('The device must have a name')
    .transform((text) =>
      text
        .normalize('NFC')
        .toWellFormed()
        .replace(/\p{Cc}/gu, ' ')
        .trim()
        .slice(0, 100),
    )
    .pipe(z.string().min(1, 'The device must have a name')),
});
export type AddPushDevice = z.infer<typeof addDeviceBodySchema>;

const pushDeviceSchema = z
  .object({
    _id: z.string(),
    device: z.string(),
    createdAt: momentSchema,
    /** Whether it was added from the session that asks. */
    isThisSession: z.boolean(),
  })
  .meta({ id: 'PushDevice' });

const TIME_PROBLEM = 'must be a time of day like 22:00';
const timeOfDaySchema = z.string(TIME_PROBLEM).regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, TIME_PROBLEM);
const waysSchema = z
  .array(z.enum(NOTICE_WAYS, { error: 'A way must be push or mail' }))
  .max(NOTICE_WAYS.length, 'Each way once')
  .refine((ways) => new Set(ways).size === ways.length, 'Each way once');

/** From `from` until before `to` by the clock of `timeZone`, over midnight where `to` is earlier; the same twice is the whole day. */
const quietHoursSchema = z.object({ from: timeOfDaySchema, to: timeOfDaySchema, timeZone: timeZoneSchema });
export type QuietHours = z.infer<typeof quietHoursSchema>;

const preferencesShape = {
  /** Null: none. They hold `care` and `operation` back until they end; what is a danger comes at any hour. */
  quietHours: quietHoursSchema.nullable(),
  /** Staff: only what happens in these areas, and what is of no area. Null: everywhere. */
  areas: z.array(z.string().trim().min(1).max(100)).max(100).nullable(),
};
/** What a person chose; a kind that is not named comes by the ways that are usual. */
export const storedPreferencesSchema = z.object({
  kinds: z.partialRecord(z.enum(INCIDENT_KINDS), waysSchema),
  ...preferencesShape,
});
export type StoredPreferences = z.infer<typeof storedPreferencesSchema>;

const noticePreferencesSchema = z
  .object({
    /** Every kind that may reach this account, with its ways. */
    kinds: z.partialRecord(z.enum(INCIDENT_KINDS), waysSchema),
    ...preferencesShape,
    /** Kinds that come by at least one way, whatever is chosen, as long as this account is signed in as staff. */
    locked: z.array(z.enum(INCIDENT_KINDS)),
  })
  .meta({ id: 'NoticePreferences' });
export type NoticePreferences = z.infer<typeof noticePreferencesSchema>;

/** `sent`: whoever carries it has taken it; `arrivedAt`: the device itself has said so. */
const testDeliverySchema = z.object({
  way: z.enum(DELIVERY_WAYS),
  /** Name of the device; null for the other ways. */
  device: z.string().nullable(),
  state: z.enum(['waiting', 'sent', 'failed']),
  reason: z.enum(DELIVERY_FAILURES).nullable(),
  attempts: z.number().int().nonnegative(),
  arrivedAt: momentSchema.nullable(),
});
const noticeTestSchema = z
  .object({ _id: z.string(), deliveries: z.array(testDeliverySchema) })
  .meta({ id: 'NoticeTest' });
export type NoticeTest = z.infer<typeof noticeTestSchema>;

const failedNoticeSchema = z
  .object({
    _id: z.string(),
    way: z.enum(DELIVERY_WAYS),
    kind: z.enum([...INCIDENT_KINDS, 'test']),
    /** Null for the webhook; the name is null where the account is gone. */
    account: z.object({ kind: accountKindSchema, _id: z.string(), name: z.string().nullable() }).nullable(),
    reason: z.enum(DELIVERY_FAILURES),
    attempts: z.number().int(),
    createdAt: momentSchema,
    failedAt: momentSchema,
  })
  .meta({ id: 'FailedNotice' });
export type FailedNotice = z.infer<typeof failedNoticeSchema>;

/** `origin` is all that is shown of the address: the rest of it is often a secret. */
const webhookSchema = z
  .object({ origin: z.string(), updatedAt: momentSchema })
  .nullable()
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof webhookSchema>;

const WEBHOOK_PROBLEM = 'The address must be like https://example.org/hook';

export const noticeRoutes = {
  getPushKey: defineRoute({
    id: 'getPushKey',
    method: 'GET',
    path: '/api/notices/push-key',
    access: 'signed-in',
    summary: 'The public VAPID key (RFC 8292) with which a browser subscribes: `applicationServerKey`',
    status: 200,
    answer: z.object({ publicKey: z.string() }),
    errors: [],
  }),
  listPushDevices: defineRoute({
    id: 'listPushDevices',
    method: 'GET',
    path: '/api/notices/devices',
    access: 'signed-in',
    summary: 'The own devices that get notices by Web Push',
    status: 200,
    answer: z.object({ devices: z.array(pushDeviceSchema) }),
    errors: [],
  }),
  addPushDevice: defineRoute({
    id: 'addPushDevice',
    method: 'POST',
    path: '/api/notices/devices',
    access: 'signed-in',
    summary: `Have this device sent notices until its session ends; the same subscription again belongs to whoever asked last. At most ${PUSH_DEVICES_PER_ACCOUNT}, one more takes the place of the oldest`,
    body: addDeviceBodySchema,
    status: 201,
    answer: z.object({ device: pushDeviceSchema }),
    errors: [],
  }),
  removePushDevice: defineRoute({
    id: 'removePushDevice',
    method: 'DELETE',
    path: '/api/notices/devices/{id}',
    access: 'signed-in',
    summary: 'Send nothing more to one of the own devices',
    status: 200,
    answer: messageSchema,
    errors: ['not_found'],
  }),
  getNoticePreferences: defineRoute({
    id: 'getNoticePreferences',
    method: 'GET',
    path: '/api/notices/preferences',
    access: 'signed-in',
    summary: 'What the own account is told, by which way, and when',
    status: 200,
    answer: z.object({ preferences: noticePreferencesSchema }),
    errors: [],
  }),
  updateNoticePreferences: defineRoute({
    id: 'updateNoticePreferences',
    method: 'PUT',
    path: '/api/notices/preferences',
    access: 'signed-in',
    summary: 'Change any of it; kinds that are not named stay as they are',
    body: storedPreferencesSchema.partial(),
    status: 200,
    answer: z.object({ preferences: noticePreferencesSchema }),
    errors: [],
  }),
  sendNoticeTest: defineRoute({
    id: 'sendNoticeTest',
    method: 'POST',
    path: '/api/notices/tests',
    access: 'signed-in',
    summary: `Send the own account a test by every way it has, staff also to the webhook where one is set; at most ${NOTICE_TESTS_PER_WINDOW} in 15 minutes`,
    status: 202,
    answer: z.object({ test: noticeTestSchema }),
    errors: ['too_many_attempts'],
  }),
  getNoticeTest: defineRoute({
    id: 'getNoticeTest',
    method: 'GET',
    path: '/api/notices/tests/{id}',
    access: 'signed-in',
    summary: 'What became of an own test',
    status: 200,
    answer: z.object({ test: noticeTestSchema }),
    errors: ['not_found'],
  }),
  confirmNotice: defineRoute({
    id: 'confirmNotice',
    method: 'POST',
    path: '/api/notices/receipts',
    access: 'visitor',
    summary: 'A device says that a notice is on its screen; the receipt came with the notice',
    body: z.object({ receipt: z.string('The receipt is required').max(100, 'This is not a receipt') }),
    status: 204,
    answer: null,
    errors: ['not_found'],
  }),
  listFailedNotices: defineRoute({
    id: 'listFailedNotices',
    method: 'GET',
    path: '/api/notices/failed',
    access: 'staff',
    summary: 'Notices that were given up, newest first; they are kept for 30 days',
    query: z.object({ limit: listQueryShape.limit, cursor: listQueryShape.cursor }),
    status: 200,
    answer: z.object({ failures: z.array(failedNoticeSchema), ...pageShape }),
    errors: [],
  }),
  getWebhook: defineRoute({
    id: 'getWebhook',
    method: 'GET',
    path: '/api/notices/webhook',
    access: 'staff',
    summary: 'Where every step of an incident is posted to, or null',
    status: 200,
    answer: z.object({ webhook: webhookSchema }),
    errors: [],
  }),
  updateWebhook: defineRoute({
    id: 'updateWebhook',
    method: 'PUT',
    path: '/api/notices/webhook',
    access: 'staff',
    proof: 'always',
    summary:
      'Set the webhook, or end it with null. A new address gets a new secret, told this once: posts are signed with it as the Standard Webhooks specification has it',
    body: z.object({
      url: z
        .url({ protocol: /^https?$/, error: WEBHOOK_PROBLEM })
        .max(2_000, WEBHOOK_PROBLEM)
        .nullable(),
    }),
    status: 200,
    answer: z.object({ webhook: webhookSchema, secret: z.string().nullable() }),
    errors: [],
  }),
};
