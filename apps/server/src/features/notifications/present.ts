/** Presents rows of notifications in the contract's format. */

import type { FailedNotification, NotificationTest, Webhook } from '@haris/contract/http/notifications';
import { NOTIFICATION_KINDS } from '@haris/contract/notifications';
import { toMoment } from '../../clock.ts';
import type { FailedDelivery } from '../../db/notification-queue.ts';
import type { NotificationDeliveryRow, PushSubscriptionRow } from '../../db/schema.ts';
import { may, type Permitted } from '../../policy.ts';
import type { WebhookSetting } from './channels/webhook.ts';

export function presentDevice(row: PushSubscriptionRow, session: string) {
  return {
    _id: row.id,
    device: row.device,
    createdAt: toMoment(row.created_at),
    isThisSession: row.session_hash === session,
  };
}

export function presentTest(
  id: string,
  rows: readonly (NotificationDeliveryRow & { readonly device: string | null })[],
): NotificationTest {
  return {
    _id: id,
    deliveries: rows.map((row) => ({
      way: row.channel,
      device: row.device,
      // Quiet hours do not delay a test, so a test is never dropped.
      state: row.state === 'sent' || row.state === 'failed' ? row.state : 'waiting',
      reason: row.state === 'failed' ? row.reason : null,
      attempts: row.attempts,
      arrivedAt: row.arrived_at === null ? null : toMoment(row.arrived_at),
    })),
  };
}

/** The name of a parent is for staff who see families. */
export function presentFailure(row: FailedDelivery, reader: Permitted): FailedNotification {
  const isNamed = row.account_kind !== 'parent' || may(reader, 'families.view');
  return {
    _id: row.id,
    way: row.channel,
    // A row of an older or newer version may have a kind without a text in this version.
    kind: NOTIFICATION_KINDS.find((kind) => kind === row.kind) ?? 'test',
    account:
      row.account_kind === 'webhook'
        ? null
        : { kind: row.account_kind, _id: row.account_id, name: isNamed ? row.name : '' },
    reason: row.reason ?? 'unreachable',
    attempts: row.attempts,
    createdAt: toMoment(row.created_at),
    failedAt: toMoment(row.ended_at ?? row.created_at),
  };
}

export function presentWebhook(setting: WebhookSetting | null): Webhook {
  return setting && { origin: new URL(setting.url).origin, updatedAt: toMoment(setting.updatedAt) };
}
