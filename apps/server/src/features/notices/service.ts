/** Turns a step of an incident into deliveries, sends tests, and keeps devices, wishes and the webhook. */
import { ECDH, randomUUID } from 'node:crypto';
import { THROTTLE_WINDOW_MS } from '@haris/contract/constants';
import type { Language } from '@haris/contract/fields';
import {
  type AddPushDevice,
  NOTICE_TESTS_PER_WINDOW,
  type NoticePreferences,
  type NoticeWay,
  PUSH_DEVICES_PER_ACCOUNT,
  type PushPayload,
  pushPayloadSchema,
  SAFETY_KINDS,
  type StoredPreferences,
} from '@haris/contract/http/notices';
import { INCIDENT_KINDS } from '@haris/contract/incident-kinds';
import type { AccountKind } from '@haris/contract/roles';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { AuditFact } from '../../db/audit.ts';
import {
  type Account,
  accountKey,
  addDelivery,
  deletePushSubscription,
  dropHeldSteps,
  findNoticeAccounts,
  findPushSubscriptions,
  findStaffOnDuty,
  findToldBefore,
  type NoticeAccount,
  noteArrival,
  putPushSubscription,
  readPreferences,
  takeTurn,
  writePreferences,
  writeSealedMeta,
} from '../../db/notices.ts';
import type { NoticeDeliveryRow, PushSubscriptionRow } from '../../db/schema.ts';
import { countHit, type Limit, secondsUntilRoom } from '../../db/throttle.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { IncidentStep } from '../../incident-step.ts';
import { hashToken, randomToken } from '../../vault/vault.ts';
import { completePreferences, decide, NOTHING_CHOSEN } from './preferences.ts';
import { isWithinRate, RATE_WINDOW_MS } from './rate.ts';
import { testText, textOf, titleOf } from './texts.ts';
import { isAllowedAddress, type Reach } from './ways/outgoing.ts';
import { newWebhookSecret, readWebhook, WEBHOOK_META_KEY, type WebhookBody } from './ways/webhook.ts';

const WEBHOOK = { kind: 'webhook', id: 'webhook' } as const;

/** Where a notice leads: screens of the web app. */
function pageOf(kind: AccountKind): string {
  return kind === 'admin' ? '/incidents' : '/profile';
}

function directionOf(language: Language): PushPayload['dir'] {
  return language === 'ar' ? 'rtl' : 'ltr';
}

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

function waysTo(account: NoticeAccount, devices: readonly unknown[]): NoticeWay[] {
  return [
    ...(devices.length > 0 ? ['push' as const] : []),
    ...(account.email === null ? [] : ['mail' as const]),
  ];
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

/** Puts a test into the queue for every way that leads to the person. Answers its id. Throws `too_many_attempts`. */
export async function sendTest(context: Context, actor: Actor): Promise<string> {
  const { db, vault, clock } = context;
  const now = clock.now();
  const limits: Limit[] = [
    {
      scope: 'notice test',
      key: vault.mac('throttle', accountKey(actor)),
      most: NOTICE_TESTS_PER_WINDOW,
      windowMs: THROTTLE_WINDOW_MS,
    },
  ];
  const webhook = actor.kind === 'admin' ? await readWebhook(context) : null;
  const id = randomUUID();
  await inTransaction(db, async ({ trx }) => {
    const retryAfter = await secondsUntilRoom(trx, limits, now);
    if (retryAfter !== null) throw new AppError('too_many_attempts', { retryAfter });
    await countHit(trx, limits, now);
    const [account] = await findNoticeAccounts(trx, [actor]);
    if (!account) throw new AppError('unauthenticated');
    const devices = await findPushSubscriptions(trx, [actor], now);
    const common = { incidentId: id, kind: 'test', step: 0, phase: 'test' as const, notBefore: null };
    const payload: PushPayload = {
      ...testText(account.language),
      tag: id,
      url: pageOf(account.kind),
      kind: 'test',
      phase: 'test',
      lang: account.language,
      dir: directionOf(account.language),
      receipt: null,
    };
    for (const way of waysTo(account, devices))
      for (const target of way === 'push' ? devices.map((device) => device.id) : ['']) {
        const receipt = way === 'push' ? randomToken() : null;
        await addDelivery(
          trx,
          vault,
          {
            ...common,
            account,
            way,
            target,
            content: { ...payload, receipt },
            ...(receipt === null ? {} : { receiptHash: hashToken(receipt) }),
          },
          0,
          now,
        );
      }
    if (webhook) {
      const content: WebhookBody = {
        type: 'test',
        timestamp: toMoment(now),
        data: { id, kind: 'test', severity: null, step: 0, area: null, title: testText('en').title },
      };
      const delivery = { ...common, account: WEBHOOK, way: 'webhook' as const, target: '', content };
      await addDelivery(trx, vault, delivery, 0, now);
    }
  });
  return id;
}

/** Throws 404 for a receipt that was not given. */
export async function confirmArrival({ db, clock }: Context, receipt: string): Promise<void> {
  if (!(await noteArrival(db, hashToken(receipt), clock.now()))) throw new AppError('not_found');
}

/** Whether something can be encrypted to this key (base64url). */
function isPointOfCurve(key: string): boolean {
  try {
    ECDH.convertKey(key, 'prime256v1', 'base64url');
    return true;
  } catch {
    return false;
  }
}

/** Throws 400 for an address that no push service can have, and for keys that nothing can be encrypted to. */
export async function addDevice(
  { db, vault, clock, audit }: Context,
  actor: Actor,
  { endpoint, keys, device }: AddPushDevice,
  reach: Reach,
): Promise<PushSubscriptionRow> {
  if (!isAllowedAddress(endpoint, reach)) {
    const message = 'The address of the push service is not right';
    throw new AppError('invalid_request', { message, fields: { endpoint: message } });
  }
  if (!isPointOfCurve(keys.p256dh)) {
    const message = 'The keys of the device are not right';
    throw new AppError('invalid_request', { message, fields: { keys: message } });
  }
  return inTransaction(db, async (tx) => {
    const { row, wasThere } = await putPushSubscription(
      tx.trx,
      vault,
      {
        account: actor,
        session: actor.session,
        target: { endpoint, p256dh: keys.p256dh, auth: keys.auth },
        device,
      },
      PUSH_DEVICES_PER_ACCOUNT,
      clock.now(),
    );
    // The web app gives it again at each start: that is nothing which somebody did.
    if (!wasThere) await audit.append(tx, deviceFact(actor, 'added', row.id));
    return row;
  });
}

/** Throws 404 for a device that is not the person's. */
export async function removeDevice({ db, audit }: Context, actor: Actor, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await deletePushSubscription(tx.trx, actor, id))) throw new AppError('not_found');
    await audit.append(tx, deviceFact(actor, 'removed', id));
  });
}

