/** Web Push: encrypts to the browser (RFC 8291), signs with the installation's key (RFC 8292), posts to the push service. */
import { createHash } from 'node:crypto';
import { pushPayloadSchema } from '@haris/contract/notifications';
import webPush from 'web-push';
import type { Context } from '../../../context.ts';
import { deletePushSubscription, findPushSubscription, openPushTarget } from '../../../db/push-devices.ts';
import type { Reach } from '../../../reach.ts';
import type { VapidKeys } from '../vapid.ts';
import type { Carrier } from './carrier.ts';
import { DeliveryError } from './delivery-error.ts';
import { post } from './outgoing.ts';

/** How long a push service stores a notification for an offline phone. Seconds. */
const KEEP_SECONDS = 4 * 3600;

/** Whether a status asks for a retry. */
function isPassing(status: number): boolean {
  return status >= 500 || status === 408 || status === 429;
}

/** `contact`: a `mailto:` or `https:` address by which a push service can reach the operator. */
export function pushCarrier(
  { db, vault, clock }: Pick<Context, 'db' | 'vault' | 'clock'>,
  { keys, contact, reach }: { keys: VapidKeys; contact: string; reach: Reach },
): Carrier {
  return async ({ row, content }) => {
    const device = await findPushSubscription(db, row.target, clock.now());
    if (!device || device.account_id !== row.account_id) throw new DeliveryError('gone');
    const { endpoint, p256dh, auth } = openPushTarget(vault, device);
    const payload = pushPayloadSchema.parse(content);
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      JSON.stringify(payload),
      {
        vapidDetails: { subject: contact, ...keys },
        TTL: KEEP_SECONDS,
        urgency: row.kind === 'test' || payload.phase !== 'cleared' ? 'high' : 'normal',
        // An offline phone gets only the newest push of an incident. At most 32 characters of base64url.
        topic: createHash('sha256').update(payload.tag).digest('base64url').slice(0, 32),
      },
    );
    const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    const { status, retryAfterMs } = await post({ url: endpoint, headers: texts, body, reach });
    if (status >= 200 && status < 300) return;
    if (status === 404 || status === 410) {
      await deletePushSubscription(db, { kind: device.account_kind, id: device.account_id }, device.id);
      throw new DeliveryError('gone');
    }
    throw new DeliveryError(isPassing(status) ? 'unreachable' : 'refused', { retryAfterMs });
  };
}
