/** Pure rules over a person's preferences: the channels and the time of a step's notifications. */

import type { IncidentSeverity } from '@haris/contract/incident-kinds';
import { INCIDENT_KINDS, isDanger } from '@haris/contract/incident-kinds';
import {
  NOTIFICATION_CHANNELS,
  type NotificationChannel,
  type NotificationKind,
  type NotificationPreferences,
  PARENT_KINDS,
  type StoredPreferences,
} from '@haris/contract/notifications';
import type { AccountKind } from '@haris/contract/roles';
import { quietUntil } from './quiet-hours.ts';

export const NOTHING_CHOSEN: StoredPreferences = { kinds: {}, quietHours: null, areas: null };

/** Default channels. Staff get mails only about dangers, because nobody would read more. */
function usualChannels(account: AccountKind, kind: NotificationKind): readonly NotificationChannel[] {
  return account === 'parent' || isDanger(kind) ? NOTIFICATION_CHANNELS : ['push'];
}

/** Staff need no notice that a stay ends soon, nor of an accident that they entered themselves. */
const STAFF_KINDS = INCIDENT_KINDS.filter((kind) => kind !== 'stay_due' && kind !== 'accident');

/** Every kind that may reach the account, with its channels. */
export function completePreferences(
  account: AccountKind,
  stored: StoredPreferences,
): NotificationPreferences {
  const kinds = account === 'parent' ? PARENT_KINDS : STAFF_KINDS;
  return {
    kinds: Object.fromEntries(
      kinds.map((kind) => [kind, [...(stored.kinds[kind] ?? usualChannels(account, kind))]]),
    ),
    quietHours: stored.quietHours,
    areas: account === 'parent' ? null : stored.areas,
    locked: account === 'parent' ? [] : STAFF_KINDS.filter(isDanger),
  };
}

export interface Recipient {
  readonly account: AccountKind;
  /** Whether the account is signed in as staff. */
  readonly isOnDuty: boolean;
  /** Channels for which the person has an address or a device. */
  readonly reachableBy: readonly NotificationChannel[];
  readonly stored: StoredPreferences;
}

export interface Occasion {
  readonly kind: NotificationKind;
  readonly severity: IncidentSeverity;
  /** Null if the incident belongs to no area. */
  readonly area: string | null;
}

export interface Decision {
  readonly channels: readonly NotificationChannel[];
  /** The earliest moment. Milliseconds since 1970; null: now. */
  readonly notBefore: number | null;
}

/**
 * The channels and the earliest time of a notification. A danger is sent at any hour. Staff on duty get dangers from
 * every area by at least one channel that reaches them, regardless of mutes. If none of the chosen channels still
 * reaches the person (no device left), a danger uses all channels that do.
 */
export function decide(recipient: Recipient, occasion: Occasion, now: number): Decision {
  const { account, isOnDuty, reachableBy, stored } = recipient;
  const isDanger = occasion.severity === 'safety';
  const cannotMute = isDanger && isOnDuty;
  const elsewhere = stored.areas !== null && occasion.area !== null && !stored.areas.includes(occasion.area);
  if (account === 'admin' && elsewhere && !cannotMute) return { channels: [], notBefore: null };
  const chosen = stored.kinds[occasion.kind] ?? usualChannels(account, occasion.kind);
  const open = chosen.filter((channel) => reachableBy.includes(channel));
  const standsIn = open.length === 0 && (cannotMute || (isDanger && chosen.length > 0));
  return {
    channels: standsIn ? [...reachableBy] : open,
    notBefore: isDanger ? null : quietUntil(stored.quietHours, now),
  };
}
