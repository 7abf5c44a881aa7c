/** Notices that somebody sends to the own devices and addresses to try them, and what arrived of them. */
import { randomUUID } from 'node:crypto';
import { THROTTLE_WINDOW_MS } from '@haris/contract/constants';
import { NOTICE_TESTS_PER_WINDOW, type PushPayload } from '@haris/contract/http/notices';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { addDelivery } from '../../db/notice-deliveries.ts';
import { accountKey, findNoticeAccounts } from '../../db/notice-people.ts';
import { noteArrival } from '../../db/notice-queue.ts';
import { findPushSubscriptions } from '../../db/push-devices.ts';
import { countHit, type Limit, secondsUntilRoom } from '../../db/throttle.ts';
import { inTransaction } from '../../db/transaction.ts';
import { hashToken, randomToken } from '../../vault/vault.ts';
import { directionOf, pageOf, WEBHOOK, waysTo } from './recipients.ts';
import { testText } from './texts.ts';
import { readWebhook, type WebhookBody } from './ways/webhook.ts';

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
