/** The channels that reach a person, the page that a notification opens, and the direction of its text. Pure. */
import type { Language } from '@haris/contract/fields';
import type { NotificationChannel, PushPayload } from '@haris/contract/notifications';
import type { AccountKind } from '@haris/contract/roles';
import type { NotificationAccount } from '../db/notification-people.ts';

/** The recipient without an account. */
export const WEBHOOK = { kind: 'webhook', id: 'webhook' } as const;

/** The screen of the web app that a notification opens. */
export function pageOf(kind: AccountKind): string {
  return kind === 'admin' ? '/incidents' : '/profile';
}

export function directionOf(language: Language): PushPayload['dir'] {
  return language === 'ar' ? 'rtl' : 'ltr';
}

/** The channels for which the account has a device or a verified address. */
export function channelsTo(account: NotificationAccount, devices: readonly unknown[]): NotificationChannel[] {
  return [
    ...(devices.length > 0 ? ['push' as const] : []),
    ...(account.email === null ? [] : ['mail' as const]),
  ];
}
