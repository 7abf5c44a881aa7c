/** Notifications: channels, limits, failures, the content of a push, and personal preferences. */
import * as z from 'zod/mini';
import { timeZoneSchema } from './fields.ts';
import { INCIDENT_KINDS } from './incident-kinds.ts';

/** Channels to people. The webhook belongs to the facility. */
export const NOTIFICATION_CHANNELS = ['push', 'mail'] as const;
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];
export const DELIVERY_CHANNELS = [...NOTIFICATION_CHANNELS, 'webhook'] as const;
export type DeliveryChannel = (typeof DELIVERY_CHANNELS)[number];

/** What somebody can be notified of: incidents, and that one's child was handed over or its check-in undone (`released`). */
export const NOTIFICATION_KINDS = [...INCIDENT_KINDS, 'released'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** Kinds that can be sent to parents. */
export const PARENT_KINDS: readonly NotificationKind[] = [
  'temperature',
  'air',
  'stay_due',
  'time_up',
  'expected_not_here',
  'accident',
  'evacuation',
  'released',
];

/** Largest number of push devices per account; a further one replaces the oldest. */
export const PUSH_DEVICES_PER_ACCOUNT = 10;
/** Tests that one account may send per 15 minutes. */
export const NOTIFICATION_TESTS_PER_WINDOW = 10;

/**
 * Why a notification was not delivered. `gone`: the device or address no longer exists; `refused`: the receiver
 * rejected it; `not_allowed`: the server must not post to this address; `unreachable`: no attempt got a response.
 */
export const DELIVERY_FAILURES = ['gone', 'refused', 'not_allowed', 'unreachable'] as const;
export type DeliveryFailure = (typeof DELIVERY_FAILURES)[number];

/**
 * Content of a push, encrypted for the browser (RFC 8291). A later push with the same `tag` replaces the earlier one.
 * If there is a `receipt`, the service worker sends it to `confirmNotice` once it shows the notification.
 */
export const pushPayloadSchema = z.object({
  title: z.string(),
  body: z.string(),
  tag: z.string(),
  /** Path within the web app. */
  url: z.string(),
  kind: z.enum([...NOTIFICATION_KINDS, 'test']),
  phase: z.enum(['raised', 'escalated', 'cleared', 'test']),
  lang: z.enum(['en', 'ar']),
  dir: z.enum(['ltr', 'rtl']),
  receipt: z.nullable(z.string()),
});
export type PushPayload = z.infer<typeof pushPayloadSchema>;

const TIME_PROBLEM = 'must be a time of day like 22:00';
const timeOfDaySchema = z
  .string(TIME_PROBLEM)
  .check(z.regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, TIME_PROBLEM));
const channelsSchema = z.array(z.enum(NOTIFICATION_CHANNELS, { error: 'A way must be push or mail' })).check(
  z.maxLength(NOTIFICATION_CHANNELS.length, 'Each way once'),
  z.refine((ways) => new Set(ways).size === ways.length, 'Each way once'),
);

/**
 * Quiet hours: `from` inclusive to `to` exclusive, in `timeZone`; past midnight if `to` is earlier. Equal times mean
 * the whole day.
 */
const quietHoursSchema = z.object({ from: timeOfDaySchema, to: timeOfDaySchema, timeZone: timeZoneSchema });
export type QuietHours = z.infer<typeof quietHoursSchema>;

const preferencesShape = {
  /** Null: none. Quiet hours delay notifications of `care` and `operation`, but never those of `safety` and `released`. */
  quietHours: z.nullable(quietHoursSchema),
  /** Staff: only incidents of these areas, and those without an area. Null: all areas. */
  areas: z.nullable(
    z.array(z.string().check(z.trim(), z.minLength(1), z.maxLength(100))).check(z.maxLength(100)),
  ),
};
/** Choices of a person; other kinds use their default channels. */
export const storedPreferencesSchema = z.object({
  kinds: z.partialRecord(z.enum(NOTIFICATION_KINDS), channelsSchema),
  ...preferencesShape,
});
export type StoredPreferences = z.infer<typeof storedPreferencesSchema>;

export const notificationPreferencesSchema = z
  .object({
    /** Every kind that can be sent to this account, with its channels. */
    kinds: z.partialRecord(z.enum(NOTIFICATION_KINDS), channelsSchema),
    ...preferencesShape,
    /** Kinds that always use at least one channel while this staff account is signed in, whatever its preferences. */
    locked: z.array(z.enum(INCIDENT_KINDS)),
  })
  .register(z.globalRegistry, { id: 'NoticePreferences' });
export type NotificationPreferences = z.infer<typeof notificationPreferencesSchema>;
