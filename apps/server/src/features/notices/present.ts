/** Rows of notices as the contract shows them. */

import type { FailedNotice, NoticeTest, Webhook } from '@haris/contract/http/notices';
import { INCIDENT_KINDS } from '@haris/contract/incident-kinds';
import { toMoment } from '../../clock.ts';
import type { FailedDelivery } from '../../db/notice-queue.ts';
import type { NoticeDeliveryRow, PushSubscriptionRow } from '../../db/schema.ts';
import type { WebhookSetting } from './ways/webhook.ts';

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
  rows: readonly (NoticeDeliveryRow & { readonly device: string | null })[],
): NoticeTest {
  return {
    _id: id,
    deliveries: rows.map((row) => ({
      way: row.way,
      device: row.device,
      // A test is never held back, so that nothing drops it.
      state: row.state === 'sent' || row.state === 'failed' ? row.state : 'waiting',
      reason: row.state === 'failed' ? row.reason : null,
      attempts: row.attempts,
      arrivedAt: row.arrived_at === null ? null : toMoment(row.arrived_at),
    })),
  };
}

export function presentFailure(row: FailedDelivery): FailedNotice {
  return {
    _id: row.id,
    way: row.way,
    // A kind of an older or newer server has no words here.
    kind: INCIDENT_KINDS.find((kind) => kind === row.kind) ?? 'test',
    account:
      row.account_kind === 'webhook' ? null : { kind: row.account_kind, _id: row.account_id, name: row.name },
    reason: row.reason ?? 'unreachable',
    attempts: row.attempts,
    createdAt: toMoment(row.created_at),
    failedAt: toMoment(row.ended_at ?? row.created_at),
  };
}

export function presentWebhook(setting: WebhookSetting | null): Webhook {
  return setting && { origin: new URL(setting.url).origin, updatedAt: toMoment(setting.updatedAt) };
}
