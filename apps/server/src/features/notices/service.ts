/** Keeps devices, wishes and the webhook. */
import { ECDH } from 'node:crypto';
import {
  type AddPushDevice,
  type NoticePreferences,
  PUSH_DEVICES_PER_ACCOUNT,
  type StoredPreferences,
} from '@haris/contract/http/notices';
import { INCIDENT_KINDS } from '@haris/contract/incident-kinds';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AuditFact } from '../../db/audit.ts';
import { accountKey, readPreferences, writePreferences } from '../../db/notice-people.ts';
import { deletePushSubscription, putPushSubscription } from '../../db/push-devices.ts';
import type { PushSubscriptionRow } from '../../db/schema.ts';
import { writeSealedMeta } from '../../db/sealed-meta.ts';
import { inTransaction } from '../../db/transaction.ts';
import { completePreferences, NOTHING_CHOSEN } from './preferences.ts';
import { isAllowedAddress, type Reach } from './ways/outgoing.ts';
import { newWebhookSecret, WEBHOOK_META_KEY } from './ways/webhook.ts';

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
      // Who asks later why nobody of the staff was told finds here what was muted. When a parent sleeps is nobody's business.
      ...(actor.kind === 'admin' && {
        details: {
          muted: INCIDENT_KINDS.filter((kind) => after.kinds[kind]?.length === 0),
          quietHours: after.quietHours && `${after.quietHours.from}–${after.quietHours.to}`,
          areas: after.areas,
        },
      }),
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
