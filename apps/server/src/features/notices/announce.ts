/** Turns a step of an incident into deliveries, for everybody whom it concerns. */
import { type PushPayload, pushPayloadSchema, SAFETY_KINDS } from '@haris/contract/http/notices';
import { INCIDENT_KINDS } from '@haris/contract/incident-kinds';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { addDelivery, dropHeldSteps, findToldBefore, takeTurn } from '../../db/notice-deliveries.ts';
import {
  type Account,
  accountKey,
  findNoticeAccounts,
  findStaffOnDuty,
  type NoticeAccount,
  readPreferences,
} from '../../db/notice-people.ts';
import { findPushSubscriptions } from '../../db/push-devices.ts';
import type { NoticeDeliveryRow, PushSubscriptionRow } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { IncidentStep } from '../../incident-step.ts';
import { decide, NOTHING_CHOSEN } from './preferences.ts';
import { isWithinRate, RATE_WINDOW_MS } from './rate.ts';
import { directionOf, pageOf, WEBHOOK, waysTo } from './recipients.ts';
import { textOf, titleOf } from './texts.ts';
import { readWebhook, type WebhookBody } from './ways/webhook.ts';

function areaOf({ body }: IncidentStep): string | null {
  return typeof body.values.area === 'string' ? body.values.area : null;
}

function payloadOf(step: IncidentStep, { kind, language }: NoticeAccount): PushPayload {
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

function byAccount(rows: readonly PushSubscriptionRow[]): Map<string, PushSubscriptionRow[]> {
  const found = new Map<string, PushSubscriptionRow[]>();
  for (const row of rows) {
    const key = accountKey({ kind: row.account_kind, id: row.account_id });
    found.set(key, [...(found.get(key) ?? []), row]);
  }
  return found;
}

/**
 * Puts a step into the queue for everybody whom it concerns, all or nobody. The same step again adds nothing, so that it
 * may be told as often as it takes.
 */
export async function announceStep(context: Context, step: IncidentStep): Promise<void> {
  const { db, vault, clock } = context;
  const now = clock.now();
  const webhook = await readWebhook(context);
  await inTransaction(db, async ({ trx }) => {
    const accounts = await findNoticeAccounts(trx, step.audience);
    const devices = byAccount(await findPushSubscriptions(trx, accounts, now));
    const chosen = await readPreferences(trx, accounts);
    const onDuty = await findStaffOnDuty(
      trx,
      accounts.filter(({ kind }) => kind === 'admin').map(({ id }) => id),
      now,
    );
    const before = await findToldBefore(trx, step.incidentId, accounts, now - RATE_WINDOW_MS);
    const turn = await takeTurn(trx, step);
    const common = {
      incidentId: step.incidentId,
      kind: step.kind,
      step: step.step,
      phase: step.phase,
    };
    for (const account of accounts) {
      const own = devices.get(accountKey(account)) ?? [];
      const { ways, notBefore } = decide(
        {
          account: account.kind,
          isOnDuty: account.kind === 'admin' && onDuty.has(account.id),
          reachableBy: waysTo(account, own),
          stored: chosen.get(accountKey(account)) ?? NOTHING_CHOSEN,
        },
        { kind: step.kind, severity: step.severity, area: areaOf(step) },
        now,
      );
      const within = ways.filter((way) => {
        const key = `${accountKey(account)} ${way}`;
        return isWithinRate({
          phase: step.phase,
          isSafety: step.severity === 'safety',
          wasTold: before.toldOf.has(key),
          sentLately: before.sentLately.get(key) ?? 0,
        });
      });
      if (within.length === 0) continue;
      await dropHeldSteps(trx, step.incidentId, account, turn, now);
      const content = payloadOf(step, account);
      for (const way of within)
        for (const target of way === 'push' ? own.map(({ id }) => id) : [''])
          await addDelivery(trx, vault, { ...common, account, way, target, content, notBefore }, turn, now);
    }
    if (webhook)
      await addDelivery(
        trx,
        vault,
        {
          ...common,
          account: WEBHOOK,
          way: 'webhook',
          target: '',
          content: webhookBodyOf(step),
          notBefore: null,
        },
        turn,
        now,
      );
  });
}

/** What is a danger and did not reach a device goes by mail, also to whoever did not choose that. */
export async function standInByMail(
  context: Pick<Context, 'db' | 'vault' | 'clock'>,
  row: NoticeDeliveryRow,
  content: unknown,
): Promise<void> {
  const isDanger = INCIDENT_KINDS.some((kind) => kind === row.kind && SAFETY_KINDS.has(kind));
  if (row.way !== 'push' || row.phase === 'test' || !isDanger || row.account_kind === 'webhook') return;
  const account: Account = { kind: row.account_kind, id: row.account_id };
  const payload = pushPayloadSchema.parse(content);
  await inTransaction(context.db, async ({ trx }) => {
    const [found] = await findNoticeAccounts(trx, [account]);
    if (!found?.email) return;
    await addDelivery(
      trx,
      context.vault,
      {
        account,
        way: 'mail',
        target: '',
        incidentId: row.incident_id,
        kind: row.kind,
        step: row.step,
        phase: row.phase,
        content: payload,
        notBefore: null,
      },
      row.turn,
      context.clock.now(),
    );
  });
}
