/** How a notice leads to a person: the ways there, the page behind it, the direction of its words. Pure. */
import type { Language } from '@haris/contract/fields';
import type { NoticeWay, PushPayload } from '@haris/contract/http/notices';
import type { AccountKind } from '@haris/contract/roles';
import type { NoticeAccount } from '../../db/notice-people.ts';

/** The one place that is no person. */
export const WEBHOOK = { kind: 'webhook', id: 'webhook' } as const;

/** Where a notice leads: screens of the web app. */
export function pageOf(kind: AccountKind): string {
  return kind === 'admin' ? '/incidents' : '/profile';
}

export function directionOf(language: Language): PushPayload['dir'] {
  return language === 'ar' ? 'rtl' : 'ltr';
}

/** Those that lead to somebody, with the devices that the account has. */
export function waysTo(account: NoticeAccount, devices: readonly unknown[]): NoticeWay[] {
  return [
    ...(devices.length > 0 ? ['push' as const] : []),
    ...(account.email === null ? [] : ['mail' as const]),
  ];
}
