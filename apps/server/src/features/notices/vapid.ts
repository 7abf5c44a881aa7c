/**
 * The keys by which push services know this installation (VAPID, RFC 8292): made at the first start, kept sealed in the
 * database, so that every server on it has the same ones and a backup carries them. Browsers bind their subscriptions to
 * the public key: another one would silence every device.
 */
import webPush from 'web-push';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { keepSealedMeta } from '../../db/sealed-meta.ts';

const META_KEY = 'vapid_keys';

const vapidKeysSchema = z.object({ publicKey: z.string(), privateKey: z.string() });
/** Both base64url: the uncompressed point and the scalar of P-256. */
export type VapidKeys = z.infer<typeof vapidKeysSchema>;

export async function openVapidKeys({ db, vault }: Pick<Context, 'db' | 'vault'>): Promise<VapidKeys> {
  const made = JSON.stringify(webPush.generateVAPIDKeys());
  return vapidKeysSchema.parse(JSON.parse(await keepSealedMeta(db, vault, META_KEY, made)));
}
