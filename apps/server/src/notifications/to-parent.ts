/** Notifies the guardians of a child of something that is no incident: the new end of a stay, a release. */
import type { Language } from '@haris/contract/fields';
import { findLocale } from '@haris/contract/locales';
import type { NotificationKind, PushPayload } from '@haris/contract/notifications';
import { localDay } from '@haris/contract/zone-time';
import type { Transaction } from 'kysely';
import type { Context } from '../context.ts';
import { findGuardians } from '../db/guardians/of-child.ts';
import { addDelivery } from '../db/notification-deliveries.ts';
import { accountKey, findNotificationAccounts, readPreferences } from '../db/notification-people.ts';
import { findParent } from '../db/parents.ts';
import { findPushSubscriptions } from '../db/push-devices.ts';
import type { Database } from '../db/schema.ts';
import { decide, NOTHING_CHOSEN } from './preferences.ts';
import { channelsTo, directionOf, pageOf } from './recipients.ts';
import type { NotificationText } from './texts.ts';

/** The facility's time zone, and the region whose form of times it uses. */
export interface Place {
  readonly timeZone: string;
  readonly region: string;
}

/** A moment (milliseconds since 1970) as a time of day at the facility, with the date unless it is on the day of `now`. */
export function timeOfDay(
  moment: number,
  language: Language,
  { timeZone, region }: Place,
  now = moment,
): string {
  const isToday = localDay(moment, timeZone) === localDay(now, timeZone);
  return new Intl.DateTimeFormat(findLocale(language, region), {
    dateStyle: isToday ? undefined : 'medium',
    timeStyle: 'short',
    timeZone,
  }).format(moment);
}

interface ParentNotification {
  readonly parentId: string;
  /** What it is about. Notifications about one thing leave in the order of `sequence`; the same step is enqueued once. */
  readonly about: string;
  readonly step: number;
  readonly sequence: number;
  readonly phase: 'raised' | 'cleared';
  /** The parent chooses the channels by this kind. */
  readonly kind: NotificationKind;
  /** A later push with the same tag replaces an earlier one. */
  readonly tag: string;
  /** Whether quiet hours do not delay it. */
  readonly isUrgent: boolean;
  readonly textIn: (language: Language) => NotificationText;
}

/** A child about which its guardians are notified. */
export interface NotifiedChild {
  readonly id: string;
  /** Its first guardian. */
  readonly parent_id: string;
}

/**
 * Notifies every guardian of a child, each in the own language and by the own choices; `noticeFor` says what: one household
 * must not read what another one has told the desk.
 */
export async function notifyGuardians(
  context: Context,
  trx: Transaction<Database>,
  child: NotifiedChild,
  noticeFor: (parentId: string) => Omit<ParentNotification, 'parentId'>,
): Promise<void> {
  for (const { parentId } of (await findGuardians(trx, [child])).get(child.id) ?? [])
    await notifyParent(context, trx, { parentId, ...noticeFor(parentId) });
}

/**
 * Enqueues a notification by the channels that the parent has chosen; the queue's next sweep sends it. Nothing for an account
 * without a channel, and for one that is blocked or disowned: somebody else may read its mails.
 */
async function notifyParent(
  { vault, clock }: Context,
  trx: Transaction<Database>,
  { parentId, about, step, sequence, phase, kind, tag, isUrgent, textIn }: ParentNotification,
): Promise<void> {
  const now = clock.now();
  const parent = await findParent(trx, parentId);
  if (!parent || parent.blocked_at !== null || parent.disowned_at !== null) return;
  const [account] = await findNotificationAccounts(trx, [{ kind: 'parent', id: parentId }]);
  if (!account) return;
  const devices = await findPushSubscriptions(trx, [account], now);
  const stored = (await readPreferences(trx, [account])).get(accountKey(account)) ?? NOTHING_CHOSEN;
  const recipient = {
    account: account.kind,
    isOnDuty: false,
    reachableBy: channelsTo(account, devices),
    stored,
  };
  const { channels, notBefore } = decide(recipient, { kind, severity: 'care', area: null }, now);
  const content: PushPayload = {
    ...textIn(account.language),
    tag,
    url: pageOf('parent'),
    kind,
    phase,
    lang: account.language,
    dir: directionOf(account.language),
    receipt: null,
  };
  for (const channel of channels)
    for (const target of channel === 'push' ? devices.map((device) => device.id) : [''])
      await addDelivery(
        trx,
        vault,
        {
          account,
          channel,
          target,
          incidentId: about,
          kind,
          step,
          phase,
          content,
          notBefore: isUrgent ? null : notBefore,
        },
        sequence,
        now,
      );
}