function deviceFact(actor: Actor, change: 'added' | 'removed', device: string): AuditFact {
  const subject = { kind: actor.kind, id: actor.id };
  return { actor, action: `push_device.${change}`, subject, details: { device } };
}

export async function getPreferences({ db }: Context, actor: Actor): Promise<NoticePreferences> {
  const stored = (await readPreferences(db, [actor])).get(accountKey(actor)) ?? NOTHING_CHOSEN;
  return completePreferences(actor.kind, stored);
}

type Change = { readonly [Name in keyof StoredPreferences]?: StoredPreferences[Name] | undefined };

export async function updatePreferences(
  { db, audit }: Context,
  actor: Actor,
  { kinds, quietHours, areas }: Change,
): Promise<NoticePreferences> {
  const stored = await inTransaction(db, async (tx) => {
    const { trx } = tx;
    const before = (await readPreferences(trx, [actor])).get(accountKey(actor)) ?? NOTHING_CHOSEN;
    const after: StoredPreferences = {
      kinds: { ...before.kinds, ...kinds },
      quietHours: quietHours === undefined ? before.quietHours : quietHours,
      areas: areas === undefined ? before.areas : areas,
    };
    await writePreferences(trx, actor, after);
    await audit.append(tx, {
      actor,
      action: `${actor.kind}.notices_chosen`,
      subject: { kind: actor.kind, id: actor.id },
      // Who asks later why nobody was told finds here what was muted, and since when.
      details: {
        muted: INCIDENT_KINDS.filter((kind) => after.kinds[kind]?.length === 0),
        quietHours: after.quietHours && `${after.quietHours.from}–${after.quietHours.to}`,
        areas: after.areas,
      },
    });
    return after;
  });
  return completePreferences(actor.kind, stored);
}

/** Sets the webhook, or ends it; answers the new secret. Throws 400 for an address that may not be posted to. */
export async function setWebhook(
  context: Context,
  actor: Actor,
  url: string | null,
  reach: Reach,
): Promise<string | null> {
  if (url !== null && !isAllowedAddress(url, reach)) {
    const message = 'This address may not be posted to';
    throw new AppError('invalid_request', { message, fields: { url: message } });
  }
  const secret = url === null ? null : newWebhookSecret();
  const setting = url === null ? null : { url, secret, updatedAt: context.clock.now() };
  await inTransaction(context.db, async (tx) => {
    await writeSealedMeta(tx.trx, context.vault, WEBHOOK_META_KEY, setting && JSON.stringify(setting));
    await context.audit.append(tx, {
      actor,
      action: 'webhook.updated',
      details: { isSet: url !== null },
    });
  });
  return secret;
}
