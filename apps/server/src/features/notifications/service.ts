/** Push devices, preferences and the webhook. */
import { ECDH } from 'node:crypto';
import type { AddPushDevice } from '@haris/contract/http/notifications';
import {
  NOTIFICATION_KINDS,
  type NotificationPreferences,
  PUSH_DEVICES_PER_ACCOUNT,
  type StoredPreferences,
} from '@haris/contract/notifications';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AuditFact } from '../../db/audit.ts';
import { accountKey, readPreferences, writePreferences } from '../../db/notification-people.ts';
import { deletePushSubscription, putPushSubscription } from '../../db/push-devices.ts';
import type { PushSubscriptionRow } from '../../db/schema.ts';
import { writeSealedMeta } from '../../db/sealed-meta.ts';
import { inTransaction } from '../../db/transaction.ts';
import { completePreferences, NOTHING_CHOSEN } from '../../notifications/preferences.ts';
import type { Reach } from '../../reach.ts';
import { isAllowedAddress } from './channels/outgoing.ts';
import { newWebhookSecret, WEBHOOK_META_KEY } from './channels/webhook.ts';

/** Whether content can be encrypted to this key (base64url). */
function isPointOfCurve(key: string): boolean {
  try {
    ECDH.convertKey(key, 'prime256v1', 'base64url');
    return true;
  } catch {
    return false;
  }
}

/** Throws 400 for an address that cannot be a push service, and for keys that content cannot be encrypted to. */
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
    // The web app sends its subscription at each start: only the first time is a person's action.
    if (!wasThere) await audit.append(tx, deviceFact(actor, 'added', row.id));
    return row;
  });
}

/** Throws 404 for another person's device. */
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

export async function getPreferences({ db }: Context, actor: Actor): Promise<NotificationPreferences> {
  const stored = (await readPreferences(db, [actor])).get(accountKey(actor)) ?? NOTHING_CHOSEN;
  return completePreferences(actor.kind, stored);
}

type Change = { readonly [Name in keyof StoredPreferences]?: StoredPreferences[Name] | undefined };

export async function updatePreferences(
  { db, audit }: Context,
  actor: Actor,
  { kinds, quietHours, areas }: Change,
): Promise<NotificationPreferences> {
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
      // Explains later why a staff member was not notified. A parent's quiet hours are private.
      ...(actor.kind === 'admin' && {
        details: {
          muted: NOTIFICATION_KINDS.filter((kind) => after.kinds[kind]?.length === 0),
          quietHours: after.quietHours && `${after.quietHours.from}–${after.quietHours.to}`,
          areas: after.areas,
        },
      }),
    });
    return after;
  });
  return completePreferences(actor.kind, stored);
}

/** Sets or removes the webhook; returns the new secret. Throws 400 for an address that the server must not post to. */
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
  // It receives the incidents of all facilities.
  if (!actor.everywhere.has('integrations.manage')) throw new AppError('forbidden');
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
