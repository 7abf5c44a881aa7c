/** Test notifications to a person's own devices and addresses, and the receipts of those that arrived. */
import { randomUUID } from 'node:crypto';
import { THROTTLE_WINDOW_MS } from '@haris/contract/constants';
import { NOTIFICATION_TESTS_PER_WINDOW, type PushPayload } from '@haris/contract/notifications';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { addDelivery } from '../../db/notification-deliveries.ts';
import { accountKey, findNotificationAccounts } from '../../db/notification-people.ts';
import { noteArrival } from '../../db/notification-queue.ts';
import { findPushSubscriptions } from '../../db/push-devices.ts';
import { countHit, type Limit, secondsUntilRoom } from '../../db/throttle.ts';
import { inTransaction } from '../../db/transaction.ts';
import { channelsTo, directionOf, pageOf, WEBHOOK } from '../../notifications/recipients.ts';
import { testText } from '../../notifications/texts.ts';
import { hashToken, randomToken } from '../../vault/vault.ts';
import { readWebhook, type WebhookBody } from './channels/webhook.ts';

/** Enqueues a test for every channel that reaches the person. Returns its id. Throws `too_many_attempts`. */
export async function sendTest(context: Context, actor: Actor): Promise<string> {
  const { db, vault, clock } = context;
  const now = clock.now();
  const limits: Limit[] = [
    {
      scope: 'notification test',
      key: vault.mac('throttle', accountKey(actor)),
      most: NOTIFICATION_TESTS_PER_WINDOW,
      windowMs: THROTTLE_WINDOW_MS,
    },
  ];
  const webhook = actor.kind === 'admin' ? await readWebhook(context) : null;
  const id = randomUUID();
  await inTransaction(db, async ({ trx }) => {
    const retryAfter = await secondsUntilRoom(trx, limits, now);
    if (retryAfter !== null) throw new AppError('too_many_attempts', { retryAfter });
    await countHit(trx, limits, now);
    const [account] = await findNotificationAccounts(trx, [actor]);
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
    for (const channel of channelsTo(account, devices))
      for (const target of channel === 'push' ? devices.map((device) => device.id) : ['']) {
        const receipt = channel === 'push' ? randomToken() : null;
        await addDelivery(
          trx,
          vault,
          {
            ...common,
            account,
            channel,
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
      const delivery = { ...common, account: WEBHOOK, channel: 'webhook' as const, target: '', content };
      await addDelivery(trx, vault, delivery, 0, now);
    }
  });
  return id;
}

/** Records the arrival of a test. Throws 404 for an unknown receipt. */
export async function confirmArrival({ db, clock }: Context, receipt: string): Promise<void> {
  if (!(await noteArrival(db, hashToken(receipt), clock.now()))) throw new AppError('not_found');
}
