/** Posts each step to the address that staff set, signed by the Standard Webhooks specification (v1, HMAC-SHA-256). */
import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { readSealedMeta } from '../../../db/sealed-meta.ts';
import type { Reach } from '../../../reach.ts';
import type { Carrier } from './carrier.ts';
import { DeliveryError } from './delivery-error.ts';
import { post } from './outgoing.ts';

export const WEBHOOK_META_KEY = 'notice_webhook';
const SECRET_PREFIX = 'whsec_';

export const webhookSettingSchema = z.object({
  url: z.string(),
  /** `whsec_` and base64, as libraries for receivers expect it. */
  secret: z.string(),
  updatedAt: z.number(),
});
export type WebhookSetting = z.infer<typeof webhookSettingSchema>;

/** The body of a post: ids, kinds and areas, but no personal names. */
export const webhookBodySchema = z.object({
  type: z.enum(['incident.raised', 'incident.escalated', 'incident.cleared', 'test']),
  timestamp: z.iso.datetime({ precision: 3 }),
  data: z.object({
    id: z.string(),
    kind: z.string(),
    severity: z.enum(['safety', 'care', 'operation']).nullable(),
    step: z.number().int(),
    area: z.string().nullable(),
    title: z.string(),
  }),
});
export type WebhookBody = z.infer<typeof webhookBodySchema>;

export function newWebhookSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(32).toString('base64')}`;
}

/** The setting; null if there is none. */
export async function readWebhook({
  db,
  vault,
}: Pick<Context, 'db' | 'vault'>): Promise<WebhookSetting | null> {
  const text = await readSealedMeta(db, vault, WEBHOOK_META_KEY);
  return text === undefined ? null : webhookSettingSchema.parse(JSON.parse(text));
}

function sign(secret: string, id: string, seconds: number, body: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}

export function webhookCarrier(context: Pick<Context, 'db' | 'vault' | 'clock'>, reach: Reach): Carrier {
  return async ({ row, content }) => {
    const setting = await readWebhook(context);
    if (!setting) throw new DeliveryError('gone');
    const body = JSON.stringify(webhookBodySchema.parse(content));
    const seconds = Math.floor(context.clock.now() / 1000);
    const { status, retryAfterMs } = await post({
      url: setting.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Haris',
        'webhook-id': row.id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': sign(setting.secret, row.id, seconds, body),
      },
      body: Buffer.from(body),
      reach,
    });
    if (status >= 200 && status < 300) return;
    // The receiver may be repaired, so only 410 counts as permanent.
    throw new DeliveryError(status === 410 ? 'refused' : 'unreachable', { retryAfterMs });
  };
}
