/** Turns a step of an incident into deliveries for its audience. */

import { isDanger } from '@haris/contract/incident-kinds';
import { type NotificationChannel, type PushPayload, pushPayloadSchema } from '@haris/contract/notifications';
import type { Transaction } from 'kysely';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import {
  addDelivery,
  dropHeldSteps,
  findNotifiedBefore,
  nextSequence,
} from '../../db/notification-deliveries.ts';
import {
  type Account,
  accountKey,
  findNotificationAccounts,
  findStaffOnDuty,
  type NotificationAccount,
  readPreferences,
} from '../../db/notification-people.ts';
import { findPushSubscriptions } from '../../db/push-devices.ts';
import type { Database, NotificationDeliveryRow, PushSubscriptionRow } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { facilityOrMain } from '../../facility.ts';
import type { IncidentStep } from '../../incident-step.ts';
import { decide, NOTHING_CHOSEN, type Recipient } from '../../notifications/preferences.ts';
import { channelsTo, directionOf, pageOf, WEBHOOK } from '../../notifications/recipients.ts';
import { textOf, titleOf } from '../../notifications/texts.ts';
import { readWebhook, type WebhookBody } from './channels/webhook.ts';
import { isWithinRate, RATE_WINDOW_MS, type RateCase } from './rate.ts';
import { findThoseWhoMaySee, mayStillSee } from './who-may-see.ts';

function areaOf({ body }: IncidentStep): string | null {
  return typeof body.values.area === 'string' ? body.values.area : null;
}

function payloadOf(step: IncidentStep, { kind, language }: NotificationAccount): PushPayload {
  return {
    ...textOf(step, kind, language),
    tag: step.incidentId,
    url: pageOf(kind),
    kind: step.kind,
    phase: step.phase,
    lang: language,
    dir: directionOf(language),
    receipt: null,
  };
}

function webhookBodyOf(step: IncidentStep): WebhookBody {
  return {
    type: `incident.${step.phase}`,
    timestamp: toMoment(step.at),
    data: {
      id: step.incidentId,
      kind: step.kind,
      severity: step.severity,
      step: step.step,
      area: areaOf(step),
      title: titleOf(step.kind, 'en'),
    },
  };
}

/** A person of the audience, with all data that their deliveries depend on. */
interface Addressee {
  readonly account: NotificationAccount;
  readonly devices: readonly PushSubscriptionRow[];
  readonly recipient: Recipient;
  /** Earlier notifications by a channel: whether of this incident, and how many within the rate limit's window. */
  readonly earlier: (channel: NotificationChannel) => Pick<RateCase, 'wasNotified' | 'sentLately'>;
}

async function findAddressees(
  trx: Transaction<Database>,
  step: IncidentStep,
  now: number,
): Promise<Addressee[]> {
  const audience = await findNotificationAccounts(trx, step.audience);
  // Some may have lost the permission since an earlier step of the incident.
  const accounts = await findThoseWhoMaySee(trx, facilityOrMain(), audience);
  const devices = Map.groupBy(await findPushSubscriptions(trx, accounts, now), (row) =>
    accountKey({ kind: row.account_kind, id: row.account_id }),
  );
  const chosen = await readPreferences(trx, accounts);
  const staff = accounts.filter(({ kind }) => kind === 'admin').map(({ id }) => id);
  const onDuty = await findStaffOnDuty(trx, staff, now);
  const before = await findNotifiedBefore(trx, step.incidentId, accounts, now - RATE_WINDOW_MS);
  return accounts.map((account) => {
    const key = accountKey(account);
    const own = devices.get(key) ?? [];
    return {
      account,
      devices: own,
      recipient: {
        account: account.kind,
        isOnDuty: account.kind === 'admin' && onDuty.has(account.id),
        reachableBy: channelsTo(account, own),
        stored: chosen.get(key) ?? NOTHING_CHOSEN,
      },
      earlier: (channel) => ({
        wasNotified: before.ofIncident.has(`${key} ${channel}`),
        sentLately: before.sentLately.get(`${key} ${channel}`) ?? 0,
      }),
    };
  });
}

/** The deliveries of a step to one person: one per channel, or one per device for push. */
function deliveriesTo({ account, devices, recipient, earlier }: Addressee, step: IncidentStep, now: number) {
  const occasion = { kind: step.kind, severity: step.severity, area: areaOf(step) };
  const { channels, notBefore } = decide(recipient, occasion, now);
  const isSafety = step.severity === 'safety';
  const content = payloadOf(step, account);
  return channels
    .filter((channel) => isWithinRate({ phase: step.phase, isSafety, ...earlier(channel) }))
    .flatMap((channel) => {
      const targets = channel === 'push' ? devices.map(({ id }) => id) : [''];
      return targets.map((target) => ({ account, channel, target, content, notBefore }));
    });
}

/**
 * Enqueues the deliveries of a step for its whole audience in one transaction. Idempotent, because the same step may be
 * passed on several times.
 */
export async function enqueueStep(context: Context, step: IncidentStep): Promise<void> {
  const { db, vault, clock } = context;
  const now = clock.now();
  const { incidentId, kind, phase } = step;
  const common = { incidentId, kind, step: step.step, phase };
  const webhook = await readWebhook(context);
  await inTransaction(db, async ({ trx }) => {
    const addressees = await findAddressees(trx, step, now);
    const sequence = await nextSequence(trx, step);
    for (const addressee of addressees) {
      const deliveries = deliveriesTo(addressee, step, now);
      if (deliveries.length > 0) await dropHeldSteps(trx, incidentId, addressee.account, sequence, now);
      for (const delivery of deliveries)
        await addDelivery(trx, vault, { ...common, ...delivery }, sequence, now);
    }
    if (!webhook) return;
    const content = webhookBodyOf(step);
    const toWebhook = { account: WEBHOOK, channel: 'webhook' as const, target: '', content, notBefore: null };
    await addDelivery(trx, vault, { ...common, ...toWebhook }, sequence, now);
  });
}

/** Mails a danger whose push failed, even to a person who did not choose mails. */
export async function standInByMail(
  context: Pick<Context, 'db' | 'vault' | 'clock'>,
  row: NotificationDeliveryRow,
  content: unknown,
): Promise<void> {
  if (row.channel !== 'push' || row.phase === 'test' || !isDanger(row.kind) || row.account_kind === 'webhook')
    return;
  const account: Account = { kind: row.account_kind, id: row.account_id };
  const payload = pushPayloadSchema.parse(content);
  await inTransaction(context.db, async ({ trx }) => {
    const [found] = await findNotificationAccounts(trx, [account]);
    if (!found?.email || !(await mayStillSee(trx, row))) return;
    await addDelivery(
      trx,
      context.vault,
      {
        account,
        channel: 'mail',
        target: '',
        incidentId: row.incident_id,
        kind: row.kind,
        step: row.step,
        phase: row.phase,
        content: payload,
        notBefore: null,
      },
      row.sequence,
      context.clock.now(),
    );
  });
}
