/** Calls for notifications: push devices, preferences, tests, failed deliveries, and the webhook. */
import * as z from 'zod/mini';
import {
  DELIVERY_CHANNELS,
  DELIVERY_FAILURES,
  NOTIFICATION_KINDS,
  NOTIFICATION_TESTS_PER_WINDOW,
  notificationPreferencesSchema,
  PUSH_DEVICES_PER_ACCOUNT,
  storedPreferencesSchema,
} from '../notifications.ts';
import { momentSchema } from '../objects.ts';
import { accountKindSchema } from '../roles.ts';
import { defineRoute, listQueryShape, messageSchema, pageShape } from './route.ts';

const ADDRESS_PROBLEM = 'The address of the push service is not right';
const KEY_PROBLEM = 'The keys of the device are not right';
const base64urlOf = (bytes: readonly number[]) =>
  z
    .pipe(
      z.string(KEY_PROBLEM).check(z.maxLength(200, KEY_PROBLEM)),
      z.transform((text) => text.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_')),
    )
    .check(
      z.refine(
        (text) => /^[A-Za-z0-9_-]+$/.test(text) && bytes.includes(Math.floor((text.length * 3) / 4)),
        KEY_PROBLEM,
      ),
    );

/** The result of `PushSubscription.toJSON()`, and a name for the device. */
const addDeviceBodySchema = z.object({
  endpoint: z.url({ error: ADDRESS_PROBLEM }).check(z.maxLength(2_000, ADDRESS_PROBLEM)),
  keys: z.object(
    {
      /** An uncompressed point on P-256. */
      p256dh: base64urlOf([65]),
      auth: base64urlOf([16]),
    },
    KEY_PROBLEM,
  ),
  device: z.pipe(
    z.pipe(
      z.string('The device must have a name'),
      z.transform((text) =>
        text
          .normalize('NFC')
          .toWellFormed()
          .replace(/\p{Cc}/gu, ' ')
          .trim()
          .slice(0, 100),
      ),
    ),
    z.string().check(z.minLength(1, 'The device must have a name')),
  ),
});
export type AddPushDevice = z.infer<typeof addDeviceBodySchema>;

const pushDeviceSchema = z
  .object({
    _id: z.string(),
    device: z.string(),
    createdAt: momentSchema,
    /** Whether this session added it. */
    isThisSession: z.boolean(),
  })
  .register(z.globalRegistry, { id: 'PushDevice' });

/** `sent`: accepted by the mail server, push service or webhook; `arrivedAt`: confirmed by the device. */
const testDeliverySchema = z.object({
  way: z.enum(DELIVERY_CHANNELS),
  /** Name of the device; null for the other channels. */
  device: z.nullable(z.string()),
  state: z.enum(['waiting', 'sent', 'failed']),
  reason: z.nullable(z.enum(DELIVERY_FAILURES)),
  attempts: z.int().check(z.nonnegative()),
  arrivedAt: z.nullable(momentSchema),
});
const notificationTestSchema = z
  .object({ _id: z.string(), deliveries: z.array(testDeliverySchema) })
  .register(z.globalRegistry, { id: 'NoticeTest' });
export type NotificationTest = z.infer<typeof notificationTestSchema>;

const failedNotificationSchema = z
  .object({
    _id: z.string(),
    way: z.enum(DELIVERY_CHANNELS),
    kind: z.enum([...NOTIFICATION_KINDS, 'test']),
    /** Null for the webhook; the name is null once the account is deleted, and of a parent empty without `families.view`. */
    account: z.nullable(z.object({ kind: accountKindSchema, _id: z.string(), name: z.nullable(z.string()) })),
    reason: z.enum(DELIVERY_FAILURES),
    attempts: z.int(),
    createdAt: momentSchema,
    failedAt: momentSchema,
  })
  .register(z.globalRegistry, { id: 'FailedNotice' });
export type FailedNotification = z.infer<typeof failedNotificationSchema>;

/** Only the origin of the address is shown, because the rest is often a secret. */
const webhookSchema = z
  .nullable(z.object({ origin: z.string(), updatedAt: momentSchema }))
  .register(z.globalRegistry, { id: 'Webhook' });
export type Webhook = z.infer<typeof webhookSchema>;

const WEBHOOK_PROBLEM = 'The address must be like https://example.org/hook';

export const notificationRoutes = {
  getPushKey: defineRoute({
    id: 'getPushKey',
    method: 'GET',
    path: '/api/notices/push-key',
    access: 'signed-in',
    permission: 'own',
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
    permission: 'own',
    summary: 'The own devices with Web Push',
    status: 200,
    answer: z.object({ devices: z.array(pushDeviceSchema) }),
    errors: [],
  }),
  addPushDevice: defineRoute({
    id: 'addPushDevice',
    method: 'POST',
    path: '/api/notices/devices',
    access: 'signed-in',
    permission: 'own',
    summary: `Send notifications to this device until its session ends; a repeated subscription moves to the latest caller. At most ${PUSH_DEVICES_PER_ACCOUNT}, one more replaces the oldest`,
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
    permission: 'own',
    summary: 'Remove a device of the calling account',
    status: 200,
    answer: messageSchema,
    errors: ['not_found'],
  }),
  getNoticePreferences: defineRoute({
    id: 'getNoticePreferences',
    method: 'GET',
    path: '/api/notices/preferences',
    access: 'signed-in',
    permission: 'own',
    summary: 'Notification preferences of the calling account: kinds, channels and times',
    status: 200,
    answer: z.object({ preferences: notificationPreferencesSchema }),
    errors: [],
  }),
  updateNoticePreferences: defineRoute({
    id: 'updateNoticePreferences',
    method: 'PUT',
    path: '/api/notices/preferences',
    access: 'signed-in',
    permission: 'own',
    summary: 'Change notification preferences; kinds that are left out do not change',
    body: z.partial(storedPreferencesSchema),
    status: 200,
    answer: z.object({ preferences: notificationPreferencesSchema }),
    errors: [],
  }),
  sendNoticeTest: defineRoute({
    id: 'sendNoticeTest',
    method: 'POST',
    path: '/api/notices/tests',
    access: 'signed-in',
    permission: 'own',
    summary: `Send a test to the calling account by all its channels, for staff also to the webhook if one is set; at most ${NOTIFICATION_TESTS_PER_WINDOW} in 15 minutes`,
    status: 202,
    answer: z.object({ test: notificationTestSchema }),
    errors: ['too_many_attempts'],
  }),
  getNoticeTest: defineRoute({
    id: 'getNoticeTest',
    method: 'GET',
    path: '/api/notices/tests/{id}',
    access: 'signed-in',
    permission: 'own',
    summary: 'Result of a test of the caller',
    status: 200,
    answer: z.object({ test: notificationTestSchema }),
    errors: ['not_found'],
  }),
  confirmNotice: defineRoute({
    id: 'confirmNotice',
    method: 'POST',
    path: '/api/notices/receipts',
    access: 'visitor',
    summary: 'Confirm that a notification is shown on a device, with the receipt from the push',
    body: z.object({
      receipt: z.string('The receipt is required').check(z.maxLength(100, 'This is not a receipt')),
    }),
    status: 204,
    answer: null,
    errors: ['not_found'],
  }),
  listFailedNotices: defineRoute({
    id: 'listFailedNotices',
    method: 'GET',
    path: '/api/notices/failed',
    access: 'staff',
    permission: 'incidents.view',
    summary: 'Failed deliveries, newest first; they are kept for 30 days',
    query: z.object({ limit: listQueryShape.limit, cursor: listQueryShape.cursor }),
    status: 200,
    answer: z.object({ failures: z.array(failedNotificationSchema), ...pageShape }),
    errors: [],
  }),
  getWebhook: defineRoute({
    id: 'getWebhook',
    method: 'GET',
    path: '/api/notices/webhook',
    access: 'staff',
    permission: 'integrations.manage',
    summary: 'The webhook that receives every step of an incident, or null',
    status: 200,
    answer: z.object({ webhook: webhookSchema }),
    errors: [],
  }),
  updateWebhook: defineRoute({
    id: 'updateWebhook',
    method: 'PUT',
    path: '/api/notices/webhook',
    access: 'staff',
    permission: 'integrations.manage',
    proof: 'always',
    summary:
      'Set the webhook, or remove it with null. A new address gets a new secret, returned only here, which signs the posts according to the Standard Webhooks specification',
    body: z.object({
      url: z.nullable(
        z.url({ protocol: /^https?$/, error: WEBHOOK_PROBLEM }).check(z.maxLength(2_000, WEBHOOK_PROBLEM)),
      ),
    }),
    status: 200,
    answer: z.object({ webhook: webhookSchema, secret: z.nullable(z.string()) }),
    errors: [],
  }),
};
